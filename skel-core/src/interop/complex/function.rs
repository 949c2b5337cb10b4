//! Methods and associated functions of complex numbers.

use crate::{
    Element,
    ir::{Imp, build::Cx},
    param::Each,
    user_function::{Callee, Float, Instance, Named, UserFunction, name},
};
use num_complex::Complex;
use skel_macros::user_function;

/// What probes call in place of a function of `Complex`, and the user function that it is: `c` stands for a
/// complex number among its parameters, `r` for a real one.
macro_rules! functions {
    ($($function:ident: $(.$by_receiver:ident as $short:ty,)? $by_path:ident as $full:ty,
        $body:ident($($param:tt)*);)*) => {
        /// For the macros: each stands for a function of `Complex`.
        #[doc(hidden)]
        pub trait ComplexFunctions<T> {
            $(
                $(fn $by_receiver(
                    &self,
                    _: &Callee<Complex<T>, (Named<{ name(stringify!($function)) }>, ())>,
                ) -> $short;)?
                fn $by_path(
                    _: &Callee<Complex<T>, (Named<{ name(stringify!($function)) }>, ())>,
                ) -> $full;
            )*
        }

        impl<T> ComplexFunctions<T> for Complex<T> {
            $(
                $(fn $by_receiver(
                    &self,
                    _: &Callee<Complex<T>, (Named<{ name(stringify!($function)) }>, ())>,
                ) -> $short {
                    unreachable!("probes are not run")
                })?
                fn $by_path(
                    _: &Callee<Complex<T>, (Named<{ name(stringify!($function)) }>, ())>,
                ) -> $full {
                    unreachable!("probes are not run")
                }
            )*
        }

        $(
            functions!(@built f32 $function $body($($param)*));
            functions!(@built f64 $function $body($($param)*));
        )*
    };
    (@built $t:ident $function:ident $body:ident($($param:tt)*)) => {
        impl Instance<(Named<{ name(stringify!($function)) }>, ())> for Complex<$t> {
            fn ir(cx: &mut Cx) -> Imp {
                <functions!(@marker $t $body($($param)*)) as UserFunction<
                    ($(Each<functions!(@ty $t $param)>,)*),
                >>::ir(cx)
            }
        }
    };
    (@marker $t:ident $body:ident()) => { $body<$t> };
    (@marker $t:ident $body:ident($($param:tt)+)) => { $body };
    (@ty $t:ident c) => { Complex<$t> };
    (@ty $t:ident r) => { $t };
}

functions! {
    norm_sqr:
        .__user_function_norm_sqr as fn() -> T,
        __user_function_path_norm_sqr as fn(&Complex<T>) -> T,
        complex_norm_sqr(c);
    conj:
        .__user_function_conj as fn() -> Complex<T>,
        __user_function_path_conj as fn(&Complex<T>) -> Complex<T>,
        complex_conj(c);
    inv:
        .__user_function_inv as fn() -> Complex<T>,
        __user_function_path_inv as fn(&Complex<T>) -> Complex<T>,
        complex_inv(c);
    scale:
        .__user_function_scale as fn(T) -> Complex<T>,
        __user_function_path_scale as fn(&Complex<T>, T) -> Complex<T>,
        complex_scale(c r);
    unscale:
        .__user_function_unscale as fn(T) -> Complex<T>,
        __user_function_path_unscale as fn(&Complex<T>, T) -> Complex<T>,
        complex_unscale(c r);
    l1_norm:
        .__user_function_l1_norm as fn() -> T,
        __user_function_path_l1_norm as fn(&Complex<T>) -> T,
        complex_l1_norm(c);
    norm:
        .__user_function_norm as fn() -> T,
        __user_function_path_norm as fn(Complex<T>) -> T,
        complex_norm(c);
    arg:
        .__user_function_arg as fn() -> T,
        __user_function_path_arg as fn(Complex<T>) -> T,
        complex_arg(c);
    new:
        __user_function_path_new as fn(T, T) -> Complex<T>,
        complex_new(r r);
    i:
        __user_function_path_i as fn() -> Complex<T>,
        complex_i();
}

#[user_function]
fn complex_norm_sqr<T: Float>(z: Complex<T>) -> T
where
    Complex<T>: Element,
{
    z.re * z.re + z.im * z.im
}

#[user_function]
fn complex_conj<T: Float>(z: Complex<T>) -> Complex<T>
where
    Complex<T>: Element,
{
    Complex {
        re: z.re,
        im: -z.im,
    }
}

#[user_function]
fn complex_inv<T: Float>(z: Complex<T>) -> Complex<T>
where
    Complex<T>: Element,
{
    let n = z.re * z.re + z.im * z.im;
    Complex {
        re: z.re / n,
        im: -z.im / n,
    }
}

#[user_function]
pub(super) fn complex_scale<T: Float>(z: Complex<T>, t: T) -> Complex<T>
where
    Complex<T>: Element,
{
    Complex {
        re: z.re * t,
        im: z.im * t,
    }
}

#[user_function]
pub(super) fn complex_unscale<T: Float>(z: Complex<T>, t: T) -> Complex<T>
where
    Complex<T>: Element,
{
    Complex {
        re: z.re / t,
        im: z.im / t,
    }
}

#[user_function]
fn complex_l1_norm<T: Float>(z: Complex<T>) -> T
where
    Complex<T>: Element,
{
    z.re.abs() + z.im.abs()
}

// The host's is `num_complex`'s own, by way of std's functions.
#[user_function(fast_math)]
fn complex_norm<T: Float>(z: Complex<T>) -> T
where
    Complex<T>: Element,
{
    z.re.hypot(z.im)
}

// The host's is `num_complex`'s own, by way of std's functions.
#[user_function(fast_math)]
fn complex_arg<T: Float>(z: Complex<T>) -> T
where
    Complex<T>: Element,
{
    z.im.atan2(z.re)
}

#[user_function]
fn complex_new<T: Float>(x: T, y: T) -> Complex<T>
where
    Complex<T>: Element,
{
    Complex { re: x, im: y }
}

#[user_function]
fn complex_i<T: Float>() -> Complex<T>
where
    Complex<T>: Element,
{
    Complex {
        re: T::ZERO,
        im: T::ONE,
    }
}
