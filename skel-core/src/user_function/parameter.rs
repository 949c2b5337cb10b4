//! User functions as type parameters of others: `fn twice<F: Function1<f32, f32>>(x: f32) -> f32`.

use super::{Callee, Instance, UserFunction};
use crate::{
    Element,
    ir::{Imp, build::Cx},
    param::Each,
};
use std::marker::PhantomData;

/// The function that a call `F::call(…)` means, for the macros.
pub struct Parameter<F>(PhantomData<fn() -> F>);

macro_rules! functions {
    ($(
        $(#[$doc:meta])*
        $name:ident($($arg:ident: $ty:ident),+), says $says:literal;
    )*) => { $(
        $(#[$doc])*
        #[diagnostic::on_unimplemented(
            message = $says,
            label = "wanted here: a function marked #[user_function] with these types",
            note = "name it in the brackets: `twice::<square>(x)`"
        )]
        pub trait $name<$($ty,)+ R>: 'static {
            /// Calls the function.
            fn call($($arg: $ty),+) -> R;

            /// For the macros: rustc infers which function is called.
            #[doc(hidden)]
            fn __user_function_path_call(_: &Callee<Parameter<Self>, ($($ty,)+ R)>) -> fn($($ty),+) -> R
            where
                Self: Sized;

            /// For the macros: builds its IR.
            #[doc(hidden)]
            fn __user_function_ir(cx: &mut Cx) -> Imp;
        }

        #[diagnostic::do_not_recommend]
        impl<F, $($ty: Element,)+ R> $name<$($ty,)+ R> for F
        where
            F: UserFunction<($(Each<$ty>,)+), At = (), Output = R>,
        {
            #[inline(always)]
            fn call($($arg: $ty),+) -> R {
                <F as UserFunction<_>>::call((), ($($arg,)+))
            }

            fn __user_function_path_call(_: &Callee<Parameter<F>, ($($ty,)+ R)>) -> fn($($ty),+) -> R {
                <F as $name<$($ty,)+ R>>::call
            }

            fn __user_function_ir(cx: &mut Cx) -> Imp {
                <F as UserFunction<_>>::ir(cx)
            }
        }

        impl<F: $name<$($ty,)+ R>, $($ty,)+ R> Instance<($($ty,)+ R)> for Parameter<F> {
            fn ir(cx: &mut Cx) -> Imp {
                F::__user_function_ir(cx)
            }
        }
    )* };
}

functions! {
    /// A user function of one value, as the type parameter of another: called as `F::call(x)`.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// #[user_function]
    /// fn square(x: f32) -> f32 {
    ///     x * x
    /// }
    ///
    /// #[user_function]
    /// fn twice<F: Function1<f32, f32>>(x: f32) -> f32 {
    ///     F::call(F::call(x))
    /// }
    ///
    /// assert_eq!(twice::<square>(3.0), 81.0);
    /// let fourth_powers = map!(twice::<square>).on(Cpu).run((&[1.0_f32, 2.0],))?;
    /// assert_eq!(fourth_powers.host()?[..], [1.0, 16.0]);
    /// # Ok::<(), skel::Error>(())
    /// ```
    ///
    /// Functions with `&mut` or `#[uniform]` parameters, or with an index, are none of these.
    Function1(a: A), says "`{Self}` is not a user function of `({A})` that gives `{R}`";
    /// A user function of two values, as the type parameter of another; see [`Function1`].
    Function2(a: A, b: B), says "`{Self}` is not a user function of `({A}, {B})` that gives `{R}`";
    /// A user function of three values, as the type parameter of another; see [`Function1`].
    Function3(a: A, b: B, c: C), says "`{Self}` is not a user function of `({A}, {B}, {C})` that gives `{R}`";
    /// A user function of four values, as the type parameter of another; see [`Function1`].
    Function4(a: A, b: B, c: C, d: D), says "`{Self}` is not a user function of `({A}, {B}, {C}, {D})` that gives `{R}`";
}
