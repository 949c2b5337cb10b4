//! What all skeleton instances have: a name, a target, an executor.

use crate::{
    Error, Result,
    call::{ArgumentShapes, Call, Executor, Operands},
    container::Shape,
    frame::Partial,
    plan::Phases,
    schedule::Target,
};
use std::borrow::Cow;

/// The common part of all skeleton instances.
#[derive(Clone, Debug)]
pub struct Instance<E> {
    /// Names the performance model; instances of one name share it.
    pub(super) name: Cow<'static, str>,
    pub(super) target: Target,
    pub(super) executor: E,
}

impl<E: Executor> Instance<E> {
    /// An instance that runs wherever the executor thinks best.
    pub(super) const fn new(name: &'static str, executor: E) -> Self {
        Instance {
            name: Cow::Borrowed(name),
            target: Target::Auto,
            executor,
        }
    }

    pub(super) fn within<X>(self, executor: X) -> Instance<X> {
        Instance {
            name: self.name,
            target: self.target,
            executor,
        }
    }

    /// The shape of a call: that of all arguments that have one.
    pub(super) fn shape(&self, shapes: &ArgumentShapes) -> Result<Shape> {
        let Some((_, first)) = shapes.first() else {
            return Err(Error::NoShape {
                instance: self.name.to_string(),
            });
        };
        self.check(shapes, *first, "the first container")?;
        Ok(*first)
    }

    /// A shape that someone made up must have a number of elements.
    pub(super) fn countable(&self, shape: Shape) -> Result<Shape> {
        match shape.checked_len() {
            Some(_) => Ok(shape),
            None => Err(Error::TooLarge {
                instance: self.name.to_string(),
                shape,
            }),
        }
    }

    /// All arguments that have a shape must have this one.
    pub(super) fn check(
        &self,
        shapes: &ArgumentShapes,
        expected: Shape,
        reference: &'static str,
    ) -> Result<()> {
        match shapes.iter().find(|(_, found)| *found != expected) {
            None => Ok(()),
            Some((argument, found)) => Err(Error::ShapeMismatch {
                instance: self.name.to_string(),
                argument: *argument,
                found: *found,
                expected,
                reference,
            }),
        }
    }

    /// Runs a call whose operands have been checked.
    pub(super) fn execute(
        &self,
        phases: &'static dyn Phases,
        shape: Shape,
        operands: Operands<'_>,
    ) -> Result<Partial> {
        let call = Call {
            instance: &self.name,
            phases,
            shape,
            operands,
        };
        self.executor.execute(call, &self.target)
    }
}

/// `Clone` and `Debug` of a skeleton over functions that have neither: they are types without values.
/// After the functions come the generics that do, then the fields beside `instance`.
macro_rules! instance_traits {
    ($name:ident<$($f:ident),+; $($g:ident),*> { $marker:ident $(, $kept:ident)? }) => {
        impl<$($f,)+ E: Clone $(, $g: Clone)*> Clone for $name<$($f,)+ E $(, $g)*> {
            fn clone(&self) -> Self {
                $name {
                    instance: self.instance.clone(),
                    $($kept: self.$kept.clone(),)?
                    $marker: PhantomData,
                }
            }
        }

        impl<$($f,)+ E $(, $g)*> std::fmt::Debug for $name<$($f,)+ E $(, $g)*> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{} on {}", self.instance.name, self.instance.target)
            }
        }
    };
}
pub(super) use instance_traits;

/// The methods that every skeleton has, over a field `instance: Instance<E>`.
macro_rules! instance_methods {
    () => {
        /// Where this instance runs: `Sequential`, `Cpu`, `Device(i)`, `Hybrid::ratio(r)`, `Auto`, or
        /// a parsed [`Target`](crate::schedule::Target).
        #[must_use]
        pub fn on(mut self, target: impl Into<$crate::schedule::Target>) -> Self {
            self.instance.target = target.into();
            self
        }

        /// Gives the instance another name. The name stands in messages and names the performance
        /// model; the macros make it of the module path and the user functions' names.
        #[must_use]
        pub fn named(mut self, name: impl Into<std::borrow::Cow<'static, str>>) -> Self {
            self.instance.name = name.into();
            self
        }

        /// The name.
        #[must_use]
        pub fn name(&self) -> &str {
            &self.instance.name
        }
    };
}
pub(super) use instance_methods;
