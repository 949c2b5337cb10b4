//! `num_complex::Complex<f32>` and `Complex<f64>` in containers and user functions (feature
//! `complex`).
//!
//! CPUs run the functions of `num_complex`. The texts here say the same operations in the same order,
//! so devices compute the same bits.

mod function;
mod operator;

pub use function::ComplexFunctions;

use crate::{
    Element,
    element::Check,
    ir::{Mode, Ty, Value, build::Source},
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

/// A function of these parameters, whose text names its types: 0 the complex one, 1 its parts'.
fn source<T: Element>(params: Vec<(Ty, Mode)>, ret: Ty, text: &'static str) -> Source
where
    Complex<T>: Element,
{
    Source {
        file: file!(),
        params,
        ret,
        fast_math: false,
        text,
        types: vec![<Complex<T> as Element>::ty(), T::ty()],
        constants: Vec::new(),
        imps: Vec::new(),
        messages: Vec::new(),
    }
}

/// Pieces of texts.
macro_rules! text {
    (re $k:literal) => { concat!("(f re (v ", $k, "))") };
    (im $k:literal) => { concat!("(f im (v ", $k, "))") };
    ($op:literal $a:expr, $b:expr) => { concat!("(b ", $op, " - ", $a, " ", $b, ")") };
    (minus $a:expr) => { concat!("(u - - ", $a, ")") };
    (zero) => { "(lit 1 0.0)" };
    (complex $re:expr, $im:expr) => { concat!("(st 0 (re ", $re, ") (im ", $im, "))") };
    // re² + im²
    (norm_sqr $k:literal) => {
        text!("+" text!("*" text!(re $k), text!(re $k)), text!("*" text!(im $k), text!(im $k)))
    };
}
use text;

#[cfg(test)]
mod test;
