#[inline]
fn edges<const R: usize>(w: Window1<f32, R>, p: Pool2<u8, 2, 2>, d: isize) -> f32 {
    w[-2] + w[d] + p[(0, 1)] as f32
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct edges {}
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
    type __Me = edges;
    impl __skel::Marker for edges {}
    impl __Me {
        pub fn __probe<const R: usize>(
            _: &__skel::Callee<__Me, (__skel::K<R>,)>,
        ) -> fn(Window1<f32, R>, Pool2<u8, 2, 2>, isize) -> f32 {
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
        pub fn __lanes<const R: usize, const __N: __skel::core::primitive::usize>(
            _: (
                __skel::lanes::Same<Window1<f32, R>>,
                __skel::lanes::Same<Pool2<u8, 2, 2>>,
                impl __skel::lanes::Given<Value = isize>,
            ),
            __out: &mut __skel::lanes::Var<f32, __N>,
        ) {}
    }
    impl<const R: usize> __skel::Instance<(__skel::K<R>,)> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, (__skel::K<R>,)),
                >(
                "edges",
                |__cx| {
                    const {
                        __skel::core::assert!(
                            2 <= R, "offset -2 is beyond the radius of the window, `R`"
                        )
                    };
                    let _ = |w: Window1<f32, R>, p: Pool2<u8, 2, 2>, d: isize| -> f32 {
                        loop {};
                        { w[-2] + w[d] + p[(0, 1)] as f32 }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < Window1 < f32, R > > (), __skel::Mode::In),
                            (__skel::ty:: < Pool2 < u8, 2, 2 > > (), __skel::Mode::In),
                            (__skel::ty:: < isize > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<f32>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (w p d) @2 (bl @3 (tail (b + - (b + - (ix (v 0) (lit ^ -2)) (ix (v 0) (v 2))) (as 0 (ix (v 1) (tup - (lit ^ 0) (lit ^ 1))))))))",
                        types: __skel::std::vec![__skel::ty:: < f32 > ()],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl<
        const R: usize,
    > __skel::UserFunction<
        (__skel::EachWindow1<f32, R>, __skel::EachPool2<u8, 2, 2>, __skel::Each<isize>),
    > for edges {
        type At = ();
        type Output = f32;
        const NAME: &'static __skel::core::primitive::str = "edges";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (
                __a0,
                __a1,
                __a2,
            ): <(
                __skel::EachWindow1<f32, R>,
                __skel::EachPool2<u8, 2, 2>,
                __skel::Each<isize>,
            ) as __skel::Params>::Args<'_>,
        ) -> f32 {
            edges::<R>(__a0, __a1, __a2)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<(__skel::K<R>,)>>::ir(__cx)
        }
    }
};
#[inline]
fn mean<const R: usize>(w: Window1<f32, R>) -> f32 {
    let (r, mut sum) = (R as isize, 0.0);
    for offset in ::skel::__private::inclusive(-r, r) {
        sum += w[offset];
    }
    sum / (2 * R + 1) as f32
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct mean {}
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
    type __Me = mean;
    impl __skel::Marker for mean {}
    impl __Me {
        pub fn __probe<const R: usize>(
            _: &__skel::Callee<__Me, (__skel::K<R>,)>,
        ) -> fn(Window1<f32, R>) -> f32 {
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
        pub fn __lanes<const R: usize, const __N: __skel::core::primitive::usize>(
            _: (__skel::lanes::Same<Window1<f32, R>>,),
            __out: &mut __skel::lanes::Var<f32, __N>,
        ) {}
    }
    impl<const R: usize> __skel::Instance<(__skel::K<R>,)> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, (__skel::K<R>,)),
                >(
                "mean",
                |__cx| {
                    let __s0 = &__skel::Slot::new();
                    let __s1 = &__skel::Slot::new();
                    let __w2 = &__skel::Pair::new();
                    let __s3 = &__skel::Slot::new();
                    let __w4 = &__skel::Pair::new();
                    let __s5 = &__skel::Slot::new();
                    let __w6 = &__skel::Pair::new();
                    let __w7 = &__skel::Pair::new();
                    let _ = |w: Window1<f32, R>| -> f32 {
                        loop {};
                        {
                            let (r, mut sum) = (R as isize, __s0.put(0.0));
                            for offset in -__s1.put(r)..=r {
                                {
                                    __w2.see(&sum);
                                    sum += __w2.r(w[offset]);
                                };
                            }
                            __w7.l(sum)
                                / __w7
                                    .r(
                                        (__w6.l(__w4.l(__s3.put(2)) * __w4.r(R))
                                            + __w6.r(__s5.put(1))) as f32,
                                    )
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < Window1 < f32, R > > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<f32>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (w) @7 (bl @8 (unpack (of (0 (bind 1 r -)) (1 (bind 2 sum -))) - (tup - (as 0 (k 0)) (lit 1 0.0))) @9 (for 0 (range (u - 0 (v 1)) (v 1) closed - -) (bind 3 offset -) - (bl @10 (op + 1 (v 2) (ix (v 0) (v 3))))) @12 (tail (b / 4 (v 2) (as 4 (b + 3 (b * 2 (lit 2 2) (k 1)) (lit 3 1)))))))",
                        types: __skel::std::vec![
                            __skel::ty:: < isize > (), __s0.ty(), __s3.ty(), __s5.ty(),
                            __skel::ty:: < f32 > ()
                        ],
                        constants: __skel::std::vec![
                            __skel::constant(& R), __skel::constant(& R)
                        ],
                        imps: __skel::std::vec![
                            __s1.unary:: < __skel::operator::Neg > (__cx), __w2.binary::
                            < __skel::operator::AddAssign > (__cx), __w4.binary:: <
                            __skel::operator::Mul > (__cx), __w6.binary:: <
                            __skel::operator::Add > (__cx), __w7.binary:: <
                            __skel::operator::Div > (__cx)
                        ],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl<const R: usize> __skel::UserFunction<(__skel::EachWindow1<f32, R>,)> for mean {
        type At = ();
        type Output = f32;
        const NAME: &'static __skel::core::primitive::str = "mean";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (__a0,): <(__skel::EachWindow1<f32, R>,) as __skel::Params>::Args<'_>,
        ) -> f32 {
            mean::<R>(__a0)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<(__skel::K<R>,)>>::ir(__cx)
        }
    }
};
