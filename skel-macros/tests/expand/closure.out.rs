fn main() {
    let m = ::skel::__private::map(
        {
            use ::skel::__private as __skel;
            let __host = |_: (), (x, k): (f32, f32)| k * x;
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
                let _ = |x: f32, k: f32| -> _ {
                    loop {};
                    __ret.put({ k * x })
                };
                __skel::Source {
                    file: __skel::core::file!(),
                    params: __skel::std::vec![
                        (__skel::ty:: < f32 > (), __skel::Mode::In), (__skel::ty:: < f32
                        > (), __skel::Mode::In)
                    ],
                    ret: __ret.ty(),
                    fast_math: false,
                    mathematics: __skel::mathematics,
                    text: "(fn (x k) @1 (bl @2 (tail (b * - (v 1) (v 0)))))",
                    types: __skel::std::vec![],
                    constants: __skel::std::vec![],
                    imps: __skel::std::vec![],
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
            __skel::Lambda::<
                (__skel::Each<f32>, __skel::Uniform<f32>),
                (),
                _,
                _,
                _,
                _,
                false,
            >::fun(__host, __builder)
        },
        ::skel::__private::core::concat!(
            ::skel::__private::core::module_path!(), "::map(closure)"
        ),
    );
    let d = ::skel::__private::map_reduce(
        ::skel::__private::fun::<mult>(),
        {
            use ::skel::__private as __skel;
            let __host = |_: (), (a, b): (f32, f32)| -> f32 { a + b };
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
                let _ = |a: f32, b: f32| -> f32 {
                    loop {};
                    __ret.put({ a + b })
                };
                __skel::Source {
                    file: __skel::core::file!(),
                    params: __skel::std::vec![
                        (__skel::ty:: < f32 > (), __skel::Mode::In), (__skel::ty:: < f32
                        > (), __skel::Mode::In)
                    ],
                    ret: __ret.ty(),
                    fast_math: false,
                    mathematics: __skel::mathematics,
                    text: "(fn (a b) @3 (bl (tail (b + - (v 0) (v 1)))))",
                    types: __skel::std::vec![],
                    constants: __skel::std::vec![],
                    imps: __skel::std::vec![],
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
            __skel::Lambda::<
                (__skel::Each<f32>, __skel::Each<f32>),
                (),
                _,
                _,
                _,
                _,
                true,
            >::fun(__host, __builder)
        },
        ::skel::__private::core::concat!(
            ::skel::__private::core::module_path!(), "::map_reduce(mult, closure)"
        ),
    );
    let l = ::skel::__private::map(
        {
            use ::skel::__private as __skel;
            let __host = |_: (), (x,): (u32,)| {
                let mut n = x;
                while n > 9 {
                    n /= 2;
                }
                n
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
                let _ = |x: u32| -> _ {
                    loop {};
                    __ret
                        .put({
                            let mut n = x;
                            while n > 9 {
                                n /= 2;
                            }
                            n
                        })
                };
                __skel::Source {
                    file: __skel::core::file!(),
                    params: __skel::std::vec![
                        (__skel::ty:: < u32 > (), __skel::Mode::In)
                    ],
                    ret: __ret.ty(),
                    fast_math: false,
                    mathematics: __skel::mathematics,
                    text: "(fn (x) @4 (bl @5 (let 1 n - (v 0)) @6 (while 0 (b > - (v 1) (lit ^ 9)) (bl @7 (op / - (v 1) (lit ^ 2)))) @9 (tail (v 1))))",
                    types: __skel::std::vec![],
                    constants: __skel::std::vec![],
                    imps: __skel::std::vec![],
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
                    (__skel::Each<u32>,),
                    (),
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
                    (__skel::Each<u32>,),
                    (),
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
                            (__skel::Each<u32>,),
                            At = (),
                        >,
                        __out: &mut __skel::lanes::Var<_, 16usize>|
                    {
                        const __N: __skel::core::primitive::usize = 16usize;
                        let mut __p0 = __skel::lanes::var::<_, __N>();
                        for __l in 0..__N {
                            let (__a0,) = __skel::lanes::Source::<
                                (__skel::Each<u32>,),
                            >::args(__source, __l);
                            __skel::lanes::set(&mut __p0, __l, __a0);
                        }
                        let __p0 = &__p0;
                        let mut __out = __out;
                        let mut __1_n = __skel::lanes::var::<_, __N>();
                        for __l in 0..__N {
                            let x = __skel::lanes::lane(&__p0, __l);
                            let mut n = x;
                            __skel::lanes::set(&mut __1_n, __l, n);
                        }
                        {
                            let mut __2_on = __skel::lanes::Mask::<__N>::all();
                            loop {
                                let mut __any = false;
                                for __l in 0..__N {
                                    let mut n = __skel::lanes::get(&__1_n, __l);
                                    let mut __m1 = __2_on.get(__l);
                                    __m1 &= n > 9;
                                    let __old_2 = n;
                                    n /= 2;
                                    n = __skel::lanes::pick(__m1, n, __old_2);
                                    __skel::lanes::set(&mut __1_n, __l, n);
                                    __any |= __m1;
                                    __2_on.set(__l, __m1);
                                }
                                if !__any {
                                    break;
                                }
                            }
                        }
                        for __l in 0..__N {
                            let mut __ret = __skel::lanes::get(&__out, __l);
                            let mut n = __skel::lanes::get(&__1_n, __l);
                            __ret = n;
                            __skel::lanes::set(&mut __out, __l, __ret);
                        }
                    },
                    #[inline(always)]
                    move |
                        __source: &mut dyn __skel::lanes::Source<
                            (__skel::Each<u32>,),
                            At = (),
                        >,
                        __out: &mut __skel::lanes::Var<_, 32usize>|
                    {
                        const __N: __skel::core::primitive::usize = 32usize;
                        let mut __p0 = __skel::lanes::var::<_, __N>();
                        for __l in 0..__N {
                            let (__a0,) = __skel::lanes::Source::<
                                (__skel::Each<u32>,),
                            >::args(__source, __l);
                            __skel::lanes::set(&mut __p0, __l, __a0);
                        }
                        let __p0 = &__p0;
                        let mut __out = __out;
                        let mut __1_n = __skel::lanes::var::<_, __N>();
                        for __l in 0..__N {
                            let x = __skel::lanes::lane(&__p0, __l);
                            let mut n = x;
                            __skel::lanes::set(&mut __1_n, __l, n);
                        }
                        {
                            let mut __2_on = __skel::lanes::Mask::<__N>::all();
                            loop {
                                let mut __any = false;
                                for __l in 0..__N {
                                    let mut n = __skel::lanes::get(&__1_n, __l);
                                    let mut __m1 = __2_on.get(__l);
                                    __m1 &= n > 9;
                                    let __old_2 = n;
                                    n /= 2;
                                    n = __skel::lanes::pick(__m1, n, __old_2);
                                    __skel::lanes::set(&mut __1_n, __l, n);
                                    __any |= __m1;
                                    __2_on.set(__l, __m1);
                                }
                                if !__any {
                                    break;
                                }
                            }
                        }
                        for __l in 0..__N {
                            let mut __ret = __skel::lanes::get(&__out, __l);
                            let mut n = __skel::lanes::get(&__1_n, __l);
                            __ret = n;
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
    let p = ::skel::__private::map(
        {
            use ::skel::__private as __skel;
            let __host = |at: Index1, (y,): (&mut f32,)| *y *= at.i as f32;
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
                let _ = |at: Index1, y: &mut f32| -> _ {
                    loop {};
                    __ret.put({ *y *= at.i as f32 })
                };
                __skel::Source {
                    file: __skel::core::file!(),
                    params: __skel::std::vec![
                        (__skel::ty:: < Index1 > (), __skel::Mode::In), (__skel::ty:: <
                        f32 > (), __skel::Mode::InOut)
                    ],
                    ret: __ret.ty(),
                    fast_math: false,
                    mathematics: __skel::mathematics,
                    text: "(fn (at y) @1 (bl @11 (tail (op * - (v 1) (as 0 (f i (v 0)))))))",
                    types: __skel::std::vec![__skel::ty:: < f32 > ()],
                    constants: __skel::std::vec![],
                    imps: __skel::std::vec![],
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
            __skel::Lambda::<
                (__skel::EachMut<f32>,),
                Index1,
                _,
                _,
                _,
                _,
                false,
            >::fun(__host, __builder)
        },
        ::skel::__private::core::concat!(
            ::skel::__private::core::module_path!(), "::map(closure)"
        ),
    );
}
