#[inline]
fn nearest(p: [f32; 4], centres: &[[f32; 4]], most: f32) -> u32 {
    let (mut best, mut least) = (0, most);
    for (k, c) in centres.iter().enumerate() {
        if p[0] > 0.0 {
            let d = metrics::distance(p, *c);
            if d < least && f32::max(d, weight::<3>(d)) < most {
                least = d;
                best = k as u32;
            }
        }
    }
    best
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct nearest {}
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
    type __Me = nearest;
    impl __skel::Marker for nearest {}
    impl __Me {
        pub fn __probe(
            _: &__skel::Callee<__Me, ()>,
        ) -> fn([f32; 4], &[[f32; 4]], f32) -> u32 {
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
            &[metrics::distance::__LOOPS_0],
        );
        pub const __LOOPS_2: __skel::core::primitive::usize = __skel::lanes::loops(
            true,
            &[metrics::distance::__LOOPS_1],
        );
        #[inline(always)]
        pub fn __lanes<const __N: __skel::core::primitive::usize>(
            (
                __p0,
                __p1,
                __p2,
            ): (
                impl __skel::lanes::Given<Value = [f32; 4]>,
                impl __skel::lanes::Slice<[f32; 4]>,
                impl __skel::lanes::Given<Value = f32>,
            ),
            __out: &mut __skel::lanes::Var<u32, __N>,
        ) {
            if !(__skel::lanes::is_same(&__p2)) {
                for __l in 0..__N {
                    __skel::lanes::set(
                        __out,
                        __l,
                        nearest(
                            __skel::lanes::lane(&__p0, __l),
                            __skel::lanes::slice(&__p1),
                            __skel::lanes::lane(&__p2, __l),
                        ),
                    );
                }
                return;
            }
            if const { __skel::lanes::lifts(&[metrics::distance::__LOOPS_2]) } {
                let mut __out = __out;
                let mut __1_best = __skel::lanes::var::<_, __N>();
                let mut __2_least = __skel::lanes::var::<_, __N>();
                let mut __8_7_value = __skel::lanes::var::<_, __N>();
                let centres = __skel::lanes::slice(&__p1);
                let most = __skel::lanes::lane(&__p2, 0);
                for __l in 0..__N {
                    let (mut best, mut least) = (0, most);
                    __skel::lanes::set(&mut __1_best, __l, best);
                    __skel::lanes::set(&mut __2_least, __l, least);
                }
                {
                    for (k, c) in centres.iter().enumerate() {
                        let mut __3_then = __skel::lanes::Mask::<__N>::all();
                        let mut __4_else = __skel::lanes::Mask::<__N>::all();
                        for __l in 0..__N {
                            let p = __skel::lanes::lane(&__p0, __l);
                            let __c = p[0] > 0.0;
                            __3_then.set(__l, __c);
                            __4_else.set(__l, true & !__c);
                        }
                        if __3_then.any() {
                            if __3_then.any() {
                                let __5_given = __p0;
                                let __6_given = __skel::lanes::Same(*c);
                                if !metrics::distance::__LANES {
                                    for __l in 0..__N {
                                        if __3_then.get(__l) {
                                            __skel::lanes::set(
                                                &mut __8_7_value,
                                                __l,
                                                metrics::distance(
                                                    __skel::lanes::lane(&__5_given, __l),
                                                    __skel::lanes::lane(&__6_given, __l),
                                                ),
                                            );
                                        }
                                    }
                                } else {
                                    metrics::distance::__lanes(
                                        (&__skel::lanes::among(&__3_then, __5_given), __6_given),
                                        &mut __8_7_value,
                                    );
                                }
                            }
                            for __l in 0..__N {
                                let mut best = __skel::lanes::get(&__1_best, __l);
                                let mut least = __skel::lanes::get(&__2_least, __l);
                                let mut __7_value = __skel::lanes::get(&__8_7_value, __l);
                                let mut __m3 = __3_then.get(__l);
                                let d = __7_value;
                                if __m3 {
                                    if d < least && f32::max(d, weight::<3>(d)) < most {
                                        least = d;
                                        best = k as u32;
                                    }
                                }
                                __skel::lanes::set(&mut __1_best, __l, best);
                                __skel::lanes::set(&mut __2_least, __l, least);
                            }
                        }
                    }
                }
                for __l in 0..__N {
                    let mut __ret = __skel::lanes::get(&__out, __l);
                    let mut best = __skel::lanes::get(&__1_best, __l);
                    __ret = best;
                    __skel::lanes::set(&mut __out, __l, __ret);
                }
            } else {
                let mut __out = __out;
                let mut __1_best = __skel::lanes::var::<_, __N>();
                let mut __2_least = __skel::lanes::var::<_, __N>();
                let centres = __skel::lanes::slice(&__p1);
                let most = __skel::lanes::lane(&__p2, 0);
                for __l in 0..__N {
                    let (mut best, mut least) = (0, most);
                    __skel::lanes::set(&mut __1_best, __l, best);
                    __skel::lanes::set(&mut __2_least, __l, least);
                }
                {
                    for (k, c) in centres.iter().enumerate() {
                        for __l in 0..__N {
                            let p = __skel::lanes::lane(&__p0, __l);
                            let mut best = __skel::lanes::get(&__1_best, __l);
                            let mut least = __skel::lanes::get(&__2_least, __l);
                            if p[0] > 0.0 {
                                let d = metrics::distance(p, *c);
                                if d < least && f32::max(d, weight::<3>(d)) < most {
                                    least = d;
                                    best = k as u32;
                                }
                            }
                            __skel::lanes::set(&mut __1_best, __l, best);
                            __skel::lanes::set(&mut __2_least, __l, least);
                        }
                    }
                }
                for __l in 0..__N {
                    let mut __ret = __skel::lanes::get(&__out, __l);
                    let mut best = __skel::lanes::get(&__1_best, __l);
                    __ret = best;
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
                "nearest",
                |__cx| {
                    let __s0 = &__skel::Slot::new();
                    let __c1 = __skel::Callee::new();
                    let __w2 = &__skel::Pair::new();
                    let __c3 = __skel::Callee::new();
                    let _ = |p: [f32; 4], centres: &[[f32; 4]], most: f32| -> u32 {
                        loop {};
                        {
                            let (mut best, mut least) = (__s0.put(0), most);
                            for (k, c) in centres.iter().enumerate() {
                                if p[0] > 0.0 {
                                    let d = metrics::distance::__probe(&__c1)(p, *c);
                                    if __w2.l(d) < __w2.r(least)
                                        && f32::max(d, weight::__probe::<3>(&__c3)(d)) < most
                                    {
                                        least = d;
                                        best = k as u32;
                                    }
                                }
                            }
                            best
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < [f32; 4] > (), __skel::Mode::In),
                            (__skel::ty:: < & [[f32; 4]] > (), __skel::Mode::In),
                            (__skel::ty:: < f32 > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<u32>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (p centres most) @2 (bl @3 (unpack (of (0 (bind 3 best -)) (1 (bind 4 least -))) - (tup - (lit 0 0) (v 2))) @4 (for 0 (enumerate (view (v 1))) (of (0 (bind 5 k -)) (1 (bind 6 c -))) - (bl @5 (tail (if (b > - (ix (v 0) (lit ^ 0)) (lit ^ 0.0)) (bl @6 (let 7 d - (c 0 (v 0) (v 6))) @7 (tail (if (&& (b < 1 (v 7) (v 4)) (b < - (m max - (v 7) (c 2 (v 7))) (v 2))) (bl @8 (= (v 4) (v 7)) @9 (= (v 3) (as 1 (v 5))))))))))) @13 (tail (v 3))))",
                        types: __skel::std::vec![__s0.ty(), __skel::ty:: < u32 > ()],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![
                            __c1.ir(__cx), __w2.compare:: < __skel::operator::PartialOrd
                            > (__cx), __c3.ir(__cx)
                        ],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl __skel::UserFunction<
        (__skel::Each<[f32; 4]>, __skel::Whole<[f32; 4]>, __skel::Uniform<f32>),
    > for nearest {
        type At = ();
        type Output = u32;
        const NAME: &'static __skel::core::primitive::str = "nearest";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (
                __a0,
                __a1,
                __a2,
            ): <(
                __skel::Each<[f32; 4]>,
                __skel::Whole<[f32; 4]>,
                __skel::Uniform<f32>,
            ) as __skel::Params>::Args<'_>,
        ) -> u32 {
            nearest(__a0, __a1, __a2)
        }
        #[cfg(all(not(debug_assertions), panic = "unwind"))]
        const HAS_LANES: __skel::core::primitive::bool = true;
        #[cfg(all(not(debug_assertions), panic = "unwind"))]
        #[inline(always)]
        fn lanes<
            const __N: __skel::core::primitive::usize,
            __S: __skel::lanes::Source<
                    (
                        __skel::Each<[f32; 4]>,
                        __skel::Whole<[f32; 4]>,
                        __skel::Uniform<f32>,
                    ),
                    At = Self::At,
                >,
        >(__source: &mut __S, __out: &mut __skel::lanes::Var<u32, __N>) {
            let mut __p0 = __skel::lanes::var::<_, __N>();
            for __l in 0..__N {
                let (__a0, __a1, __a2) = __skel::lanes::Source::<
                    (
                        __skel::Each<[f32; 4]>,
                        __skel::Whole<[f32; 4]>,
                        __skel::Uniform<f32>,
                    ),
                >::args(__source, __l);
                __skel::lanes::set(&mut __p0, __l, __a0);
            }
            let __l = 0;
            let (__a0, __a1, __a2) = __skel::lanes::Source::<
                (__skel::Each<[f32; 4]>, __skel::Whole<[f32; 4]>, __skel::Uniform<f32>),
            >::args(__source, __l);
            let __p1 = __skel::lanes::Same(__a1);
            let __p2 = __skel::lanes::Same(__a2);
            let __p0 = &__p0;
            __Me::__lanes::<__N>((__p0, __p1, __p2), __out);
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
#[inline]
fn shade(at: Index2, scale: f32) -> u32 {
    escape(at.row as f32 * scale, at.col as f32 * scale, 100) * 2
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct shade {}
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
    type __Me = shade;
    impl __skel::Marker for shade {}
    impl __Me {
        pub fn __probe(_: &__skel::Callee<__Me, ()>) -> fn(Index2, f32) -> u32 {
            loop {}
        }
    }
    #[cfg(all(not(debug_assertions), panic = "unwind"))]
    use __skel::NoLanes as _;
    #[cfg(all(not(debug_assertions), panic = "unwind"))]
    impl __Me {
        pub const __LANES: __skel::core::primitive::bool = __skel::lanes::lifts(
            &[escape::__LOOPS_2],
        );
        pub const __LOOPS_0: __skel::core::primitive::usize = __skel::lanes::loops(
            false,
            &[],
        );
        pub const __LOOPS_1: __skel::core::primitive::usize = __skel::lanes::loops(
            false,
            &[escape::__LOOPS_0],
        );
        pub const __LOOPS_2: __skel::core::primitive::usize = __skel::lanes::loops(
            false,
            &[escape::__LOOPS_1],
        );
        #[inline(always)]
        pub fn __lanes<const __N: __skel::core::primitive::usize>(
            (
                __p0,
                __p1,
            ): (
                impl __skel::lanes::Given<Value = Index2>,
                impl __skel::lanes::Given<Value = f32>,
            ),
            __out: &mut __skel::lanes::Var<u32, __N>,
        ) {
            if !(__skel::lanes::is_same(&__p1)) {
                for __l in 0..__N {
                    __skel::lanes::set(
                        __out,
                        __l,
                        shade(
                            __skel::lanes::lane(&__p0, __l),
                            __skel::lanes::lane(&__p1, __l),
                        ),
                    );
                }
                return;
            }
            let mut __out = __out;
            let mut __2_1_arg = __skel::lanes::var::<_, __N>();
            let mut __4_3_arg = __skel::lanes::var::<_, __N>();
            let mut __9_8_value = __skel::lanes::var::<_, __N>();
            let scale = __skel::lanes::lane(&__p1, 0);
            for __l in 0..__N {
                let at = __skel::lanes::lane(&__p0, __l);
                let mut __1_arg = __skel::lanes::get(&__2_1_arg, __l);
                let mut __3_arg = __skel::lanes::get(&__4_3_arg, __l);
                __1_arg = at.row as f32 * scale;
                __3_arg = at.col as f32 * scale;
                __skel::lanes::set(&mut __2_1_arg, __l, __1_arg);
                __skel::lanes::set(&mut __4_3_arg, __l, __3_arg);
            }
            {
                let __5_given = &__2_1_arg;
                let __6_given = &__4_3_arg;
                let __7_given = __skel::lanes::Same(100);
                if !escape::__LANES {
                    for __l in 0..__N {
                        __skel::lanes::set(
                            &mut __9_8_value,
                            __l,
                            escape(
                                __skel::lanes::lane(&__5_given, __l),
                                __skel::lanes::lane(&__6_given, __l),
                                __skel::lanes::lane(&__7_given, __l),
                            ),
                        );
                    }
                } else {
                    escape::__lanes((__5_given, __6_given, __7_given), &mut __9_8_value);
                }
            }
            for __l in 0..__N {
                let mut __ret = __skel::lanes::get(&__out, __l);
                let mut __8_value = __skel::lanes::get(&__9_8_value, __l);
                let __call_1 = __8_value;
                __ret = __call_1 * 2;
                __skel::lanes::set(&mut __out, __l, __ret);
            }
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, ()),
                >(
                "shade",
                |__cx| {
                    let __c0 = __skel::Callee::new();
                    let __s1 = &__skel::Slot::new();
                    let __w2 = &__skel::Pair::new();
                    let _ = |at: Index2, scale: f32| -> u32 {
                        loop {};
                        {
                            __w2
                                .l(
                                    escape::__probe(
                                        &__c0,
                                    )(at.row as f32 * scale, at.col as f32 * scale, 100),
                                ) * __w2.r(__s1.put(2))
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < Index2 > (), __skel::Mode::In), (__skel::ty::
                            < f32 > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<u32>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (at scale) @17 (bl @18 (tail (b * 1 (c 0 (b * - (as 0 (f row (v 0))) (v 1)) (b * - (as 1 (f col (v 0))) (v 1)) (lit ^ 100)) (lit 2 2)))))",
                        types: __skel::std::vec![
                            __skel::ty:: < f32 > (), __skel::ty:: < f32 > (), __s1.ty()
                        ],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![
                            __c0.ir(__cx), __w2.binary:: < __skel::operator::Mul > (__cx)
                        ],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl __skel::UserFunction<(__skel::Uniform<f32>,)> for shade {
        type At = Index2;
        type Output = u32;
        const NAME: &'static __skel::core::primitive::str = "shade";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: Index2,
            (__a1,): <(__skel::Uniform<f32>,) as __skel::Params>::Args<'_>,
        ) -> u32 {
            shade(__at, __a1)
        }
        #[cfg(all(not(debug_assertions), panic = "unwind"))]
        const HAS_LANES: __skel::core::primitive::bool = __skel::lanes::lifts(
            &[escape::__LOOPS_2],
        );
        #[cfg(all(not(debug_assertions), panic = "unwind"))]
        #[inline(always)]
        fn lanes<
            const __N: __skel::core::primitive::usize,
            __S: __skel::lanes::Source<(__skel::Uniform<f32>,), At = Self::At>,
        >(__source: &mut __S, __out: &mut __skel::lanes::Var<u32, __N>) {
            let mut __p0 = __skel::lanes::var::<_, __N>();
            for __l in 0..__N {
                let __at = __skel::lanes::Source::<
                    (__skel::Uniform<f32>,),
                >::at(__source, __l);
                let (__a1,) = __skel::lanes::Source::<
                    (__skel::Uniform<f32>,),
                >::args(__source, __l);
                __skel::lanes::set(&mut __p0, __l, __at);
            }
            let __l = 0;
            let (__a1,) = __skel::lanes::Source::<
                (__skel::Uniform<f32>,),
            >::args(__source, __l);
            let __p1 = __skel::lanes::Same(__a1);
            let __p0 = &__p0;
            __Me::__lanes::<__N>((__p0, __p1), __out);
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
#[inline]
fn power<const N: u32>(x: f32) -> f32 {
    let mut y = 1.0;
    for _ in 0..N {
        y *= x;
    }
    y
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct power<const N: u32> {
    __types: ::skel::__private::core::marker::PhantomData<fn() -> ()>,
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
    type __Me = power<0>;
    impl<const N: u32> __skel::Marker for power<N> {}
    impl __Me {
        pub fn __probe<const N: u32>(
            _: &__skel::Callee<__Me, (__skel::KU<N>,)>,
        ) -> fn(f32) -> f32 {
            loop {}
        }
    }
    #[cfg(all(not(debug_assertions), panic = "unwind"))]
    impl __Me {
        pub const __LANES: __skel::core::primitive::bool = true;
        pub const __LOOPS_0: __skel::core::primitive::usize = __skel::lanes::loops(
            true,
            &[],
        );
        pub const __LOOPS_1: __skel::core::primitive::usize = __skel::lanes::loops(
            true,
            &[],
        );
        pub const __LOOPS_2: __skel::core::primitive::usize = __skel::lanes::loops(
            true,
            &[],
        );
        #[inline(always)]
        pub fn __lanes<const N: u32, const __N: __skel::core::primitive::usize>(
            (__p0,): (impl __skel::lanes::Given<Value = f32>,),
            __out: &mut __skel::lanes::Var<f32, __N>,
        ) {
            let mut __out = __out;
            let mut __1_y = __skel::lanes::var::<_, __N>();
            for __l in 0..__N {
                let mut y = 1.0;
                __skel::lanes::set(&mut __1_y, __l, y);
            }
            {
                for _ in 0..N {
                    for __l in 0..__N {
                        let x = __skel::lanes::lane(&__p0, __l);
                        let mut y = __skel::lanes::get(&__1_y, __l);
                        y *= x;
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
    #[cfg(not(all(not(debug_assertions), panic = "unwind")))]
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
        pub fn __lanes<const N: u32, const __N: __skel::core::primitive::usize>(
            _: (impl __skel::lanes::Given<Value = f32>,),
            __out: &mut __skel::lanes::Var<f32, __N>,
        ) {}
    }
    impl<const N: u32> __skel::Instance<(__skel::KU<N>,)> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, (__skel::KU<N>,)),
                >(
                "power",
                |__cx| {
                    let __s0 = &__skel::Slot::new();
                    let _ = |x: f32| -> f32 {
                        loop {};
                        {
                            let mut y = __s0.put(1.0);
                            for _ in 0..N {
                                y *= x;
                            }
                            y
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < f32 > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<f32>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (x) @22 (bl @23 (let 1 y - (lit 0 1.0)) @24 (for 0 (range (lit ^ 0) (k 0) - - -) _ - (bl @25 (op * - (v 1) (v 0)))) @27 (tail (v 1))))",
                        types: __skel::std::vec![__s0.ty()],
                        constants: __skel::std::vec![__skel::constant(& N)],
                        imps: __skel::std::vec![],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl<const N: u32> __skel::UserFunction<(__skel::Each<f32>,)> for power<N> {
        type At = ();
        type Output = f32;
        const NAME: &'static __skel::core::primitive::str = "power";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (__a0,): <(__skel::Each<f32>,) as __skel::Params>::Args<'_>,
        ) -> f32 {
            power::<N>(__a0)
        }
        #[cfg(all(not(debug_assertions), panic = "unwind"))]
        const HAS_LANES: __skel::core::primitive::bool = true;
        #[cfg(all(not(debug_assertions), panic = "unwind"))]
        #[inline(always)]
        fn lanes<
            const __N: __skel::core::primitive::usize,
            __S: __skel::lanes::Source<(__skel::Each<f32>,), At = Self::At>,
        >(__source: &mut __S, __out: &mut __skel::lanes::Var<f32, __N>) {
            let mut __p0 = __skel::lanes::var::<_, __N>();
            for __l in 0..__N {
                let (__a0,) = __skel::lanes::Source::<
                    (__skel::Each<f32>,),
                >::args(__source, __l);
                __skel::lanes::set(&mut __p0, __l, __a0);
            }
            let __p0 = &__p0;
            __Me::__lanes::<N, __N>((__p0,), __out);
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<(__skel::KU<N>,)>>::ir(__cx)
        }
    }
};
