#[inline]
fn class(n: i32, x: f32) -> f32 {
    const STEP: f32 = 0.5;
    fn half(x: f32) -> f32 {
        x * STEP
    }
    debug_assert!(x > 0.0);
    let scale = match n {
        LIMIT => 1.0,
        k @ (1..=9 | 20) if k % 2 == 0 => 2.0,
        _ => panic!("too large"),
    };
    let sum = 'found: {
        for k in (0..n).rev() {
            if let 3 | 5 = k {
                break 'found x;
            }
        }
        half(x)
    };
    scale * sum
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct class {}
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
    type __Me = class;
    impl __skel::Marker for class {}
    impl __Me {
        pub fn __probe(_: &__skel::Callee<__Me, ()>) -> fn(i32, f32) -> f32 {
            loop {}
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, ()),
                >(
                "class",
                |__cx| {
                    let _ = || {
                        const STEP: f32 = 0.5;
                        {
                            use __skel::macros::*;
                            let _ = debug_assert!(true);
                        }
                    };
                    let __s0 = &__skel::Slot::new();
                    let _ = || {
                        const STEP: f32 = 0.5;
                        {
                            use __skel::macros::*;
                            let _ = panic!();
                        }
                    };
                    let __c1 = __skel::Callee::new();
                    let __w2 = &__skel::Pair::new();
                    let _ = |n: i32, x: f32| -> f32 {
                        loop {};
                        {
                            const STEP: f32 = 0.5;
                            fn half(x: f32) -> f32 {
                                loop {}
                            }
                            #[allow(non_camel_case_types, dead_code, unreachable_pub)]
                            #[doc(hidden)]
                            struct half {}
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
                                type __Me = half;
                                impl __skel::Marker for half {}
                                impl __Me {
                                    pub fn __probe(
                                        _: &__skel::Callee<__Me, ()>,
                                    ) -> fn(f32) -> f32 {
                                        loop {}
                                    }
                                }
                                impl __skel::Instance<()> for __Me {
                                    fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
                                        __cx.define::<
                                                (__Me, ()),
                                            >(
                                            "half",
                                            |__cx| {
                                                let __w0 = &__skel::Pair::new();
                                                let _ = |x: f32| -> f32 {
                                                    loop {};
                                                    { __w0.l(x) * __w0.r(STEP) }
                                                };
                                                __skel::Source {
                                                    file: __skel::core::file!(),
                                                    params: __skel::std::vec![
                                                        (__skel::ty:: < f32 > (), __skel::Mode::In)
                                                    ],
                                                    ret: __skel::ty::<f32>(),
                                                    fast_math: false,
                                                    mathematics: __skel::mathematics,
                                                    text: "(fn (x) @4 (bl @5 (tail (b * 0 (v 0) (k 0)))))",
                                                    types: __skel::std::vec![],
                                                    constants: __skel::std::vec![__skel::constant(& STEP)],
                                                    imps: __skel::std::vec![
                                                        __w0.binary:: < __skel::operator::Mul > (__cx)
                                                    ],
                                                    messages: __skel::std::vec![],
                                                }
                                            },
                                        )
                                    }
                                }
                                impl __skel::UserFunction<(__skel::Each<f32>,)> for half {
                                    type At = ();
                                    type Output = f32;
                                    const NAME: &'static __skel::core::primitive::str = "half";
                                    const COMMUTATIVE: __skel::core::primitive::bool = false;
                                    #[inline(always)]
                                    fn call(
                                        __at: (),
                                        (__a0,): <(__skel::Each<f32>,) as __skel::Params>::Args<'_>,
                                    ) -> f32 {
                                        half(__a0)
                                    }
                                    fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
                                        <__Me as __skel::Instance<()>>::ir(__cx)
                                    }
                                }
                            };
                            {
                                let _: __skel::core::primitive::bool = x > 0.0;
                            };
                            let scale = match n {
                                LIMIT => __s0.put(1.0),
                                k @ (1..=9 | 20) if k % 2 == 0 => 2.0,
                                _ => loop {}
                            };
                            let sum = 'found: {
                                for k in (0..n).rev() {
                                    if let 3 | 5 = k {
                                        break 'found x;
                                    }
                                }
                                half::__probe(&__c1)(x)
                            };
                            __w2.l(scale) * __w2.r(sum)
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < i32 > (), __skel::Mode::In), (__skel::ty:: <
                            f32 > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<f32>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (n x) @2 (bl @7 (debug 0 (if (u ! - (b > - (v 1) (lit ^ 0.0))) (trap 0))) @8 (let 3 scale - (match (v 0) @9 (arm (k 1) - (lit 0 1.0)) @10 (arm (bind 2 k (or (range (lit 1) (lit 9) closed) (lit 20))) (b == - (b % - (v 2) (lit ^ 2)) (lit ^ 0)) (lit 0 2.0)) @11 (arm _ - (trap 1)))) @13 (let 5 sum - (block 0 (bl @14 (for 1 (range (lit ^ 0) (v 0) - rev -) (bind 4 k -) - (bl @15 (tail (if (is (or (lit 3) (lit 5)) (v 4)) (bl @16 (brk 0 (v 1))))))) @19 (tail (c 0 (v 1)))))) @21 (tail (b * 1 (v 3) (v 5)))))",
                        types: __skel::std::vec![__s0.ty()],
                        constants: __skel::std::vec![
                            { const STEP : f32 = 0.5; __skel::constant(&
                            __skel::core::cfg!(debug_assertions)) }, { const STEP : f32 =
                            0.5; __skel::constant(& LIMIT) }
                        ],
                        imps: __skel::std::vec![
                            __c1.ir(__cx), __w2.binary:: < __skel::operator::Mul > (__cx)
                        ],
                        messages: __skel::std::vec![
                            "assertion failed: x > 0.0", "too large"
                        ],
                    }
                },
            )
        }
    }
    impl __skel::UserFunction<(__skel::Each<i32>, __skel::Each<f32>)> for class {
        type At = ();
        type Output = f32;
        const NAME: &'static __skel::core::primitive::str = "class";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (
                __a0,
                __a1,
            ): <(__skel::Each<i32>, __skel::Each<f32>) as __skel::Params>::Args<'_>,
        ) -> f32 {
            class(__a0, __a1)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
