//! What precedes the elements of a scan, and where an element itself counts.

use crate::{
    Element,
    param::{Each, Uniform},
    plan::Phases,
    skeleton::{
        fold::Operator,
        prefix::{Prefix, Segmented, Whole},
        value_of::ValueOf,
    },
};

/// Keeps [`Mode`] to this crate.
mod sealed {
    pub trait Mode {}
    impl Mode for super::Inclusive {}
    impl<T> Mode for super::InclusiveFrom<T> {}
    impl<T> Mode for super::Exclusive<T> {}
}

/// `x[0] ⊕ … ⊕ x[i]`.
#[derive(Clone, Copy, Debug)]
pub struct Inclusive;

/// `initial ⊕ x[0] ⊕ … ⊕ x[i]`.
#[derive(Clone, Copy, Debug)]
pub struct InclusiveFrom<T>(pub(super) T);

/// `initial ⊕ x[0] ⊕ … ⊕ x[i - 1]`.
#[derive(Clone, Copy, Debug)]
pub struct Exclusive<T>(pub(super) T);

/// The mode of a scan: [`Inclusive`], [`InclusiveFrom`] an initial value, [`Exclusive`].
pub trait AnyMode: sealed::Mode {
    /// The same with another initial value.
    type With<U>;

    /// The same with this initial value.
    fn with<U>(self, initial: U) -> Self::With<U>;
}

impl AnyMode for Inclusive {
    type With<U> = InclusiveFrom<U>;

    fn with<U>(self, initial: U) -> InclusiveFrom<U> {
        InclusiveFrom(initial)
    }
}

impl<T> AnyMode for InclusiveFrom<T> {
    type With<U> = InclusiveFrom<U>;

    fn with<U>(self, initial: U) -> InclusiveFrom<U> {
        InclusiveFrom(initial)
    }
}

impl<T> AnyMode for Exclusive<T> {
    type With<U> = Exclusive<U>;

    fn with<U>(self, initial: U) -> Exclusive<U> {
        Exclusive(initial)
    }
}

/// A mode for elements of type `T`.
pub trait Mode<T: Element>: AnyMode {
    /// Whether an element is combined with those after it only.
    const EXCLUSIVE: bool;

    /// What precedes all elements.
    fn initial(&self) -> Option<T>;

    /// The plan over all elements.
    fn all<R: Operator<T>>() -> &'static dyn Phases;

    /// The plan over rows; its operands are the elements and, if there is one, the initial value.
    fn rows<R: Operator<T>>() -> &'static dyn Phases;

    /// The plan over segments; after the elements come the flags.
    fn segments<R: Operator<T>>() -> &'static dyn Phases;
}

macro_rules! mode {
    ([$($given:ident)?] $mode:ty, |$this:pat_param| $initial:expr, $exclusive:literal, ($($uniform:ty)?)) => {
        impl<T: Element $(, $given: ValueOf<T>)?> Mode<T> for $mode {
            const EXCLUSIVE: bool = $exclusive;

            fn initial(&self) -> Option<T> {
                let $this = self;
                $initial
            }

            fn all<R: Operator<T>>() -> &'static dyn Phases {
                Prefix::<Whole<R, T, $exclusive>>::PLAN
            }

            fn rows<R: Operator<T>>() -> &'static dyn Phases {
                Prefix::<Segmented<R, T, (Each<T>, $($uniform,)?), $exclusive>>::PLAN
            }

            fn segments<R: Operator<T>>() -> &'static dyn Phases {
                Prefix::<Segmented<R, T, (Each<T>, Each<bool>, $($uniform,)?), $exclusive>>::PLAN
            }
        }
    };
}
mode!([] Inclusive, |_| None, false, ());
mode!([V] InclusiveFrom<V>, |InclusiveFrom(initial)| Some(V::value(*initial)), false, (Uniform<T>));
mode!(
    [V] Exclusive<V>,
    |Exclusive(initial)| Some(V::value(*initial)),
    true,
    (Uniform<T>)
);
