#[inline]
fn mandelbrot(cx: f32, cy: f32, limit: u32) -> u32 {
    let (mut x, mut y, mut n) = (0.0, 0.0, 0);
    while n < limit {
        let (xx, yy) = (x * x, y * y);
        if xx + yy > 4.0 {
            break;
        }
        y = 2.0 * x * y + cy;
        x = xx - yy + cx;
        n += 1;
    }
    n
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct mandelbrot {}
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
    type __Me = mandelbrot;
    impl __skel::Marker for mandelbrot {}
    impl __Me {
        pub fn __probe(_: &__skel::Callee<__Me, ()>) -> fn(f32, f32, u32) -> u32 {
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
        pub fn __lanes<const __N: __skel::core::primitive::usize>(
            (
                __p0,
                __p1,
                __p2,
            ): (
                impl __skel::lanes::Given<Value = f32>,
                impl __skel::lanes::Given<Value = f32>,
                impl __skel::lanes::Given<Value = u32>,
            ),
            __out: &mut __skel::lanes::Var<u32, __N>,
        ) {
            if !(__skel::lanes::is_same(&__p2)) {
                for __l in 0..__N {
                    __skel::lanes::set(
                        __out,
                        __l,
                        mandelbrot(
                            __skel::lanes::lane(&__p0, __l),
                            __skel::lanes::lane(&__p1, __l),
                            __skel::lanes::lane(&__p2, __l),
                        ),
                    );
                }
                return;
            }
            let mut __out = __out;
            let mut __1_x = __skel::lanes::var::<_, __N>();
            let mut __2_y = __skel::lanes::var::<_, __N>();
            let mut __3_n = __skel::lanes::var::<_, __N>();
            let limit = __skel::lanes::lane(&__p2, 0);
            for __l in 0..__N {
                let (mut x, mut y, mut n) = (0.0, 0.0, 0);
                __skel::lanes::set(&mut __1_x, __l, x);
                __skel::lanes::set(&mut __2_y, __l, y);
                __skel::lanes::set(&mut __3_n, __l, n);
            }
            {
                let mut __4_on = __skel::lanes::Mask::<__N>::all();
                loop {
                    let mut __any = false;
                    for __l in 0..__N {
                        let cx = __skel::lanes::lane(&__p0, __l);
                        let cy = __skel::lanes::lane(&__p1, __l);
                        let mut x = __skel::lanes::get(&__1_x, __l);
                        let mut y = __skel::lanes::get(&__2_y, __l);
                        let mut n = __skel::lanes::get(&__3_n, __l);
                        let mut __m1 = __4_on.get(__l);
                        __m1 &= n < limit;
                        let (xx, yy) = (x * x, y * y);
                        {
                            let __c = __m1 & (xx + yy > 4.0);
                            __m1 &= !__c;
                        }
                        y = 2.0 * x * y + cy;
                        x = xx - yy + cx;
                        let __old_6 = n;
                        n += 1;
                        n = __skel::lanes::pick(__m1, n, __old_6);
                        __skel::lanes::set(&mut __1_x, __l, x);
                        __skel::lanes::set(&mut __2_y, __l, y);
                        __skel::lanes::set(&mut __3_n, __l, n);
                        __any |= __m1;
                        __4_on.set(__l, __m1);
                    }
                    if !__any {
                        break;
                    }
                }
            }
            for __l in 0..__N {
                let mut __ret = __skel::lanes::get(&__out, __l);
                let mut n = __skel::lanes::get(&__3_n, __l);
                __ret = n;
                __skel::lanes::set(&mut __out, __l, __ret);
            }
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, ()),
                >(
                "mandelbrot",
                |__cx| {
                    let __s0 = &__skel::Slot::new();
                    let __s1 = &__skel::Slot::new();
                    let __s2 = &__skel::Slot::new();
                    let __w3 = &__skel::Pair::new();
                    let __w4 = &__skel::Pair::new();
                    let __w5 = &__skel::Pair::new();
                    let __s6 = &__skel::Slot::new();
                    let __w7 = &__skel::Pair::new();
                    let __w8 = &__skel::Pair::new();
                    let __w9 = &__skel::Pair::new();
                    let __w10 = &__skel::Pair::new();
                    let __w11 = &__skel::Pair::new();
                    let __s12 = &__skel::Slot::new();
                    let __w13 = &__skel::Pair::new();
                    let _ = |cx: f32, cy: f32, limit: u32| -> u32 {
                        loop {};
                        {
                            let (mut x, mut y, mut n) = (
                                __s0.put(0.0),
                                __s1.put(0.0),
                                __s2.put(0),
                            );
                            while n < limit {
                                let (xx, yy) = (
                                    __w3.l(x) * __w3.r(x),
                                    __w4.l(y) * __w4.r(y),
                                );
                                if __w5.l(xx) + __w5.r(yy) > 4.0 {
                                    break;
                                }
                                y = __w9
                                    .l(__w8.l(__w7.l(__s6.put(2.0)) * __w7.r(x)) * __w8.r(y))
                                    + __w9.r(cy);
                                x = __w11.l(__w10.l(xx) - __w10.r(yy)) + __w11.r(cx);
                                {
                                    __w13.see(&n);
                                    n += __w13.r(__s12.put(1));
                                };
                            }
                            n
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < f32 > (), __skel::Mode::In), (__skel::ty:: <
                            f32 > (), __skel::Mode::In), (__skel::ty:: < u32 > (),
                            __skel::Mode::In)
                        ],
                        ret: __skel::ty::<u32>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (cx cy limit) @2 (bl @3 (unpack (of (0 (bind 3 x -)) (1 (bind 4 y -)) (2 (bind 5 n -))) - (tup - (lit 0 0.0) (lit 1 0.0) (lit 2 0))) @4 (while 0 (b < - (v 5) (v 2)) (bl @5 (unpack (of (0 (bind 6 xx -)) (1 (bind 7 yy -))) - (tup - (b * 0 (v 3) (v 3)) (b * 1 (v 4) (v 4)))) @6 (if (b > - (b + 2 (v 6) (v 7)) (lit ^ 4.0)) (bl @7 (brk 0))) @9 (= (v 4) (b + 5 (b * 4 (b * 3 (lit 3 2.0) (v 3)) (v 4)) (v 1))) @10 (= (v 3) (b + 7 (b - 6 (v 6) (v 7)) (v 0))) @11 (op + 8 (v 5) (lit 4 1)))) @13 (tail (v 5))))",
                        types: __skel::std::vec![
                            __s0.ty(), __s1.ty(), __s2.ty(), __s6.ty(), __s12.ty()
                        ],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![
                            __w3.binary:: < __skel::operator::Mul > (__cx), __w4.binary::
                            < __skel::operator::Mul > (__cx), __w5.binary:: <
                            __skel::operator::Add > (__cx), __w7.binary:: <
                            __skel::operator::Mul > (__cx), __w8.binary:: <
                            __skel::operator::Mul > (__cx), __w9.binary:: <
                            __skel::operator::Add > (__cx), __w10.binary:: <
                            __skel::operator::Sub > (__cx), __w11.binary:: <
                            __skel::operator::Add > (__cx), __w13.binary:: <
                            __skel::operator::AddAssign > (__cx)
                        ],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl __skel::UserFunction<
        (__skel::Each<f32>, __skel::Each<f32>, __skel::Uniform<u32>),
    > for mandelbrot {
        type At = ();
        type Output = u32;
        const NAME: &'static __skel::core::primitive::str = "mandelbrot";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (
                __a0,
                __a1,
                __a2,
            ): <(
                __skel::Each<f32>,
                __skel::Each<f32>,
                __skel::Uniform<u32>,
            ) as __skel::Params>::Args<'_>,
        ) -> u32 {
            mandelbrot(__a0, __a1, __a2)
        }
        #[cfg(all(not(debug_assertions), panic = "unwind"))]
        const HAS_LANES: __skel::core::primitive::bool = true;
        #[cfg(all(not(debug_assertions), panic = "unwind"))]
        #[inline(always)]
        fn lanes<
            const __N: __skel::core::primitive::usize,
            __S: __skel::lanes::Source<
                    (__skel::Each<f32>, __skel::Each<f32>, __skel::Uniform<u32>),
                    At = Self::At,
                >,
        >(__source: &mut __S, __out: &mut __skel::lanes::Var<u32, __N>) {
            let mut __p0 = __skel::lanes::var::<_, __N>();
            let mut __p1 = __skel::lanes::var::<_, __N>();
            for __l in 0..__N {
                let (__a0, __a1, __a2) = __skel::lanes::Source::<
                    (__skel::Each<f32>, __skel::Each<f32>, __skel::Uniform<u32>),
                >::args(__source, __l);
                __skel::lanes::set(&mut __p0, __l, __a0);
                __skel::lanes::set(&mut __p1, __l, __a1);
            }
            let __l = 0;
            let (__a0, __a1, __a2) = __skel::lanes::Source::<
                (__skel::Each<f32>, __skel::Each<f32>, __skel::Uniform<u32>),
            >::args(__source, __l);
            let __p2 = __skel::lanes::Same(__a2);
            let __p0 = &__p0;
            let __p1 = &__p1;
            __Me::__lanes::<__N>((__p0, __p1, __p2), __out);
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
#[inline]
fn steps(at: Index1, x: u32, total: &mut u32) -> u32 {
    let mut sum = 0;
    'outer: for i in 0..x {
        if i % 3 == 0 {
            continue;
        }
        for j in 0..4 {
            if sum > 1000 {
                return sum;
            }
            if (sum ^ j) % (i + 1) == 7 {
                break 'outer;
            }
            sum += i * j + at.i as u32;
        }
    }
    *total += sum;
    sum + x
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct steps {}
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
    type __Me = steps;
    impl __skel::Marker for steps {}
    impl __Me {
        pub fn __probe(
            _: &__skel::Callee<__Me, ()>,
        ) -> fn(Index1, u32, &mut u32) -> u32 {
            loop {}
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, ()),
                >(
                "steps",
                |__cx| {
                    let __s0 = &__skel::Slot::new();
                    let __s1 = &__skel::Slot::new();
                    let _ = |at: Index1, x: u32, total: &mut u32| -> u32 {
                        loop {};
                        {
                            let mut sum = __s0.put(0);
                            'outer: for i in 0..x {
                                if i % 3 == 0 {
                                    continue;
                                }
                                for j in __s1.put(0)..4 {
                                    if sum > 1000 {
                                        return sum;
                                    }
                                    if (sum ^ j) % (i + 1) == 7 {
                                        break 'outer;
                                    }
                                    sum += i * j + at.i as u32;
                                }
                            }
                            *total += sum;
                            sum + x
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < Index1 > (), __skel::Mode::In), (__skel::ty::
                            < u32 > (), __skel::Mode::In), (__skel::ty:: < u32 > (),
                            __skel::Mode::InOut)
                        ],
                        ret: __skel::ty::<u32>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (at x total) @17 (bl @18 (let 3 sum - (lit 0 0)) @19 (for 0 (range (lit ^ 0) (v 1) - - -) (bind 4 i -) - (bl @20 (if (b == - (b % - (v 4) (lit ^ 3)) (lit ^ 0)) (bl @21 (cont 0))) @23 (tail (for 1 (range (lit 1 0) (lit ^ 4) - - -) (bind 5 j -) - (bl @24 (if (b > - (v 3) (lit ^ 1000)) (bl @25 (ret (v 3)))) @27 (if (b == - (b % - (b ^ - (v 3) (v 5)) (b + - (v 4) (lit ^ 1))) (lit ^ 7)) (bl @28 (brk 0))) @30 (op + - (v 3) (b + - (b * - (v 4) (v 5)) (as 2 (f i (v 0)))))))))) @33 (op + - (v 2) (v 3)) @34 (tail (b + - (v 3) (v 1)))))",
                        types: __skel::std::vec![
                            __s0.ty(), __s1.ty(), __skel::ty:: < u32 > ()
                        ],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl __skel::UserFunction<(__skel::Each<u32>, __skel::EachMut<u32>)> for steps {
        type At = Index1;
        type Output = u32;
        const NAME: &'static __skel::core::primitive::str = "steps";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: Index1,
            (
                __a1,
                __a2,
            ): <(__skel::Each<u32>, __skel::EachMut<u32>) as __skel::Params>::Args<'_>,
        ) -> u32 {
            steps(__at, __a1, __a2)
        }
        #[cfg(all(not(debug_assertions), panic = "unwind"))]
        const HAS_LANES: __skel::core::primitive::bool = true;
        #[cfg(all(not(debug_assertions), panic = "unwind"))]
        #[inline(always)]
        fn lanes<
            const __N: __skel::core::primitive::usize,
            __S: __skel::lanes::Source<
                    (__skel::Each<u32>, __skel::EachMut<u32>),
                    At = Self::At,
                >,
        >(__source: &mut __S, __out: &mut __skel::lanes::Var<u32, __N>) {
            let mut __p0 = __skel::lanes::var::<_, __N>();
            let mut __p1 = __skel::lanes::var::<_, __N>();
            let mut __p2 = __skel::lanes::var::<_, __N>();
            for __l in 0..__N {
                let __at = __skel::lanes::Source::<
                    (__skel::Each<u32>, __skel::EachMut<u32>),
                >::at(__source, __l);
                let (__a1, __a2) = __skel::lanes::Source::<
                    (__skel::Each<u32>, __skel::EachMut<u32>),
                >::args(__source, __l);
                __skel::lanes::set(&mut __p0, __l, __at);
                __skel::lanes::set(&mut __p1, __l, __a1);
                __skel::lanes::set(&mut __p2, __l, *__a2);
            }
            let __p0 = &__p0;
            let __p1 = &__p1;
            let mut __out = __out;
            let mut __4_2_at = __skel::lanes::var::<_, __N>();
            let mut __5_3_end = __skel::lanes::var::<_, __N>();
            let mut __6_sum = __skel::lanes::var::<_, __N>();
            let mut __9_i = __skel::lanes::var::<_, __N>();
            let mut __1_on = __skel::lanes::Mask::<__N>::all();
            for __l in 0..__N {
                let x = __skel::lanes::lane(&__p1, __l);
                let mut __2_at = __skel::lanes::get(&__4_2_at, __l);
                let mut __3_end = __skel::lanes::get(&__5_3_end, __l);
                let mut __m0 = __1_on.get(__l);
                let mut sum = 0;
                if __m0 {
                    let __range = (0)..(x);
                    __2_at = __range.start;
                    __3_end = __range.end;
                }
                __skel::lanes::set(&mut __4_2_at, __l, __2_at);
                __skel::lanes::set(&mut __5_3_end, __l, __3_end);
                __skel::lanes::set(&mut __6_sum, __l, sum);
            }
            if __1_on.any() {
                let mut __7_on = __1_on;
                loop {
                    let mut __8_round = __skel::lanes::Mask::<__N>::all();
                    for __l in 0..__N {
                        let mut __2_at = __skel::lanes::get(&__4_2_at, __l);
                        let mut __3_end = __skel::lanes::get(&__5_3_end, __l);
                        let mut __m1 = __7_on.get(__l);
                        __m1 &= __2_at < __3_end;
                        let mut __m2 = __m1;
                        let i = __2_at;
                        if __m1 {
                            __2_at = __2_at + 1;
                        }
                        {
                            let __c = __m2 & (i % 3 == 0);
                            __m2 &= !__c;
                        }
                        __skel::lanes::set(&mut __4_2_at, __l, __2_at);
                        __7_on.set(__l, __m1);
                        __8_round.set(__l, __m2);
                        __skel::lanes::set(&mut __9_i, __l, i);
                    }
                    if __8_round.any() {
                        for j in 0..4 {
                            let mut __any = false;
                            for __l in 0..__N {
                                let at = __skel::lanes::lane(&__p0, __l);
                                let mut __ret = __skel::lanes::get(&__out, __l);
                                let mut sum = __skel::lanes::get(&__6_sum, __l);
                                let mut i = __skel::lanes::get(&__9_i, __l);
                                let mut __m0 = __1_on.get(__l);
                                let mut __m1 = __7_on.get(__l);
                                let mut __m2 = __8_round.get(__l);
                                {
                                    let __c = __m2 & (sum > 1000);
                                    {
                                        let __value = sum;
                                        __ret = __skel::lanes::pick(__c, __value, __ret);
                                    }
                                    __m0 &= !__c;
                                    __m1 &= !__c;
                                    __m2 &= !__c;
                                }
                                {
                                    let __c = __m2 && ((sum ^ j) % (i + 1) == 7);
                                    __m1 &= !__c;
                                    __m2 &= !__c;
                                }
                                let __old_6 = sum;
                                sum += i * j + at.i as u32;
                                sum = __skel::lanes::pick(__m2, sum, __old_6);
                                __skel::lanes::set(&mut __out, __l, __ret);
                                __skel::lanes::set(&mut __6_sum, __l, sum);
                                __any |= __m2;
                                __1_on.set(__l, __m0);
                                __7_on.set(__l, __m1);
                                __8_round.set(__l, __m2);
                            }
                            if !__any {
                                break;
                            }
                        }
                    }
                    if !__7_on.any() {
                        break;
                    }
                }
            }
            for __l in 0..__N {
                let x = __skel::lanes::lane(&__p1, __l);
                let mut __value_2 = __skel::lanes::get(&__p2, __l);
                let mut total = &mut __value_2;
                let mut __ret = __skel::lanes::get(&__out, __l);
                let mut sum = __skel::lanes::get(&__6_sum, __l);
                let mut __m0 = __1_on.get(__l);
                let __old_2 = *total;
                *total += sum;
                *total = __skel::lanes::pick(__m0, *total, __old_2);
                {
                    let __value = sum + x;
                    __ret = __skel::lanes::pick(__m0, __value, __ret);
                }
                __skel::lanes::set(&mut __p2, __l, __value_2);
                __skel::lanes::set(&mut __out, __l, __ret);
            }
            for __l in 0..__N {
                let (__a1, __a2) = __skel::lanes::Source::<
                    (__skel::Each<u32>, __skel::EachMut<u32>),
                >::args(__source, __l);
                *__a2 = __skel::lanes::get(&__p2, __l);
            }
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
#[inline]
fn plain(x: u32) -> u32 {
    let mut n = 0;
    while n < x {
        n += 2;
    }
    n
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct plain {}
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
    type __Me = plain;
    impl __skel::Marker for plain {}
    impl __Me {
        pub fn __probe(_: &__skel::Callee<__Me, ()>) -> fn(u32) -> u32 {
            loop {}
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, ()),
                >(
                "plain",
                |__cx| {
                    let __s0 = &__skel::Slot::new();
                    let _ = |x: u32| -> u32 {
                        loop {};
                        {
                            let mut n = __s0.put(0);
                            while n < x {
                                n += 2;
                            }
                            n
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < u32 > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<u32>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (x) @38 (bl @39 (let 1 n - (lit 0 0)) @40 (while 0 (b < - (v 1) (v 0)) (bl @41 (op + - (v 1) (lit ^ 2)))) @43 (tail (v 1))))",
                        types: __skel::std::vec![__s0.ty()],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl __skel::UserFunction<(__skel::Each<u32>,)> for plain {
        type At = ();
        type Output = u32;
        const NAME: &'static __skel::core::primitive::str = "plain";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (__a0,): <(__skel::Each<u32>,) as __skel::Params>::Args<'_>,
        ) -> u32 {
            plain(__a0)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
