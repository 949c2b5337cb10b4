//! `[T; N]`.

use super::{Check, Element};
use crate::ir::{Ty, Value};

// SAFETY: elements of an array follow each other without gaps, and each is checked as `T` is: the
// check takes any number of them.
#[expect(unsafe_code, reason = "arrays of elements keep the trait's promise")]
unsafe impl<T: Element, const N: usize> Element for [T; N] {
    const IS_SCALAR: bool = false;
    const CHECK: Option<Check> = {
        assert!(N > 0, "an array of no elements is no element");
        T::CHECK
    };

    fn ty() -> Ty {
        const { assert!(N > 0, "an array of no elements is no element") };
        Ty::array(T::ty(), N)
    }

    fn to_value(self) -> Value {
        Value::array(&Self::ty(), self.into_iter().map(T::to_value).collect())
    }

    fn from_value(value: &Value) -> Option<Self> {
        let Value::Array(_, elements) = value else {
            return None;
        };
        let elements: Option<Vec<T>> = elements.iter().map(T::from_value).collect();
        elements?.try_into().ok()
    }
}
