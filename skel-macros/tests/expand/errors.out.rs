#[inline]
fn broken(x: f32) -> f32 {
    x.asinh()
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct broken {}
#[allow(
    warnings,
    overflowing_literals,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
const _: () = {
    use ::skel::__private as __skel;
    type __Me = broken;
    impl __skel::Marker for broken {}
    impl __Me {
        pub fn __probe(_: &__skel::Callee<__Me, ()>) -> fn(f32) -> f32 {
            loop {}
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __skel::Imp::Failed
        }
    }
    impl __skel::UserFunction<(__skel::Each<f32>,)> for broken {
        type At = ();
        type Output = f32;
        const NAME: &'static __skel::core::primitive::str = "broken";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (__a0,): <(__skel::Each<f32>,) as __skel::Params>::Args<'_>,
        ) -> f32 {
            broken(__a0)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
::core::compile_error! {
    "`asinh` is not one of the methods that devices have (docs/language.md lists them): write a `#[user_function] fn`"
}
