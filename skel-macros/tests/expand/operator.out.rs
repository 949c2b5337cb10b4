#[inline]
fn largest(a: i32, b: i32) -> i32 {
    b.max(a)
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct largest {}
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
    type __Me = largest;
    impl __skel::Marker for largest {}
    impl __Me {
        pub fn __probe(_: &__skel::Callee<__Me, ()>) -> fn(i32, i32) -> i32 {
            loop {}
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, ()),
                >(
                "largest",
                |__cx| {
                    let _ = |a: i32, b: i32| -> i32 {
                        loop {};
                        { b.max(a) }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < i32 > (), __skel::Mode::In), (__skel::ty:: <
                            i32 > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<i32>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (a b) @2 (bl @3 (tail (m max - (v 1) (v 0)))))",
                        types: __skel::std::vec![],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl __skel::UserFunction<(__skel::Each<i32>, __skel::Each<i32>)> for largest {
        type At = ();
        type Output = i32;
        const NAME: &'static __skel::core::primitive::str = "largest";
        const COMMUTATIVE: __skel::core::primitive::bool = <i32 as __skel::Element>::IS_SCALAR;
        #[inline(always)]
        fn call(
            __at: (),
            (
                __a0,
                __a1,
            ): <(__skel::Each<i32>, __skel::Each<i32>) as __skel::Params>::Args<'_>,
        ) -> i32 {
            largest(__a0, __a1)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
#[inline]
fn mixed(a: f32, b: f32) -> f32 {
    a * 0.5 + b * 0.5
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct mixed {}
#[allow(
    warnings,
    overflowing_literals,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
const _: () = {
    use crate::renamed::__private as __skel;
    type __Me = mixed;
    impl __skel::Marker for mixed {}
    impl __Me {
        pub fn __probe(_: &__skel::Callee<__Me, ()>) -> fn(f32, f32) -> f32 {
            loop {}
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, ()),
                >(
                "mixed",
                |__cx| {
                    let _ = |a: f32, b: f32| -> f32 {
                        loop {};
                        { a * 0.5 + b * 0.5 }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < f32 > (), __skel::Mode::In), (__skel::ty:: <
                            f32 > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<f32>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (a b) @7 (bl @8 (tail (b + - (b * - (v 0) (lit ^ 0.5)) (b * - (v 1) (lit ^ 0.5))))))",
                        types: __skel::std::vec![],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl __skel::UserFunction<(__skel::Each<f32>, __skel::Each<f32>)> for mixed {
        type At = ();
        type Output = f32;
        const NAME: &'static __skel::core::primitive::str = "mixed";
        const COMMUTATIVE: __skel::core::primitive::bool = true;
        #[inline(always)]
        fn call(
            __at: (),
            (
                __a0,
                __a1,
            ): <(__skel::Each<f32>, __skel::Each<f32>) as __skel::Params>::Args<'_>,
        ) -> f32 {
            mixed(__a0, __a1)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
