//! Operators of complex numbers, among themselves and with real ones.

use super::function::{complex_scale, complex_unscale};
use crate::{
    Element,
    ir::{Imp, build::Cx},
    param::{Each, EachMut},
    user_function::{Binary, Float, Function2, Unary, UserFunction, operator},
};
use num_complex::Complex;
use skel_macros::user_function;

/// Operators on two values: which may stand left and right, `c`omplex or `r`eal, and the user function that it is.
macro_rules! binary {
    ($($name:ident($left:tt, $right:tt) $function:ident;)*) => { $(
        binary!(@one f32 $name $left $right $function);
        binary!(@one f64 $name $left $right $function);
    )* };
    (@one $t:ident $name:ident $left:tt $right:tt $function:ident) => {
        #[diagnostic::do_not_recommend]
        impl Binary<operator::$name, binary!(@ty $t $right)> for binary!(@ty $t $left) {
            fn ir(cx: &mut Cx) -> Imp {
                <$function as UserFunction<(Each<Self>, Each<binary!(@ty $t $right)>)>>::ir(cx)
            }
        }
    };
    (@ty $t:ident c) => { Complex<$t> };
    (@ty $t:ident r) => { $t };
}

binary! {
    Add(c, c) complex_add;
    Add(c, r) complex_add_real;
    Add(r, c) real_add_complex;
    Sub(c, c) complex_sub;
    Sub(c, r) complex_sub_real;
    Sub(r, c) real_sub_complex;
    Mul(c, c) complex_mul;
    Mul(c, r) complex_scale;
    Mul(r, c) real_mul_complex;
    Div(c, c) complex_div;
    Div(c, r) complex_unscale;
    Div(r, c) real_div_complex;
}

/// Compound assignments, which give the bits of the operators.
macro_rules! assign {
    ($($name:ident as $with_complex:ident, $with_real:ident;)*) => { $(
        assign!(@one $name $with_complex Complex<f32>, Complex<f32>);
        assign!(@one $name $with_real Complex<f32>, f32);
        assign!(@one $name $with_complex Complex<f64>, Complex<f64>);
        assign!(@one $name $with_real Complex<f64>, f64);
    )* };
    (@one $name:ident $function:ident $left:ty, $right:ty) => {
        #[diagnostic::do_not_recommend]
        impl Binary<operator::$name, $right> for $left {
            fn ir(cx: &mut Cx) -> Imp {
                <complex_assign<$function> as UserFunction<(EachMut<$left>, Each<$right>)>>::ir(cx)
            }
        }
    };
}
assign! {
    AddAssign as complex_add, complex_add_real;
    SubAssign as complex_sub, complex_sub_real;
    MulAssign as complex_mul, complex_scale;
    DivAssign as complex_div, complex_unscale;
}

macro_rules! others {
    ($($t:ident)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Unary<operator::Neg> for Complex<$t> {
            fn ir(cx: &mut Cx) -> Imp {
                <complex_neg as UserFunction<(Each<Self>,)>>::ir(cx)
            }
        }

        // Part by part, as `Complex` derives it.
        #[diagnostic::do_not_recommend]
        impl Binary<operator::PartialEq, Complex<$t>> for Complex<$t> {
            fn ir(_: &mut Cx) -> Imp {
                Imp::Builtin
            }
        }
    )* };
}
others!(f32 f64);

#[user_function]
fn complex_assign<A: Element, B: Element, F: Function2<A, B, A>>(a: &mut A, b: B) {
    *a = F::call(*a, b);
}

#[user_function]
fn complex_neg<T: Float>(a: Complex<T>) -> Complex<T>
where
    Complex<T>: Element,
{
    Complex {
        re: -a.re,
        im: -a.im,
    }
}

#[user_function]
fn complex_add<T: Float>(a: Complex<T>, b: Complex<T>) -> Complex<T>
where
    Complex<T>: Element,
{
    Complex {
        re: a.re + b.re,
        im: a.im + b.im,
    }
}

#[user_function]
fn complex_add_real<T: Float>(a: Complex<T>, b: T) -> Complex<T>
where
    Complex<T>: Element,
{
    Complex {
        re: a.re + b,
        im: a.im,
    }
}

#[user_function]
fn real_add_complex<T: Float>(a: T, b: Complex<T>) -> Complex<T>
where
    Complex<T>: Element,
{
    Complex {
        re: a + b.re,
        im: b.im,
    }
}

#[user_function]
fn complex_sub<T: Float>(a: Complex<T>, b: Complex<T>) -> Complex<T>
where
    Complex<T>: Element,
{
    Complex {
        re: a.re - b.re,
        im: a.im - b.im,
    }
}

#[user_function]
fn complex_sub_real<T: Float>(a: Complex<T>, b: T) -> Complex<T>
where
    Complex<T>: Element,
{
    Complex {
        re: a.re - b,
        im: a.im,
    }
}

#[user_function]
fn real_sub_complex<T: Float>(a: T, b: Complex<T>) -> Complex<T>
where
    Complex<T>: Element,
{
    Complex {
        re: a - b.re,
        im: T::ZERO - b.im,
    }
}

#[user_function]
fn complex_mul<T: Float>(a: Complex<T>, b: Complex<T>) -> Complex<T>
where
    Complex<T>: Element,
{
    Complex {
        re: a.re * b.re - a.im * b.im,
        im: a.re * b.im + a.im * b.re,
    }
}

#[user_function]
fn real_mul_complex<T: Float>(a: T, b: Complex<T>) -> Complex<T>
where
    Complex<T>: Element,
{
    Complex {
        re: a * b.re,
        im: a * b.im,
    }
}

#[user_function]
fn complex_div<T: Float>(a: Complex<T>, b: Complex<T>) -> Complex<T>
where
    Complex<T>: Element,
{
    let n = b.re * b.re + b.im * b.im;
    Complex {
        re: (a.re * b.re + a.im * b.im) / n,
        im: (a.im * b.re - a.re * b.im) / n,
    }
}

#[user_function]
fn real_div_complex<T: Float>(a: T, b: Complex<T>) -> Complex<T>
where
    Complex<T>: Element,
{
    let n = b.re * b.re + b.im * b.im;
    Complex {
        re: (a * b.re) / n,
        im: T::ZERO - (a * b.im) / n,
    }
}
