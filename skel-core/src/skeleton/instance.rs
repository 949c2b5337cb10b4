//! What all skeleton instances have: a name, a target, an executor.

use super::{components::Operators, initial_value::InitialValue};
use crate::{
    Element, Error, Result,
    call::{ArgumentShapes, Call, Executor, Fit, Operands},
    frame::Partial,
    later::Later,
    plan::{Blocks, Phases},
    schedule::{SizePlan, Target},
    space::{Along, IndexSpace, Shape, Stream},
};
use std::{
    borrow::Cow,
    sync::atomic::{AtomicU32, Ordering},
};

/// The common part of all skeleton instances.
#[derive(Debug)]
pub struct Instance<E> {
    /// Names the performance model; instances of one name share it.
    pub(super) name: Cow<'static, str>,
    pub(super) target: Target,
    /// Targets by numbers of elements, where they differ.
    pub(super) sizes: SizePlan,
    pub(super) executor: E,
    pub(super) seed: u64,
    /// How many calls there were since it was made, or given a seed.
    calls: AtomicU32,
}

impl<E: Clone> Clone for Instance<E> {
    /// The clone goes on where the original is: their next calls get the same random numbers.
    fn clone(&self) -> Self {
        Instance {
            name: self.name.clone(),
            target: self.target.clone(),
            sizes: self.sizes.clone(),
            executor: self.executor.clone(),
            seed: self.seed,
            calls: AtomicU32::new(self.calls.load(Ordering::Relaxed)),
        }
    }
}

impl<E: Executor> Instance<E> {
    /// An instance that runs wherever the executor thinks best.
    pub(super) const fn new(name: &'static str, executor: E) -> Self {
        Instance {
            name: Cow::Borrowed(name),
            target: Target::Auto,
            sizes: SizePlan::new(),
            executor,
            seed: 0,
            calls: AtomicU32::new(0),
        }
    }

    pub(super) fn within<X>(self, executor: X) -> Instance<X> {
        Instance {
            name: self.name,
            target: self.target,
            sizes: self.sizes,
            executor,
            seed: self.seed,
            calls: self.calls,
        }
    }

    /// Random numbers begin anew, from this seed.
    pub(super) fn reseed(&mut self, seed: u64) {
        self.seed = seed;
        self.calls = AtomicU32::new(0);
    }

    /// The shape of a call: that of all arguments that are read element by element.
    pub(super) fn shape(&self, shapes: &ArgumentShapes) -> Result<Shape> {
        if let [(_, first, _), ..] = &shapes[..]
            && are_all(shapes, *first)
        {
            return Ok(*first);
        }
        self.no_gaps(shapes)?;
        let first = |wanted: Fit| shapes.iter().find(|(_, _, fit)| *fit == wanted);
        if let Some((argument, first, _)) = first(Fit::Same) {
            let others = shapes.iter().skip_while(|(k, ..)| k <= argument);
            if let Some(agreed) = agreed(others, 2)
                && agreed != *first
            {
                return Err(self.mismatch(*argument, *first, agreed, "the other containers have"));
            }
            self.check(shapes, *first, "the first container has")?;
            return Ok(*first);
        }
        match (first(Fit::Down), first(Fit::Across)) {
            (Some((_, down, _)), Some((_, across, _))) => {
                let pairs = self.countable(Shape::D2(down.len(), across.len()))?;
                self.check(shapes, pairs, "the first vectors down and across have")?;
                Ok(pairs)
            }
            _ => Err(Error::NoShape {
                instance: self.name.to_string(),
            }),
        }
    }

    /// All arguments must fit the output, whose shape is that of the call: argument `output`, counted from 1.
    /// Where they agree with each other, it is the output that does not fit.
    pub(super) fn check_output(
        &self,
        shapes: &ArgumentShapes,
        output: usize,
        expected: Shape,
    ) -> Result<()> {
        if are_all(shapes, expected) {
            return Ok(());
        }
        self.no_gaps(shapes)?;
        let inputs = shapes.iter().filter(|(k, ..)| *k < output);
        match agreed(inputs, 1) {
            Some(agreed) if agreed != expected => {
                Err(self.mismatch(output, expected, agreed, "what is passed has"))
            }
            _ => self.check(shapes, expected, "the output has"),
        }
    }

    fn mismatch(
        &self,
        argument: usize,
        found: Shape,
        expected: Shape,
        reference: &'static str,
    ) -> Error {
        Error::ShapeMismatch {
            instance: self.name.to_string(),
            argument,
            found: Box::new(found),
            expected,
            reference,
        }
    }

    /// A shape that is no container's must have a number of elements.
    pub(super) fn countable(&self, shape: Shape) -> Result<Shape> {
        match shape.checked_len() {
            Some(_) => Ok(shape),
            None => Err(Error::TooLarge {
                instance: self.name.to_string(),
                shape,
            }),
        }
    }

    /// What is passed lies in memory as it is counted.
    pub(super) fn no_gaps(&self, shapes: &ArgumentShapes) -> Result<()> {
        match shapes.iter().find(|(_, _, fit)| *fit == Fit::Scattered) {
            None => Ok(()),
            Some((argument, ..)) => Err(Error::Scattered {
                instance: self.name.to_string(),
                argument: *argument,
            }),
        }
    }

    /// All arguments must fit this shape.
    pub(super) fn check(
        &self,
        shapes: &ArgumentShapes,
        expected: Shape,
        reference: &'static str,
    ) -> Result<()> {
        let unfit = |(_, found, fit): &&(usize, Shape, Fit)| {
            *fit == Fit::Scattered || *found != fit.expected(*found, expected)
        };
        match shapes.iter().find(unfit) {
            None => Ok(()),
            Some((argument, found, fit)) => {
                self.no_gaps(shapes)?;
                let expected = fit.expected(*found, expected);
                let reference = match fit {
                    Fit::Down => "an element for each row of the call needs",
                    Fit::Across => "an element for each column of the call needs",
                    _ => reference,
                };
                Err(self.mismatch(*argument, *found, expected, reference))
            }
        }
    }

    /// A call of this shape, before its operands, which are made where they stay: calls are large.
    #[inline]
    pub(super) fn open<'c>(&'c self, phases: &'static dyn Phases, shape: Shape) -> Call<'c> {
        self.open_over(phases, IndexSpace::new(shape, self.stream()))
    }

    /// The same, of a call that folds rows or columns.
    pub(super) fn open_along<'c>(&'c self, phases: &'static dyn Phases, along: Along) -> Call<'c> {
        self.open_over(phases, IndexSpace::folding(along, self.stream()))
    }

    #[inline]
    fn open_over<'c>(&'c self, phases: &'static dyn Phases, space: IndexSpace) -> Call<'c> {
        Call {
            instance: &self.name,
            phases,
            initial: Partial::NONE,
            space,
            blocks: Blocks::default(),
            operands: Operands::new(),
        }
    }

    /// Runs a call whose operands have been checked.
    pub(super) fn execute(&self, call: &mut Call<'_>) -> Result<Partial> {
        let target = self.target_of(&call.space);
        self.executor.execute(call, target)
    }

    /// Whether its calls of this shape stay on the host: see [`Executor::stays_on_host`].
    pub(super) fn stays_on_host(&self, shape: Shape) -> bool {
        let target = self.target_of(&IndexSpace::new(shape, self.stream()));
        self.executor.stays_on_host(target)
    }

    /// Runs some steps of such a call together: see [`Executor::execute_steps`].
    pub(super) fn execute_steps(&self, call: &mut Call<'_>, most_steps: usize) -> Result<usize> {
        let target = self.target_of(&call.space);
        self.executor.execute_steps(call, target, most_steps)
    }

    /// Runs a reduction whose operands have been checked, and whose value may come later.
    pub(super) fn reduce_later<R, O>(
        &self,
        call: &mut Call<'_>,
        initial_value: InitialValue<O>,
    ) -> Result<Later<O>>
    where
        O: Element,
        R: Operators<O>,
    {
        let (phases, target) = (call.phases, self.target_of(&call.space));
        let total = self.executor.execute_later(call, target)?;
        let name = self.name.clone();
        total.and_then(move |total| initial_value.value::<R>(total, || phases.kernel(), &name))
    }

    /// The random numbers of the next call.
    fn stream(&self) -> Stream {
        Stream {
            seed: self.seed,
            call: self.calls.fetch_add(1, Ordering::Relaxed),
        }
    }

    fn target_of(&self, space: &IndexSpace) -> &Target {
        let planned = self.sizes.target(space.arguments().len());
        planned.unwrap_or(&self.target)
    }
}

/// Whether all arguments are read element by element, in this shape: as in most calls, so they are looked at once.
#[inline]
fn are_all(shapes: &ArgumentShapes, shape: Shape) -> bool {
    let same = |(_, found, fit): &(usize, Shape, Fit)| *fit == Fit::Same && *found == shape;
    shapes.iter().all(same)
}

/// The shape that all of these have that are read element by element, if there are so many, and they agree.
fn agreed<'s>(
    shapes: impl Iterator<Item = &'s (usize, Shape, Fit)>,
    at_least: usize,
) -> Option<Shape> {
    let mut same = shapes.filter(|(_, _, fit)| *fit == Fit::Same);
    let (_, first, _) = same.next()?;
    let mut count = 1;
    for (_, shape, _) in same {
        if shape != first {
            return None;
        }
        count += 1;
    }
    (count >= at_least).then_some(*first)
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

        /// Where calls run by their numbers of elements; those that the plan does not name run where
        /// [`on`](Self::on) says. Of reductions along rows and columns, what is reduced counts.
        #[must_use]
        pub fn plan(mut self, sizes: $crate::schedule::SizePlan) -> Self {
            self.instance.sizes = sizes;
            self
        }

        /// Gives the instance another name. The name stands in messages and names the performance
        /// model; the macros make it of the module path and the user functions' names.
        #[must_use]
        pub fn named(mut self, name: impl Into<std::borrow::Cow<'static, str>>) -> Self {
            self.instance.name = name.into();
            self
        }

        /// The seed of the random numbers that a [`Random`](crate::param::Random) parameter draws; 0
        /// if it is not given. From here, the instance's calls are counted from 0, and each has
        /// numbers of its own; a clone goes on with the count of its original.
        #[must_use]
        pub fn seed(mut self, seed: u64) -> Self {
            self.instance.reseed(seed);
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

/// What every skeleton of one function has: how instances are made, and the methods and traits above. `$made_by` is
/// the macro of users; a field that only this skeleton has stands with what it is at first.
macro_rules! of_one_function {
    ($name:ident, $made_by:literal $(, $kept:ident: $first:expr)?) => {
        $crate::skeleton::instance::instance_traits!($name<F;> { _function $(, $kept)? });

        impl<F, E: Executor + Default> $name<F, E> {
            #[doc = concat!("An instance named after the type, run by the default executor: what `", $made_by, "` makes, in long.")]
            #[must_use]
            #[allow(clippy::new_without_default, reason = "an instance is no default of anything")]
            pub fn new() -> Self {
                let function = std::any::type_name::<F>();
                Self::with_executor("", E::default())
                    .named(format!("{}<{function}>", stringify!($name)))
            }
        }

        impl<F, E: Executor> $name<F, E> {
            /// An instance of this name, run by `executor`.
            pub const fn with_executor(name: &'static str, executor: E) -> Self {
                $name {
                    instance: Instance::new(name, executor),
                    $($kept: $first,)?
                    _function: PhantomData,
                }
            }

            /// The same instance, run by another executor: a context of one's own.
            #[must_use]
            pub fn within<X: Executor>(self, executor: X) -> $name<F, X> {
                $name {
                    instance: self.instance.within(executor),
                    $($kept: self.$kept,)?
                    _function: PhantomData,
                }
            }

            $crate::skeleton::instance::instance_methods!();
        }
    };
}
pub(super) use of_one_function;
