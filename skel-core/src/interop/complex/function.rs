//! Methods and associated functions of complex numbers.

use crate::{
    Element,
    interop::complex::{source, text},
    ir::{Imp, Mode, build::Cx},
    user_function::{Callee, Instance, Named, name},
};
use num_complex::Complex;

/// What probes call in place of a function of `Complex`, and how it is built: `c` stands for the
/// complex number, `r` for a real one.
macro_rules! functions {
    ($($function:ident: $(.$by_receiver:ident as $short:ty,)? $by_path:ident as $full:ty,
        ($($param:tt)*) -> $ret:tt, $text:expr;)*) => {
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
            functions!(@built f32 $function ($($param)*) -> $ret, $text);
            functions!(@built f64 $function ($($param)*) -> $ret, $text);
        )*
    };
    (@built $t:ident $function:ident ($($param:tt)*) -> $ret:tt, $text:expr) => {
        impl Instance<(Named<{ name(stringify!($function)) }>, ())> for Complex<$t> {
            fn ir(cx: &mut Cx) -> Imp {
                type Key = (Complex<$t>, Named<{ name(stringify!($function)) }>);
                cx.define::<Key>(concat!("complex_", stringify!($function)), |_| {
                    let params = vec![$((functions!(@ty $t $param), Mode::In)),*];
                    source::<$t>(params, functions!(@ty $t $ret), $text)
                })
            }
        }
    };
    (@ty $t:ident c) => { <Complex<$t> as Element>::ty() };
    (@ty $t:ident r) => { <$t as Element>::ty() };
}

macro_rules! body {
    ($($names:ident)*; $e:expr) => {
        concat!("(fn (", $(stringify!($names), " ",)* ") @", line!(), " ", $e, ")")
    };
}

functions! {
    norm_sqr:
        .__user_function_norm_sqr as fn() -> T,
        __user_function_path_norm_sqr as fn(&Complex<T>) -> T,
        (c) -> r, body!(z; text!(norm_sqr 0));
    conj:
        .__user_function_conj as fn() -> Complex<T>,
        __user_function_path_conj as fn(&Complex<T>) -> Complex<T>,
        (c) -> c, body!(z; text!(complex text!(re 0), text!(minus text!(im 0))));
    inv:
        .__user_function_inv as fn() -> Complex<T>,
        __user_function_path_inv as fn(&Complex<T>) -> Complex<T>,
        (c) -> c, body!(z; concat!("(bl (let 1 n - ", text!(norm_sqr 0), ") (tail ", text!(complex
            text!("/" text!(re 0), "(v 1)"), text!("/" text!(minus text!(im 0)), "(v 1)")), "))"));
    scale:
        .__user_function_scale as fn(T) -> Complex<T>,
        __user_function_path_scale as fn(&Complex<T>, T) -> Complex<T>,
        (c r) -> c,
        body!(z t; text!(complex text!("*" text!(re 0), "(v 1)"), text!("*" text!(im 0), "(v 1)")));
    unscale:
        .__user_function_unscale as fn(T) -> Complex<T>,
        __user_function_path_unscale as fn(&Complex<T>, T) -> Complex<T>,
        (c r) -> c,
        body!(z t; text!(complex text!("/" text!(re 0), "(v 1)"), text!("/" text!(im 0), "(v 1)")));
    l1_norm:
        .__user_function_l1_norm as fn() -> T,
        __user_function_path_l1_norm as fn(&Complex<T>) -> T,
        (c) -> r,
        body!(z; text!("+" concat!("(m abs - ", text!(re 0), ")"), concat!("(m abs - ", text!(im 0), ")")));
    norm:
        .__user_function_norm as fn() -> T,
        __user_function_path_norm as fn(Complex<T>) -> T,
        (c) -> r, body!(z; concat!("(m hypot - ", text!(re 0), " ", text!(im 0), ")"));
    arg:
        .__user_function_arg as fn() -> T,
        __user_function_path_arg as fn(Complex<T>) -> T,
        (c) -> r, body!(z; concat!("(m atan2 - ", text!(im 0), " ", text!(re 0), ")"));
    new:
        __user_function_path_new as fn(T, T) -> Complex<T>,
        (r r) -> c, body!(x y; text!(complex "(v 0)", "(v 1)"));
    i:
        __user_function_path_i as fn() -> Complex<T>,
        () -> c, body!(; text!(complex text!(zero), "(lit 1 1.0)"));
}
