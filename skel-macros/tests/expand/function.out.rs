#[inline]
pub fn smooth(x: f32, k: f32, at: Index2) -> f32 {
    let mut y = 0.0;
    for i in 0..3 {
        y += k * x + weight(at.row, i);
    }
    y.max(f32::EPSILON)
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
pub struct smooth {}
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
    type __Me = smooth;
    impl __skel::Marker for smooth {}
    impl __Me {
        pub fn __probe(_: &__skel::Callee<__Me, ()>) -> fn(f32, f32, Index2) -> f32 {
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
            &[weight::__LOOPS_0],
        );
        pub const __LOOPS_2: __skel::core::primitive::usize = __skel::lanes::loops(
            true,
            &[weight::__LOOPS_1],
        );
        #[inline(always)]
        pub fn __lanes<const __N: __skel::core::primitive::usize>(
            (
                __p0,
                __p1,
                __p2,
            ): (
                impl __skel::lanes::Given<Value = f32>,
                impl __skel::lanes::Given<Value = f32>,
                impl __skel::lanes::Given<Value = Index2>,
            ),
            __out: &mut __skel::lanes::Var<f32, __N>,
        ) {
            if !(__skel::lanes::is_same(&__p1)) {
                for __l in 0..__N {
                    __skel::lanes::set(
                        __out,
                        __l,
                        smooth(
                            __skel::lanes::lane(&__p0, __l),
                            __skel::lanes::lane(&__p1, __l),
                            __skel::lanes::lane(&__p2, __l),
                        ),
                    );
                }
                return;
            }
            if const { __skel::lanes::lifts(&[weight::__LOOPS_2]) } {
                let mut __out = __out;
                let mut __1_y = __skel::lanes::var::<_, __N>();
                let mut __3_2_arg = __skel::lanes::var::<_, __N>();
                let mut __7_6_value = __skel::lanes::var::<_, __N>();
                let k = __skel::lanes::lane(&__p1, 0);
                for __l in 0..__N {
                    let mut y = 0.0;
                    __skel::lanes::set(&mut __1_y, __l, y);
                }
                {
                    for i in 0..3 {
                        for __l in 0..__N {
                            let at = __skel::lanes::lane(&__p2, __l);
                            let mut __2_arg = __skel::lanes::get(&__3_2_arg, __l);
                            __2_arg = at.row;
                            __skel::lanes::set(&mut __3_2_arg, __l, __2_arg);
                        }
                        {
                            let __4_given = &__3_2_arg;
                            let __5_given = __skel::lanes::Same(i);
                            if !weight::__LANES {
                                for __l in 0..__N {
                                    __skel::lanes::set(
                                        &mut __7_6_value,
                                        __l,
                                        weight(
                                            __skel::lanes::lane(&__4_given, __l),
                                            __skel::lanes::lane(&__5_given, __l),
                                        ),
                                    );
                                }
                            } else {
                                weight::__lanes((__4_given, __5_given), &mut __7_6_value);
                            }
                        }
                        for __l in 0..__N {
                            let x = __skel::lanes::lane(&__p0, __l);
                            let mut y = __skel::lanes::get(&__1_y, __l);
                            let mut __6_value = __skel::lanes::get(&__7_6_value, __l);
                            let __call_1 = __6_value;
                            y += k * x + __call_1;
                            __skel::lanes::set(&mut __1_y, __l, y);
                        }
                    }
                }
                for __l in 0..__N {
                    let mut __ret = __skel::lanes::get(&__out, __l);
                    let mut y = __skel::lanes::get(&__1_y, __l);
                    __ret = y.max(f32::EPSILON);
                    __skel::lanes::set(&mut __out, __l, __ret);
                }
            } else {
                let mut __out = __out;
                let mut __1_y = __skel::lanes::var::<_, __N>();
                let k = __skel::lanes::lane(&__p1, 0);
                for __l in 0..__N {
                    let mut y = 0.0;
                    __skel::lanes::set(&mut __1_y, __l, y);
                }
                {
                    for i in 0..3 {
                        for __l in 0..__N {
                            let x = __skel::lanes::lane(&__p0, __l);
                            let at = __skel::lanes::lane(&__p2, __l);
                            let mut y = __skel::lanes::get(&__1_y, __l);
                            y += k * x + weight(at.row, i);
                            __skel::lanes::set(&mut __1_y, __l, y);
                        }
                    }
                }
                for __l in 0..__N {
                    let mut __ret = __skel::lanes::get(&__out, __l);
                    let mut y = __skel::lanes::get(&__1_y, __l);
                    __ret = y.max(f32::EPSILON);
                    __skel::lanes::set(&mut __out, __l, __ret);
                }
            }
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, ()),
                >(
                "smooth",
                |__cx| {
                    let __s0 = &__skel::Slot::new();
                    let __s1 = &__skel::Slot::new();
                    let __c2 = __skel::Callee::new();
                    let __w3 = &__skel::Pair::new();
                    let __w4 = &__skel::Pair::new();
                    let _ = |x: f32, k: f32, at: Index2| -> f32 {
                        loop {};
                        {
                            let mut y = __s0.put(0.0);
                            for i in __s1.put(0)..3 {
                                {
                                    __w4.see(&y);
                                    y
                                        += __w4
                                            .r(
                                                __w3.l(k * x) + __w3.r(weight::__probe(&__c2)(at.row, i)),
                                            );
                                };
                            }
                            y.max(f32::EPSILON)
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < f32 > (), __skel::Mode::In), (__skel::ty:: <
                            f32 > (), __skel::Mode::In), (__skel::ty:: < Index2 > (),
                            __skel::Mode::In)
                        ],
                        ret: __skel::ty::<f32>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (x k at) @2 (bl @3 (let 3 y - (lit 0 0.0)) @4 (for 0 (range (lit 1 0) (lit ^ 3) - - -) (bind 4 i -) - (bl @5 (op + 2 (v 3) (b + 1 (b * - (v 1) (v 0)) (c 0 (f row (v 2)) (v 4)))))) @7 (tail (m max - (v 3) (k 0)))))",
                        types: __skel::std::vec![__s0.ty(), __s1.ty()],
                        constants: __skel::std::vec![__skel::constant(& f32::EPSILON)],
                        imps: __skel::std::vec![
                            __c2.ir(__cx), __w3.binary:: < __skel::operator::Add >
                            (__cx), __w4.binary:: < __skel::operator::AddAssign > (__cx)
                        ],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl __skel::UserFunction<(__skel::Each<f32>, __skel::Uniform<f32>)> for smooth {
        type At = Index2;
        type Output = f32;
        const NAME: &'static __skel::core::primitive::str = "smooth";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: Index2,
            (
                __a0,
                __a1,
            ): <(__skel::Each<f32>, __skel::Uniform<f32>) as __skel::Params>::Args<'_>,
        ) -> f32 {
            smooth(__a0, __a1, __at)
        }
        #[cfg(all(not(debug_assertions), panic = "unwind"))]
        const HAS_LANES: __skel::core::primitive::bool = true;
        #[cfg(all(not(debug_assertions), panic = "unwind"))]
        #[inline(always)]
        fn lanes<
            const __N: __skel::core::primitive::usize,
            __S: __skel::lanes::Source<
                    (__skel::Each<f32>, __skel::Uniform<f32>),
                    At = Self::At,
                >,
        >(__source: &mut __S, __out: &mut __skel::lanes::Var<f32, __N>) {
            let mut __p0 = __skel::lanes::var::<_, __N>();
            let mut __p2 = __skel::lanes::var::<_, __N>();
            for __l in 0..__N {
                let __at = __skel::lanes::Source::<
                    (__skel::Each<f32>, __skel::Uniform<f32>),
                >::at(__source, __l);
                let (__a0, __a1) = __skel::lanes::Source::<
                    (__skel::Each<f32>, __skel::Uniform<f32>),
                >::args(__source, __l);
                __skel::lanes::set(&mut __p0, __l, __a0);
                __skel::lanes::set(&mut __p2, __l, __at);
            }
            let __l = 0;
            let (__a0, __a1) = __skel::lanes::Source::<
                (__skel::Each<f32>, __skel::Uniform<f32>),
            >::args(__source, __l);
            let __p1 = __skel::lanes::Same(__a1);
            let __p0 = &__p0;
            let __p2 = &__p2;
            __Me::__lanes::<__N>((__p0, __p1, __p2), __out);
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
