#[inline(always)]
fn relax(u: Sweep2<f32, 1, 1>, f: f32, omega: f32) -> f32 {
    u[(0, 0)] + omega * (u[(-1, 0)] + u[(0, 1)] + f)
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct relax {}
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
    type __Me = relax;
    impl __skel::Marker for relax {}
    impl __Me {
        pub fn __probe(
            _: &__skel::Callee<__Me, ()>,
        ) -> fn(Sweep2<f32, 1, 1>, f32, f32) -> f32 {
            loop {}
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, ()),
                >(
                "relax",
                |__cx| {
                    let _ = |u: Sweep2<f32, 1, 1>, f: f32, omega: f32| -> f32 {
                        loop {};
                        { u[(0, 0)] + omega * (u[(-1, 0)] + u[(0, 1)] + f) }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < Sweep2 < f32, 1, 1 > > (), __skel::Mode::In),
                            (__skel::ty:: < f32 > (), __skel::Mode::In), (__skel::ty:: <
                            f32 > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<f32>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (u f omega) @2 (bl @3 (tail (b + - (ix (v 0) (tup - (lit ^ 0) (lit ^ 0))) (b * - (v 2) (b + - (b + - (ix (v 0) (tup - (lit ^ -1) (lit ^ 0))) (ix (v 0) (tup - (lit ^ 0) (lit ^ 1)))) (v 1)))))))",
                        types: __skel::std::vec![],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl __skel::UserFunction<
        (__skel::EachSweep2<f32, 1, 1>, __skel::Each<f32>, __skel::Uniform<f32>),
    > for relax {
        type At = ();
        type Output = f32;
        const NAME: &'static __skel::core::primitive::str = "relax";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (
                __a0,
                __a1,
                __a2,
            ): <(
                __skel::EachSweep2<f32, 1, 1>,
                __skel::Each<f32>,
                __skel::Uniform<f32>,
            ) as __skel::Params>::Args<'_>,
        ) -> f32 {
            relax(__a0, __a1, __a2)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
#[inline(always)]
fn chain<const R: usize>(w: Sweep1<[u32; 2], R>) -> [u32; 2] {
    [w[-1][0], w[0][1]]
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct chain {}
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
    type __Me = chain;
    impl __skel::Marker for chain {}
    impl __Me {
        pub fn __probe<const R: usize>(
            _: &__skel::Callee<__Me, (__skel::K<R>,)>,
        ) -> fn(Sweep1<[u32; 2], R>) -> [u32; 2] {
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
            _: (__skel::lanes::Same<Sweep1<[u32; 2], R>>,),
            __out: &mut __skel::lanes::Var<[u32; 2], __N>,
        ) {}
    }
    impl<const R: usize> __skel::Instance<(__skel::K<R>,)> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, (__skel::K<R>,)),
                >(
                "chain",
                |__cx| {
                    const {
                        __skel::core::assert!(
                            1 <= R, "offset -1 is beyond the radius of the sweep, `R`"
                        )
                    };
                    const {
                        __skel::core::assert!(
                            0 <= R, "offset 0 is beyond the radius of the sweep, `R`"
                        )
                    };
                    let _ = |w: Sweep1<[u32; 2], R>| -> [u32; 2] {
                        loop {};
                        { [w[-1][0], w[0][1]] }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < Sweep1 < [u32; 2], R > > (),
                            __skel::Mode::In)
                        ],
                        ret: __skel::ty::<[u32; 2]>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (w) @7 (bl @8 (tail (arr - (ix (ix (v 0) (lit ^ -1)) (lit ^ 0)) (ix (ix (v 0) (lit ^ 0)) (lit ^ 1))))))",
                        types: __skel::std::vec![],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl<const R: usize> __skel::UserFunction<(__skel::EachSweep1<[u32; 2], R>,)>
    for chain {
        type At = ();
        type Output = [u32; 2];
        const NAME: &'static __skel::core::primitive::str = "chain";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (__a0,): <(__skel::EachSweep1<[u32; 2], R>,) as __skel::Params>::Args<'_>,
        ) -> [u32; 2] {
            chain::<R>(__a0)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<(__skel::K<R>,)>>::ir(__cx)
        }
    }
};
