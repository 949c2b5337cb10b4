//! Methods and associated functions of `f16` that are not methods of all floats.
//!
//! Their bodies are text, and no user functions: they are conversions that the IR has and Rust has no `as` for, so
//! in Rust each could only be said in terms of itself.

use crate::{
    Element,
    ir::{
        Imp, Mode, Ty,
        build::{Cx, Source},
    },
    user_function::{Callee, Instance, Named, name},
};
use half::f16;

/// What probes call in place of a function of `f16`, and the text of its body: type 0 is the result's.
macro_rules! functions {
    ($($function:ident: $(.$by_receiver:ident,)? $by_path:ident($param:ty) -> $ret:ty, $text:literal;)*) => {
        /// For the macros: each stands for a function of `f16`.
        #[doc(hidden)]
        pub trait HalfFunctions {
            $(
                $(fn $by_receiver(
                    self,
                    _: &Callee<f16, (Named<{ name(stringify!($function)) }>, ())>,
                ) -> fn() -> $ret;)?
                fn $by_path(
                    _: &Callee<f16, (Named<{ name(stringify!($function)) }>, ())>,
                ) -> fn($param) -> $ret;
            )*

            /// `f16::from(x)`.
            fn __user_function_path_from<T>(
                _: &Callee<f16, (Named<{ name("from") }>, (T,))>,
            ) -> fn(T) -> f16;
        }

        impl HalfFunctions for f16 {
            $(
                $(fn $by_receiver(
                    self,
                    _: &Callee<f16, (Named<{ name(stringify!($function)) }>, ())>,
                ) -> fn() -> $ret {
                    unreachable!("probes are not run")
                })?
                fn $by_path(
                    _: &Callee<f16, (Named<{ name(stringify!($function)) }>, ())>,
                ) -> fn($param) -> $ret {
                    unreachable!("probes are not run")
                }
            )*

            fn __user_function_path_from<T>(
                _: &Callee<f16, (Named<{ name("from") }>, (T,))>,
            ) -> fn(T) -> f16 {
                unreachable!("probes are not run")
            }
        }

        $(
            impl Instance<(Named<{ name(stringify!($function)) }>, ())> for f16 {
                fn ir(cx: &mut Cx) -> Imp {
                    type Key = (f16, Named<{ name(stringify!($function)) }>);
                    cx.define::<Key>(concat!("f16_", stringify!($function)), |_| {
                        let text = concat!("(fn (x) @", line!(), " ", $text, ")");
                        source(<$param>::ty(), <$ret>::ty(), text)
                    })
                }
            }
        )*
    };
}

functions! {
    from_f32: __user_function_path_from_f32(f32) -> f16, "(as 0 (v 0))";
    from_f32_const: __user_function_path_from_f32_const(f32) -> f16, "(as 0 (v 0))";
    from_bits: __user_function_path_from_bits(u16) -> f16, "(m from_bits - (v 0))";
    to_f32: .__user_function_to_f32, __user_function_path_to_f32(f16) -> f32, "(as 0 (v 0))";
    to_f32_const: .__user_function_to_f32_const, __user_function_path_to_f32_const(f16) -> f32, "(as 0 (v 0))";
    to_f64: .__user_function_to_f64, __user_function_path_to_f64(f16) -> f64, "(as 0 (v 0))";
}

/// `f16::from(x)`: of those integers that it holds.
macro_rules! from {
    ($($t:ident)*) => { $(
        impl Instance<(Named<{ name("from") }>, ($t,))> for f16 {
            fn ir(cx: &mut Cx) -> Imp {
                cx.define::<(f16, Named<{ name("from") }>, $t)>("f16_from", |_| {
                    source($t::ty(), f16::ty(), concat!("(fn (x) @", line!(), " (as 0 (v 0)))"))
                })
            }
        }
    )* };
}
from!(u8 i8);

fn source(param: Ty, ret: Ty, text: &'static str) -> Source {
    Source {
        file: file!(),
        params: vec![(param, Mode::In)],
        ret: ret.clone(),
        fast_math: false,
        mathematics: crate::ir::build::NO_MATHEMATICS,
        text,
        types: vec![ret],
        constants: Vec::new(),
        imps: Vec::new(),
        messages: Vec::new(),
    }
}
