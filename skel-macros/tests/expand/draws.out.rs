#[inline]
fn noisy(x: f32, rng: &mut Random, rounds: u32) -> f32 {
    let mut y = x;
    for _ in 0..rounds {
        if rng.uniform_f32() < 0.5 {
            y += other(rng, y) * rng.normal_f32();
        }
        y = own.of(rng) + rng.uniform_f32();
    }
    y
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct noisy {}
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
    type __Me = noisy;
    impl __skel::Marker for noisy {}
    impl __Me {
        pub fn __probe(
            _: &__skel::Callee<__Me, ()>,
        ) -> fn(f32, &mut Random, u32) -> f32 {
            loop {}
        }
    }
    #[cfg(all(not(debug_assertions), panic = "unwind"))]
    use __skel::NoLanes as _;
    #[cfg(all(not(debug_assertions), panic = "unwind"))]
    impl __Me {
        pub const __LANES: __skel::core::primitive::bool = true;
        pub const __LOOPS_0: __skel::core::primitive::usize = __skel::lanes::loops(
            true,
            &[],
        );
        pub const __LOOPS_1: __skel::core::primitive::usize = __skel::lanes::loops(
            true,
            &[other::__LOOPS_0],
        );
        pub const __LOOPS_2: __skel::core::primitive::usize = __skel::lanes::loops(
            true,
            &[other::__LOOPS_1],
        );
        #[inline(always)]
        pub fn __lanes<const __N: __skel::core::primitive::usize>(
            (
                __p0,
                __p1,
                __p2,
            ): (
                impl __skel::lanes::Given<Value = f32>,
                &mut __skel::lanes::Generators<__N>,
                impl __skel::lanes::Given<Value = u32>,
            ),
            __out: &mut __skel::lanes::Var<f32, __N>,
        ) {
            if !(__skel::lanes::is_same(&__p2)) {
                for __l in 0..__N {
                    let mut __random = __p1.get(__l);
                    __skel::lanes::set(
                        __out,
                        __l,
                        noisy(
                            __skel::lanes::lane(&__p0, __l),
                            &mut __random,
                            __skel::lanes::lane(&__p2, __l),
                        ),
                    );
                    __p1.set(__l, &__random);
                }
                return;
            }
            let mut __out = __out;
            let mut __1_y = __skel::lanes::var::<_, __N>();
            let mut __3_2_value = __skel::lanes::var::<_, __N>();
            let mut __6_call_1 = __skel::lanes::var::<_, __N>();
            let mut __10_9_value = __skel::lanes::var::<_, __N>();
            let mut __11_call_2 = __skel::lanes::var::<_, __N>();
            let mut __13_12_value = __skel::lanes::var::<_, __N>();
            let rounds = __skel::lanes::lane(&__p2, 0);
            for __l in 0..__N {
                let x = __skel::lanes::lane(&__p0, __l);
                let mut y = x;
                __skel::lanes::set(&mut __1_y, __l, y);
            }
            {
                for _ in 0..rounds {
                    __p1.uniform_f32(&__skel::lanes::AllLanes, &mut __3_2_value);
                    let mut __4_then = __skel::lanes::Mask::<__N>::all();
                    let mut __5_else = __skel::lanes::Mask::<__N>::all();
                    for __l in 0..__N {
                        let mut __2_value = __skel::lanes::get(&__3_2_value, __l);
                        let __call_1 = __2_value;
                        let __c = __call_1 < 0.5;
                        __4_then.set(__l, __c);
                        __5_else.set(__l, true & !__c);
                        __skel::lanes::set(&mut __6_call_1, __l, __call_1);
                    }
                    if __4_then.any() {
                        if __4_then.any() {
                            let __8_given = &__1_y;
                            if !other::__LANES {
                                for __l in 0..__N {
                                    if __4_then.get(__l) {
                                        let mut __7_given = __p1.get(__l);
                                        __skel::lanes::set(
                                            &mut __10_9_value,
                                            __l,
                                            other(&mut __7_given, __skel::lanes::lane(&__8_given, __l)),
                                        );
                                        __p1.set(__l, &__7_given);
                                    }
                                }
                            } else {
                                let mut __7_given = __p1.among(&__4_then);
                                other::__lanes(
                                    (
                                        &mut __7_given,
                                        &__skel::lanes::among(&__4_then, __8_given),
                                    ),
                                    &mut __10_9_value,
                                );
                                __p1.assign(&__4_then, &__7_given);
                            }
                        }
                        for __l in 0..__N {
                            let mut __9_value = __skel::lanes::get(&__10_9_value, __l);
                            let __call_2 = __9_value;
                            __skel::lanes::set(&mut __11_call_2, __l, __call_2);
                        }
                        if __4_then.any() {
                            __p1.normal_f32(&__4_then, &mut __13_12_value);
                        }
                        for __l in 0..__N {
                            let mut y = __skel::lanes::get(&__1_y, __l);
                            let mut __call_2 = __skel::lanes::get(&__11_call_2, __l);
                            let mut __12_value = __skel::lanes::get(&__13_12_value, __l);
                            let mut __m3 = __4_then.get(__l);
                            let __call_3 = __12_value;
                            let __old_4 = y;
                            y += __call_2 * __call_3;
                            y = __skel::lanes::pick(__m3, y, __old_4);
                            __skel::lanes::set(&mut __1_y, __l, y);
                        }
                    }
                    for __l in 0..__N {
                        let mut __value_1 = __p1.get(__l);
                        let mut rng = &mut __value_1;
                        let mut y = __skel::lanes::get(&__1_y, __l);
                        y = own.of(rng) + rng.uniform_f32();
                        __p1.set(__l, &__value_1);
                        __skel::lanes::set(&mut __1_y, __l, y);
                    }
                }
            }
            for __l in 0..__N {
                let mut __ret = __skel::lanes::get(&__out, __l);
                let mut y = __skel::lanes::get(&__1_y, __l);
                __ret = y;
                __skel::lanes::set(&mut __out, __l, __ret);
            }
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, ()),
                >(
                "noisy",
                |__cx| {
                    use __skel::scope::*;
                    let __c0 = __skel::Callee::new();
                    let __w1 = &__skel::Pair::new();
                    let __w2 = &__skel::Pair::new();
                    let __c3 = __skel::Callee::new();
                    let __w4 = &__skel::Pair::new();
                    let _ = |x: f32, rng: &mut Random, rounds: u32| -> f32 {
                        loop {};
                        {
                            let mut y = x;
                            for _ in 0..rounds {
                                if rng.uniform_f32() < 0.5 {
                                    {
                                        __w2.see(&y);
                                        y
                                            += __w2
                                                .r(
                                                    __w1.l(other::__probe(&__c0)(rng, y))
                                                        * __w1.r(rng.normal_f32()),
                                                );
                                    };
                                }
                                y = __w4.l(own.__user_function_of(&__c3)(rng))
                                    + __w4.r(rng.uniform_f32());
                            }
                            y
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < f32 > (), __skel::Mode::In), (__skel::ty:: <
                            Random > (), __skel::Mode::InOut), (__skel::ty:: < u32 > (),
                            __skel::Mode::In)
                        ],
                        ret: __skel::ty::<f32>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (x rng rounds) @2 (bl @3 (let 3 y - (v 0)) @4 (for 0 (range (lit ^ 0) (v 2) - - -) _ - (bl @5 (if (b < - (draw 0 (v 1)) (lit ^ 0.5)) (bl @6 (op + 4 (v 3) (b * 3 (c 1 (v 1) (v 3)) (draw 2 (v 1)))))) @8 (= (v 3) (b + 7 (c 5 (k 0) (v 1)) (draw 6 (v 1)))))) @10 (tail (v 3))))",
                        types: __skel::std::vec![],
                        constants: __skel::std::vec![__skel::constant(& own)],
                        imps: __skel::std::vec![
                            __skel::random_method("uniform_f32", __cx), __c0.ir(__cx),
                            __skel::random_method("normal_f32", __cx), __w1.binary:: <
                            __skel::operator::Mul > (__cx), __w2.binary:: <
                            __skel::operator::AddAssign > (__cx), __c3.ir(__cx),
                            __skel::random_method("uniform_f32", __cx), __w4.binary:: <
                            __skel::operator::Add > (__cx)
                        ],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl __skel::UserFunction<(__skel::Each<f32>, __skel::Uniform<u32>)> for noisy {
        type At = __skel::WithRandom<()>;
        type Output = f32;
        const NAME: &'static __skel::core::primitive::str = "noisy";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: __skel::WithRandom<()>,
            (
                __a0,
                __a2,
            ): <(__skel::Each<f32>, __skel::Uniform<u32>) as __skel::Params>::Args<'_>,
        ) -> f32 {
            let __skel::WithRandom { at: __at, random: mut __random } = __at;
            noisy(__a0, &mut __random, __a2)
        }
        #[cfg(all(not(debug_assertions), panic = "unwind"))]
        const HAS_LANES: __skel::core::primitive::bool = true;
        #[cfg(all(not(debug_assertions), panic = "unwind"))]
        #[inline(always)]
        fn lanes<
            const __N: __skel::core::primitive::usize,
            __S: __skel::lanes::Source<
                    (__skel::Each<f32>, __skel::Uniform<u32>),
                    At = Self::At,
                >,
        >(__source: &mut __S, __out: &mut __skel::lanes::Var<f32, __N>) {
            let mut __p0 = __skel::lanes::var::<_, __N>();
            let mut __p1 = __skel::lanes::Generators::<__N>::new();
            for __l in 0..__N {
                let __skel::WithRandom { random: __random, .. } = __skel::lanes::Source::<
                    (__skel::Each<f32>, __skel::Uniform<u32>),
                >::at(__source, __l);
                let (__a0, __a2) = __skel::lanes::Source::<
                    (__skel::Each<f32>, __skel::Uniform<u32>),
                >::args(__source, __l);
                __skel::lanes::set(&mut __p0, __l, __a0);
                __p1.set(__l, &__random);
            }
            let __l = 0;
            let (__a0, __a2) = __skel::lanes::Source::<
                (__skel::Each<f32>, __skel::Uniform<u32>),
            >::args(__source, __l);
            let __p2 = __skel::lanes::Same(__a2);
            let __p0 = &__p0;
            let __p1 = &mut __p1;
            __Me::__lanes::<__N>((__p0, __p1, __p2), __out);
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
