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
