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
                true,
            >::fun(__host, __builder)
        },
        ::skel::__private::core::concat!(
            ::skel::__private::core::module_path!(), "::map_reduce(mult, closure)"
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
                    text: "(fn (at y) @1 (bl @4 (tail (op * - (v 1) (as 0 (f i (v 0)))))))",
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
                false,
            >::fun(__host, __builder)
        },
        ::skel::__private::core::concat!(
            ::skel::__private::core::module_path!(), "::map(closure)"
        ),
    );
}
