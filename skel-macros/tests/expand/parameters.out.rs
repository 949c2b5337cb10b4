#[inline]
fn sampled(at: Index1, row: Row<f32>, xs: &[f32], rng: &mut Random) -> (f32, u32) {
    let k = rng.next_u32() as usize % row.len();
    (row[k] * xs[at.i], jitter(rng))
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct sampled {}
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
    type __Me = sampled;
    impl __skel::Marker for sampled {}
    impl __Me {
        pub fn __probe(
            _: &__skel::Callee<__Me, ()>,
        ) -> fn(Index1, Row<f32>, &[f32], &mut Random) -> (f32, u32) {
            loop {}
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, ()),
                >(
                "sampled",
                |__cx| {
                    let __c0 = __skel::Callee::new();
                    let _ = |
                        at: Index1,
                        row: Row<f32>,
                        xs: &[f32],
                        rng: &mut Random,
                    | -> (f32, u32) {
                        loop {};
                        {
                            let k = rng.next_u32() as usize % row.len();
                            (row[k] * xs[at.i], jitter::__probe(&__c0)(rng))
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < Index1 > (), __skel::Mode::In), (__skel::ty::
                            < Row < f32 > > (), __skel::Mode::In), (__skel::ty:: < &
                            [f32] > (), __skel::Mode::In), (__skel::ty:: < Random > (),
                            __skel::Mode::InOut)
                        ],
                        ret: __skel::ty::<(f32, u32)>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (at row xs rng) @2 (bl @3 (let 4 k - (b % - (as 0 (draw 0 (v 3))) (extent len (v 1)))) @4 (tail (tup - (b * - (ix (v 1) (v 4)) (ix (v 2) (f i (v 0)))) (c 1 (v 3))))))",
                        types: __skel::std::vec![__skel::ty:: < usize > ()],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![
                            __skel::random_method("next_u32", __cx), __c0.ir(__cx)
                        ],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl __skel::UserFunction<(__skel::EachRow<f32>, __skel::Whole<f32>)> for sampled {
        type At = __skel::WithRandom<Index1>;
        type Output = (f32, u32);
        const NAME: &'static __skel::core::primitive::str = "sampled";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: __skel::WithRandom<Index1>,
            (
                __a1,
                __a2,
            ): <(__skel::EachRow<f32>, __skel::Whole<f32>) as __skel::Params>::Args<'_>,
        ) -> (f32, u32) {
            let __skel::WithRandom { at: __at, random: mut __random } = __at;
            sampled(__at, __a1, __a2, &mut __random)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
fn main() {
    let m = ::skel::__private::map(
        {
            use ::skel::__private as __skel;
            let __host = |__at: __skel::WithRandom<()>, (m, k): (MatrixView<f32>, u32)| {
                let __skel::WithRandom { at: __at, random: mut __random } = __at;
                let _ = __at;
                let rng: &mut Random = &mut __random;
                m[(k as usize, 0)] + rng.uniform_f32()
            };
            #[allow(
                warnings,
                overflowing_literals,
                clippy::all,
                clippy::pedantic,
                clippy::nursery,
                clippy::restriction
            )]
            let __builder = |
                __cx: &mut __skel::Cx,
                __ret: &__skel::Slot<_>,
            | -> __skel::Source {
                let _ = |rng: &mut Random, m: MatrixView<f32>, k: u32| -> _ {
                    loop {};
                    __ret.put({ m[(k as usize, 0)] + rng.uniform_f32() })
                };
                __skel::Source {
                    file: __skel::core::file!(),
                    params: __skel::std::vec![
                        (__skel::ty:: < Random > (), __skel::Mode::InOut), (__skel::ty::
                        < MatrixView < f32 > > (), __skel::Mode::In), (__skel::ty:: < u32
                        > (), __skel::Mode::In)
                    ],
                    ret: __ret.ty(),
                    fast_math: false,
                    mathematics: __skel::mathematics,
                    text: "(fn (rng m k) @1 (bl @7 (tail (b + - (ix (v 1) (tup - (as 0 (v 2)) (lit ^ 0))) (draw 0 (v 0))))))",
                    types: __skel::std::vec![__skel::ty:: < usize > ()],
                    constants: __skel::std::vec![],
                    imps: __skel::std::vec![__skel::random_method("uniform_f32", __cx)],
                    messages: __skel::std::vec![],
                }
            };
            #[allow(
                warnings,
                overflowing_literals,
                clippy::all,
                clippy::pedantic,
                clippy::nursery,
                clippy::restriction
            )]
            let __builder_is_a_fn: fn(
                &mut __skel::Cx,
                &__skel::Slot<_>,
            ) -> __skel::Source = __builder;
            {
                #[cfg(not(all(not(debug_assertions), panic = "unwind")))]
                let __fun = __skel::Lambda::<
                    (__skel::WholeMatrix<f32>, __skel::Each<u32>),
                    __skel::WithRandom<()>,
                    _,
                    _,
                    _,
                    _,
                    false,
                >::fun(__host, __builder);
                #[allow(
                    warnings,
                    overflowing_literals,
                    clippy::all,
                    clippy::pedantic,
                    clippy::nursery,
                    clippy::restriction
                )]
                #[cfg(all(not(debug_assertions), panic = "unwind"))]
                let __fun = __skel::Lambda::<
                    (__skel::WholeMatrix<f32>, __skel::Each<u32>),
                    __skel::WithRandom<()>,
                    _,
                    _,
                    _,
                    __skel::Faces<_, _, { true }, false>,
                    false,
                >::with_lanes(
                    __host,
                    __builder,
                    #[inline(always)]
                    move |
                        __source: &mut dyn __skel::lanes::Source<
                            (__skel::WholeMatrix<f32>, __skel::Each<u32>),
                            At = __skel::WithRandom<()>,
                        >,
                        __out: &mut __skel::lanes::Var<_, 16usize>|
                    {
                        const __N: __skel::core::primitive::usize = 16usize;
                        let mut __p0 = __skel::lanes::Generators::<__N>::new();
                        let mut __p2 = __skel::lanes::var::<_, __N>();
                        for __l in 0..__N {
                            let __skel::WithRandom { random: __random, .. } = __skel::lanes::Source::<
                                (__skel::WholeMatrix<f32>, __skel::Each<u32>),
                            >::at(__source, __l);
                            let (__a0, __a1) = __skel::lanes::Source::<
                                (__skel::WholeMatrix<f32>, __skel::Each<u32>),
                            >::args(__source, __l);
                            __p0.set(__l, &__random);
                            __skel::lanes::set(&mut __p2, __l, __a1);
                        }
                        let __l = 0;
                        let (__a0, __a1) = __skel::lanes::Source::<
                            (__skel::WholeMatrix<f32>, __skel::Each<u32>),
                        >::args(__source, __l);
                        let __p1 = __skel::lanes::Same(__a0);
                        let __p0 = &mut __p0;
                        let __p2 = &__p2;
                        let mut __out = __out;
                        let mut __2_1_value = __skel::lanes::var::<_, __N>();
                        let m = __p1.0;
                        __p0.uniform_f32(&__skel::lanes::AllLanes, &mut __2_1_value);
                        for __l in 0..__N {
                            let k = __skel::lanes::lane(&__p2, __l);
                            let mut __ret = __skel::lanes::get(&__out, __l);
                            let mut __1_value = __skel::lanes::get(&__2_1_value, __l);
                            let __call_1 = __1_value;
                            __ret = m[(k as usize, 0)] + __call_1;
                            __skel::lanes::set(&mut __out, __l, __ret);
                        }
                    },
                    #[inline(always)]
                    move |
                        __source: &mut dyn __skel::lanes::Source<
                            (__skel::WholeMatrix<f32>, __skel::Each<u32>),
                            At = __skel::WithRandom<()>,
                        >,
                        __out: &mut __skel::lanes::Var<_, 32usize>|
                    {
                        const __N: __skel::core::primitive::usize = 32usize;
                        let mut __p0 = __skel::lanes::Generators::<__N>::new();
                        let mut __p2 = __skel::lanes::var::<_, __N>();
                        for __l in 0..__N {
                            let __skel::WithRandom { random: __random, .. } = __skel::lanes::Source::<
                                (__skel::WholeMatrix<f32>, __skel::Each<u32>),
                            >::at(__source, __l);
                            let (__a0, __a1) = __skel::lanes::Source::<
                                (__skel::WholeMatrix<f32>, __skel::Each<u32>),
                            >::args(__source, __l);
                            __p0.set(__l, &__random);
                            __skel::lanes::set(&mut __p2, __l, __a1);
                        }
                        let __l = 0;
                        let (__a0, __a1) = __skel::lanes::Source::<
                            (__skel::WholeMatrix<f32>, __skel::Each<u32>),
                        >::args(__source, __l);
                        let __p1 = __skel::lanes::Same(__a0);
                        let __p0 = &mut __p0;
                        let __p2 = &__p2;
                        let mut __out = __out;
                        let mut __2_1_value = __skel::lanes::var::<_, __N>();
                        let m = __p1.0;
                        __p0.uniform_f32(&__skel::lanes::AllLanes, &mut __2_1_value);
                        for __l in 0..__N {
                            let k = __skel::lanes::lane(&__p2, __l);
                            let mut __ret = __skel::lanes::get(&__out, __l);
                            let mut __1_value = __skel::lanes::get(&__2_1_value, __l);
                            let __call_1 = __1_value;
                            __ret = m[(k as usize, 0)] + __call_1;
                            __skel::lanes::set(&mut __out, __l, __ret);
                        }
                    },
                );
                __fun
            }
        },
        ::skel::__private::core::concat!(
            ::skel::__private::core::module_path!(), "::map(closure)"
        ),
    );
}
