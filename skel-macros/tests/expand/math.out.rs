#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn wave(x: f32, y: f64) -> f64 {
    #[allow(unused_imports)]
    use ::skel::__private::Math as _;
    assert!(x.__user_function_host_sin() < 2.0, "far");
    f32::__user_function_host_exp(x.__user_function_host_powf(2.0)) as f64
        + y.__user_function_host_ln()
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct wave {}
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
    type __Me = wave;
    impl __skel::Marker for wave {}
    impl __Me {
        pub fn __probe(_: &__skel::Callee<__Me, ()>) -> fn(f32, f64) -> f64 {
            loop {}
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, ()),
                >(
                "wave",
                |__cx| {
                    use __skel::scope::*;
                    let _ = || {
                        use __skel::macros::*;
                        let _ = assert!(true);
                    };
                    let _ = |x: f32, y: f64| -> f64 {
                        loop {};
                        {
                            {
                                let _: __skel::core::primitive::bool = x
                                    .__user_function_host_sin() < 2.0;
                            };
                            f32::__user_function_host_exp(
                                x.__user_function_host_powf(2.0),
                            ) as f64 + y.__user_function_host_ln()
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < f32 > (), __skel::Mode::In), (__skel::ty:: <
                            f64 > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<f64>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (x y) @2 (bl @3 (if (u ! - (b < - (m sin - (v 0)) (lit ^ 2.0))) (trap 0)) @4 (tail (b + - (as 0 (m exp - (m powf - (v 0) (lit ^ 2.0)))) (m ln - (v 1))))))",
                        types: __skel::std::vec![__skel::ty:: < f64 > ()],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![],
                        messages: __skel::std::vec!["far"],
                    }
                },
            )
        }
    }
    impl __skel::UserFunction<(__skel::Each<f32>, __skel::Each<f64>)> for wave {
        type At = ();
        type Output = f64;
        const NAME: &'static __skel::core::primitive::str = "wave";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (
                __a0,
                __a1,
            ): <(__skel::Each<f32>, __skel::Each<f64>) as __skel::Params>::Args<'_>,
        ) -> f64 {
            wave(__a0, __a1)
        }
        #[cfg(all(not(debug_assertions), panic = "unwind"))]
        const HAS_LANES: __skel::core::primitive::bool = true;
        #[cfg(all(not(debug_assertions), panic = "unwind"))]
        const LANES_MAY_GUESS: __skel::core::primitive::bool = true;
        #[cfg(all(not(debug_assertions), panic = "unwind"))]
        #[inline(always)]
        fn lanes<
            const __N: __skel::core::primitive::usize,
            __S: __skel::lanes::Source<
                    (__skel::Each<f32>, __skel::Each<f64>),
                    At = Self::At,
                >,
        >(__source: &mut __S, __out: &mut __skel::lanes::Var<f64, __N>) {
            let __far = &__skel::core::cell::Cell::new(false);
            for __l in 0..__N {
                let __at = __skel::lanes::Source::<
                    (__skel::Each<f32>, __skel::Each<f64>),
                >::at(__source, __l);
                let __args = __skel::lanes::Source::<
                    (__skel::Each<f32>, __skel::Each<f64>),
                >::args(__source, __l);
                let (__a0, __a1) = __args;
                let mut x = __a0;
                let mut y = __a1;
                let __value = (|| -> f64 {
                    #[allow(unused_imports)]
                    use ::skel::__private::Math as _;
                    assert!(x.__user_function_near_sin(__far) < 2.0, "far");
                    f32::__user_function_host_exp(x.__user_function_host_powf(2.0))
                        as f64 + y.__user_function_host_ln()
                })();
                __skel::lanes::set(__out, __l, __value);
            }
            if __far.get() {
                for __l in 0..__N {
                    let __at = __skel::lanes::Source::<
                        (__skel::Each<f32>, __skel::Each<f64>),
                    >::at(__source, __l);
                    let __args = __skel::lanes::Source::<
                        (__skel::Each<f32>, __skel::Each<f64>),
                    >::args(__source, __l);
                    let __value = <Self as __skel::UserFunction<
                        (__skel::Each<f32>, __skel::Each<f64>),
                    >>::call(__at, __args);
                    __skel::lanes::set(__out, __l, __value);
                }
            }
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn generic<T: Float>(x: T) -> T {
    #[allow(unused_imports)]
    use ::skel::__private::Math as _;
    T::__user_function_host_tanh(x.sqrt()).__user_function_host_log(x)
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct generic {}
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
    type __Me = generic;
    impl __skel::Marker for generic {}
    impl __Me {
        pub fn __probe<T: Float>(_: &__skel::Callee<__Me, (T,)>) -> fn(T) -> T {
            loop {}
        }
    }
    impl __Me {
        pub const __LANES: __skel::core::primitive::bool = false;
        pub const __LOOPS_0: __skel::core::primitive::usize = __skel::lanes::loops(
            false,
            &[],
        );
        pub const __LOOPS_1: __skel::core::primitive::usize = __skel::lanes::loops(
            false,
            &[],
        );
        pub const __LOOPS_2: __skel::core::primitive::usize = __skel::lanes::loops(
            false,
            &[],
        );
        #[inline(always)]
        pub fn __lanes<T: Float, const __N: __skel::core::primitive::usize>(
            _: (impl __skel::lanes::Given<Value = T>,),
            __out: &mut __skel::lanes::Var<T, __N>,
        )
        where
            T: __skel::Element,
        {}
    }
    impl<T: Float> __skel::Instance<(T,)> for __Me
    where
        T: __skel::Element,
    {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, (T,)),
                >(
                "generic",
                |__cx| {
                    use __skel::scope::*;
                    let __s0 = &__skel::Slot::new();
                    let __s1 = &__skel::Slot::new();
                    let __s2 = &__skel::Slot::new();
                    let _ = |x: T| -> T {
                        loop {};
                        {
                            __s2.put(
                                    T::__user_function_host_tanh(__s1.put(__s0.put(x).sqrt())),
                                )
                                .__user_function_host_log(x)
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < T > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<T>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (x) @8 (bl @9 (tail (m log 2 (m tanh 1 (m sqrt 0 (v 0))) (v 0)))))",
                        types: __skel::std::vec![],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![
                            __s0.method:: < __skel::class::Float, 10814496311769356239u64
                            > (__cx), __s1.method:: < __skel::class::Float,
                            15651223592572828432u64 > (__cx), __s2.method:: <
                            __skel::class::Float, 1319681242528961585u64 > (__cx)
                        ],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl<T: Float> __skel::UserFunction<(__skel::Each<T>,)> for generic
    where
        T: __skel::Element,
    {
        type At = ();
        type Output = T;
        const NAME: &'static __skel::core::primitive::str = "generic";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (__a0,): <(__skel::Each<T>,) as __skel::Params>::Args<'_>,
        ) -> T {
            generic::<T>(__a0)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<(T,)>>::ir(__cx)
        }
    }
};
#[inline]
fn fast(x: f32) -> f32 {
    x.exp()
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct fast {}
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
    type __Me = fast;
    impl __skel::Marker for fast {}
    impl __Me {
        pub fn __probe(_: &__skel::Callee<__Me, ()>) -> fn(f32) -> f32 {
            loop {}
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, ()),
                >(
                "fast",
                |__cx| {
                    use __skel::scope::*;
                    let _ = |x: f32| -> f32 {
                        loop {};
                        { x.__user_function_host_exp() }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < f32 > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<f32>(),
                        fast_math: true,
                        mathematics: __skel::mathematics,
                        text: "(fn (x) @13 (bl @14 (tail (m exp - (v 0)))))",
                        types: __skel::std::vec![],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl __skel::UserFunction<(__skel::Each<f32>,)> for fast {
        type At = ();
        type Output = f32;
        const NAME: &'static __skel::core::primitive::str = "fast";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (__a0,): <(__skel::Each<f32>,) as __skel::Params>::Args<'_>,
        ) -> f32 {
            fast(__a0)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
impl Tone {
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sin(self, k: f32) -> f32 {
        #[allow(unused_imports)]
        use ::skel::__private::Math as _;
        (self.0 * k).__user_function_host_sin()
    }
}
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
    impl Tone {
        #[doc(hidden)]
        #[allow(
            warnings,
            overflowing_literals,
            clippy::all,
            clippy::pedantic,
            clippy::nursery,
            clippy::restriction
        )]
        fn __user_function_sin(
            &self,
            _: &__skel::Callee<Self, (__skel::Named<9387930553559073965u64>, ())>,
        ) -> fn(f32) -> f32 {
            loop {}
        }
        #[doc(hidden)]
        #[allow(
            warnings,
            overflowing_literals,
            clippy::all,
            clippy::pedantic,
            clippy::nursery,
            clippy::restriction
        )]
        fn __user_function_path_sin(
            _: &__skel::Callee<Self, (__skel::Named<9387930553559073965u64>, ())>,
        ) -> fn(Self, f32) -> f32 {
            loop {}
        }
        #[doc(hidden)]
        #[allow(
            warnings,
            overflowing_literals,
            clippy::all,
            clippy::pedantic,
            clippy::nursery,
            clippy::restriction
        )]
        #[inline(always)]
        fn __user_function_host_sin(self, __a0: f32) -> f32 {
            Self::sin(self, __a0)
        }
        #[doc(hidden)]
        #[allow(
            warnings,
            overflowing_literals,
            clippy::all,
            clippy::pedantic,
            clippy::nursery,
            clippy::restriction
        )]
        #[inline(always)]
        fn __user_function_near_sin(
            self,
            __a0: f32,
            _: &__skel::core::cell::Cell<__skel::core::primitive::bool>,
        ) -> f32 {
            Self::sin(self, __a0)
        }
    }
    impl __skel::Instance<(__skel::Named<9387930553559073965u64>, ())> for Tone {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (Tone, (__skel::Named<9387930553559073965u64>, ())),
                >(
                "sin",
                |__cx| {
                    use __skel::scope::*;
                    let __w0 = &__skel::Pair::new();
                    let __s1 = &__skel::Slot::new();
                    let _ = |__self: Self, k: f32| -> f32 {
                        loop {};
                        {
                            __s1.put((__w0.l(__self.0) * __w0.r(k)))
                                .__user_function_host_sin()
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < Self > (), __skel::Mode::In), (__skel::ty:: <
                            f32 > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<f32>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (self k) @19 (bl @20 (tail (m sin 1 (b * 0 (f 0 (v 0)) (v 1))))))",
                        types: __skel::std::vec![],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![
                            __w0.binary:: < __skel::operator::Mul > (__cx), __s1.method::
                            < __skel::class::Float, 9387930553559073965u64 > (__cx)
                        ],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl __skel::Member<__skel::class::Float, 9387930553559073965u64> for Tone {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <Self as __skel::Instance<
                (__skel::Named<9387930553559073965u64>, ()),
            >>::ir(__cx)
        }
    }
};
