//! One mathematics: what `exp`, `sin`, `powf` and their like are in user functions, on every unit.
//!
//! std's come from the C library of the machine, and devices have their own, so neither agree in their last bits.
//! Therefore these methods are user functions themselves (`single`, of `f32`, and `double`, of `f64`): CPUs run them inlined, where loops
//! over them vectorise, as calls of a library never do; devices run their IR.
//!
//! # How a user function comes by them
//!
//! The macro renames calls of these methods on the host, `x.exp()` to `x.__user_function_host_exp()`, a method of the
//! trait [`Math`], and brings that into scope in the body. rustc finds methods of a trait by the same steps as those
//! of a type: so receivers behind references, type parameters (with `T: Float`, whose supertrait it is) and chains of
//! calls infer as they did. A type of the user's own with a method `exp` gets a method of the new name beside it.
//! A wrapper, `Of(x).exp()`, would not do: `Of(&x)` finds std's `exp` through `Deref` where one impl was forgotten,
//! and a method that takes `&mut self` would change a copy. The probe has the same names, so that rustc's errors in both
//! are one.
//!
//! Integers implement the trait, too, but no method of it can be called on them: so rustc says that they are no
//! `Float`, instead of naming a method that is not in the source.
//!
//! # Angles that are near
//!
//! `sin`, `cos` and `tan` of large angles take four times as long as of small ones, and a loop that is vectorised has
//! both for all elements. So there is a second form of them, for small angles alone, which sets a flag for others. The macro makes of a function that calls these methods, and has no loops, a form for blocks of elements
//! (`UserFunction::lanes`) that calls the second form, and the function itself for a block with a large angle.
//!
//! # On devices
//!
//! The builder of IR replaces built-ins by calls of these functions (`function`). A function with `fast_math` keeps
//! std's on the host, and the device's own on devices.

pub(crate) mod double;
pub(crate) mod single;

#[cfg(feature = "half")]
use crate::user_function::Widened;
use crate::{
    ir::{Builtin, Imp, Ty, build::Cx, eval::Powi},
    param::Each,
    user_function::{Float, UserFunction},
};
use std::cell::Cell;

/// The user function that a built-in of this receiver is; nothing if units compute it themselves.
#[must_use]
pub fn function(builtin: Builtin, receiver: &Ty, cx: &mut Cx) -> Option<Imp> {
    match receiver {
        Ty::F32 => of_f32(builtin, cx),
        Ty::F64 => of_f64(builtin, cx),
        _ => None,
    }
}

macro_rules! functions {
    ($of:ident: $t:ident of $source:ident) => {
        fn $of(builtin: Builtin, cx: &mut Cx) -> Option<Imp> {
            type One = (Each<$t>,);
            type Two = (Each<$t>, Each<$t>);
            Some(match builtin {
                Builtin::Sin => <$source::sin::sin as UserFunction<One>>::ir(cx),
                Builtin::Cos => <$source::sin::cos as UserFunction<One>>::ir(cx),
                Builtin::Tan => <$source::sin::tan as UserFunction<One>>::ir(cx),
                Builtin::Asin => <$source::arc::asin as UserFunction<One>>::ir(cx),
                Builtin::Acos => <$source::arc::acos as UserFunction<One>>::ir(cx),
                Builtin::Atan => <$source::arc::atan as UserFunction<One>>::ir(cx),
                Builtin::Sinh => <$source::hyperbolic::sinh as UserFunction<One>>::ir(cx),
                Builtin::Cosh => <$source::hyperbolic::cosh as UserFunction<One>>::ir(cx),
                Builtin::Tanh => <$source::hyperbolic::tanh as UserFunction<One>>::ir(cx),
                Builtin::Exp => <$source::exp::exp as UserFunction<One>>::ir(cx),
                Builtin::Exp2 => <$source::exp::exp2 as UserFunction<One>>::ir(cx),
                Builtin::ExpM1 => <$source::exp::exp_m1 as UserFunction<One>>::ir(cx),
                Builtin::Ln => <$source::ln::ln as UserFunction<One>>::ir(cx),
                Builtin::Log2 => <$source::ln::log2 as UserFunction<One>>::ir(cx),
                Builtin::Log10 => <$source::ln::log10 as UserFunction<One>>::ir(cx),
                Builtin::Ln1p => <$source::ln::ln_1p as UserFunction<One>>::ir(cx),
                Builtin::Cbrt => <$source::root::cbrt as UserFunction<One>>::ir(cx),
                Builtin::Atan2 => <$source::arc::atan2 as UserFunction<Two>>::ir(cx),
                Builtin::Powf => <$source::power::powf as UserFunction<Two>>::ir(cx),
                Builtin::Hypot => <$source::root::hypot as UserFunction<Two>>::ir(cx),
                _ => return None,
            })
        }
    };
}
functions!(of_f32: f32 of single);
functions!(of_f64: f64 of double);

macro_rules! math {
    ($($host:ident $name:ident of $module:ident ($($arg:ident)?);)* @near $($near:ident $near_name:ident;)*) => {
        /// What the macros rename calls of these methods to; not for direct use.
        #[doc(hidden)]
        pub trait Math: Sized {
            $(
                fn $host(self $(, $arg: Self)?) -> Self
                where
                    Self: Float,
                {
                    $(let _ = $arg;)?
                    self
                }
            )*
            $(
                fn $near(self, far: &Cell<bool>) -> Self
                where
                    Self: Float,
                {
                    let _ = far;
                    self
                }
            )*
            fn __user_function_near_sin_cos(self, far: &Cell<bool>) -> (Self, Self)
            where
                Self: Float,
            {
                let _ = far;
                (self, self)
            }
            fn __user_function_host_powi(self, exponent: i32) -> Self
            where
                Self: Float,
            {
                let _ = exponent;
                self
            }
            fn __user_function_host_log(self, base: Self) -> Self
            where
                Self: Float,
            {
                let _ = base;
                self
            }
            fn __user_function_host_sin_cos(self) -> (Self, Self)
            where
                Self: Float,
            {
                (self, self)
            }
        }

        impl Math for f32 {
            $(
                // Compiled once for builds that are not optimised.
                #[cfg_attr(debug_assertions, inline(never))]
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn $host(self $(, $arg: f32)?) -> f32 {
                    single::$module::$name(self $(, $arg)?)
                }
            )*
            $(
                #[inline(always)]
                fn $near(self, far: &Cell<bool>) -> f32 {
                    single::sin::$near_name(self, far)
                }
            )*
            math!(@composed);
        }

        impl Math for f64 {
            $(
                // Compiled once for builds that are not optimised.
                #[cfg_attr(debug_assertions, inline(never))]
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn $host(self $(, $arg: f64)?) -> f64 {
                    double::$module::$name(self $(, $arg)?)
                }
            )*
            $(
                #[inline(always)]
                fn $near(self, far: &Cell<bool>) -> f64 {
                    double::sin::$near_name(self, far)
                }
            )*
            math!(@composed);
        }

        #[cfg(feature = "half")]
        impl Math for half::f16 {
            $(
                #[inline(always)]
                fn $host(self $(, $arg: half::f16)?) -> half::f16 {
                    Widened::of_wide(self.wide().$host($($arg.wide())?))
                }
            )*
            $(
                #[inline(always)]
                fn $near(self, far: &Cell<bool>) -> half::f16 {
                    Widened::of_wide(self.wide().$near(far))
                }
            )*

            #[inline(always)]
            fn __user_function_near_sin_cos(self, far: &Cell<bool>) -> (half::f16, half::f16) {
                let (sin, cos) = self.wide().__user_function_near_sin_cos(far);
                (Widened::of_wide(sin), Widened::of_wide(cos))
            }

            #[inline(always)]
            fn __user_function_host_powi(self, exponent: i32) -> half::f16 {
                Widened::of_wide(self.wide().__user_function_host_powi(exponent))
            }

            #[inline(always)]
            fn __user_function_host_log(self, base: half::f16) -> half::f16 {
                Widened::of_wide(self.wide().__user_function_host_log(base.wide()))
            }

            #[inline(always)]
            fn __user_function_host_sin_cos(self) -> (half::f16, half::f16) {
                let (sin, cos) = self.wide().__user_function_host_sin_cos();
                (Widened::of_wide(sin), Widened::of_wide(cos))
            }
        }
    };
    (@composed) => {
        #[inline(always)]
        fn __user_function_host_powi(self, exponent: i32) -> Self {
            <Self as Powi>::powi(self, exponent)
        }

        #[inline(always)]
        fn __user_function_host_log(self, base: Self) -> Self {
            self.__user_function_host_ln() / base.__user_function_host_ln()
        }

        #[inline(always)]
        fn __user_function_host_sin_cos(self) -> (Self, Self) {
            (self.__user_function_host_sin(), self.__user_function_host_cos())
        }

        #[inline(always)]
        fn __user_function_near_sin_cos(self, far: &Cell<bool>) -> (Self, Self) {
            (self.__user_function_near_sin(far), self.__user_function_near_cos(far))
        }
    };
}

/// They have no methods: a call of one says so.
macro_rules! without {
    ($($t:ident)*) => { $( impl Math for $t {} )* };
}
without!(bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

math! {
    __user_function_host_sin sin of sin ();
    __user_function_host_cos cos of sin ();
    __user_function_host_tan tan of sin ();
    __user_function_host_asin asin of arc ();
    __user_function_host_acos acos of arc ();
    __user_function_host_atan atan of arc ();
    __user_function_host_sinh sinh of hyperbolic ();
    __user_function_host_cosh cosh of hyperbolic ();
    __user_function_host_tanh tanh of hyperbolic ();
    __user_function_host_exp exp of exp ();
    __user_function_host_exp2 exp2 of exp ();
    __user_function_host_exp_m1 exp_m1 of exp ();
    __user_function_host_ln ln of ln ();
    __user_function_host_log2 log2 of ln ();
    __user_function_host_log10 log10 of ln ();
    __user_function_host_ln_1p ln_1p of ln ();
    __user_function_host_cbrt cbrt of root ();
    __user_function_host_atan2 atan2 of arc (other);
    __user_function_host_powf powf of power (other);
    __user_function_host_hypot hypot of root (other);
    @near
    __user_function_near_sin near_sin;
    __user_function_near_cos near_cos;
    __user_function_near_tan near_tan;
}

#[cfg(test)]
mod test;
