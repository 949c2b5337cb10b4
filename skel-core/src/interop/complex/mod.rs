//! `num_complex::Complex<f32>` and `Complex<f64>` in containers and user functions (feature
//! `complex`).
//!
//! CPUs run the functions of `num_complex`. The user functions here do the same operations in the same order, so
//! devices compute the same bits.

mod function;
mod operator;

pub use function::ComplexFunctions;

use crate::{
    Element,
    element::Check,
    ir::{Ty, Value},
};
use num_complex::Complex;

macro_rules! elements {
    ($($t:ident)*) => { $(
        // SAFETY: two floats in C's layout: no padding, no destructor, and all bytes are values.
        #[expect(unsafe_code, reason = "the type of another crate that keeps the trait's promise")]
        unsafe impl Element for Complex<$t> {
            const IS_SCALAR: bool = false;
            const CHECK: Option<Check> = None;

            fn ty() -> Ty {
                Ty::structure("Complex", &[("re", $t::ty()), ("im", $t::ty())])
            }

            fn to_value(self) -> Value {
                Value::structure(&Self::ty(), vec![self.re.to_value(), self.im.to_value()])
            }

            fn from_value(value: &Value) -> Option<Self> {
                match value {
                    Value::Struct(ty, parts) if Ty::Struct(ty.clone()) == Self::ty() => {
                        let [re, im] = parts.as_slice() else {
                            return None;
                        };
                        Some(Complex::new($t::from_value(re)?, $t::from_value(im)?))
                    }
                    _ => None,
                }
            }
        }
    )* };
}
elements!(f32 f64);

#[cfg(test)]
mod test;
