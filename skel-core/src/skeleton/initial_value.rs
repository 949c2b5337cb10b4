//! What a reduction begins with, and what it is without elements.

use super::{Operators, fold::Operator, trap, value_of::ValueOf};
use crate::{Element, Error, Result, caught::catch, frame::Partial, plan::Kernel};

/// The reduction of no elements is an error.
#[derive(Clone, Copy, Debug)]
pub struct NoIdentity;

/// The reduction of no elements is this.
#[derive(Clone, Copy, Debug)]
pub struct Identity<T>(pub(super) T);

/// Every reduction begins with this: `op(initial, op(x[0], …))`, and without elements it is this.
#[derive(Clone, Copy, Debug)]
pub struct Initial<T>(pub(super) T);

/// What the reduction of no elements of type `T` is, if anything, and what one of some begins with.
pub trait IdentityOf<T>: 'static {
    /// Whether there is a value to begin with.
    const BEGINS: bool;

    /// The reduction of no elements.
    fn get(&self) -> Option<T>;

    /// The value to begin with.
    fn initial(&self) -> Option<T> {
        if Self::BEGINS { self.get() } else { None }
    }
}

impl<T> IdentityOf<T> for NoIdentity {
    const BEGINS: bool = false;

    fn get(&self) -> Option<T> {
        None
    }
}

impl<T, V: ValueOf<T> + 'static> IdentityOf<T> for Identity<V> {
    const BEGINS: bool = false;

    fn get(&self) -> Option<T> {
        Some(V::value(self.0))
    }
}

impl<T, V: ValueOf<T> + 'static> IdentityOf<T> for Initial<V> {
    const BEGINS: bool = true;

    fn get(&self) -> Option<T> {
        Some(V::value(self.0))
    }
}

/// The value of a fold.
pub(super) fn value<O, R: Operators<O>>(
    total: Partial,
    identity: &impl IdentityOf<O>,
    kernel: impl FnOnce() -> Result<&'static std::sync::Arc<Kernel>>,
    instance: &str,
) -> Result<O> {
    InitialValue::of(identity).value::<R>(total, kernel, instance)
}

/// What [`IdentityOf`] says.
pub(super) struct InitialValue<O> {
    initial: Option<O>,
    empty: Option<O>,
}

impl<O> InitialValue<O> {
    pub(super) fn of(identity: &impl IdentityOf<O>) -> Self {
        InitialValue {
            initial: identity.initial(),
            empty: identity.get(),
        }
    }

    /// The value of a fold.
    pub(super) fn value<R: Operators<O>>(
        self,
        total: Partial,
        kernel: impl FnOnce() -> Result<&'static std::sync::Arc<Kernel>>,
        instance: &str,
    ) -> Result<O> {
        let found = match (self.initial, total.get::<R::Value>()) {
            (Some(initial), Some(total)) => {
                Some(combine::<_, R::Operator>(R::pack(initial), total, kernel)?)
            }
            (_, total) => total,
        };
        let found = found.map(R::unpack).or(self.empty);
        found.ok_or_else(|| empty(instance))
    }
}

pub(super) fn empty(instance: &str) -> Error {
    Error::EmptyReduce {
        instance: instance.into(),
    }
}

/// Combines two values on the calling thread. What the operator panics with is a trap.
pub(super) fn combine<T: Element, R: Operator<T>>(
    left: T,
    right: T,
    kernel: impl FnOnce() -> Result<&'static std::sync::Arc<Kernel>>,
) -> Result<T> {
    let caught = match catch(|| R::apply(left, right)) {
        Ok(value) => return Ok(value),
        Err(caught) => caught,
    };
    let operands = [left, right].map(|operand| operand.to_value());
    Err(trap::of_operands(
        kernel(),
        R::NAME,
        &operands,
        None,
        caught,
    ))
}
