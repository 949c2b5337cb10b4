#[inline]
fn scale(l: &mut Line<f32>, of: &Line<f32>) {
    for i in 0..l.len() {
        l[i] *= of[i];
    }
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct scale {}
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
    type __Me = scale;
    impl __skel::Marker for scale {}
    impl __Me {
        pub fn __probe(
            _: &__skel::Callee<__Me, ()>,
        ) -> fn(&mut Line<f32>, &Line<f32>) -> () {
            loop {}
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, ()),
                >(
                "scale",
                |__cx| {
                    let _ = |l: &mut Line<f32>, of: &Line<f32>| -> () {
                        loop {};
                        {
                            for i in 0..l.len() {
                                l[i] *= of[i];
                            }
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < Line < f32 > > (), __skel::Mode::InOut),
                            (__skel::ty:: < Line < f32 > > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<()>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (l of) @2 (bl @3 (tail (for 0 (range (lit ^ 0) (extent len (v 0)) - - -) (bind 2 i -) - (bl @4 (op * - (ix (v 0) (v 2)) (ix (v 1) (v 2))))))))",
                        types: __skel::std::vec![],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl __skel::UserFunction<(__skel::EachLineMut<f32>, __skel::EachLine<f32>)>
    for scale {
        type At = ();
        type Output = ();
        const NAME: &'static __skel::core::primitive::str = "scale";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (
                __a0,
                __a1,
            ): <(
                __skel::EachLineMut<f32>,
                __skel::EachLine<f32>,
            ) as __skel::Params>::Args<'_>,
        ) -> () {
            scale(__a0, __a1)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
#[inline]
fn twice(l: &mut Line<[u32; 2]>, x: &Line<f32>, y: &mut Line<f32>) {
    scale(y, x);
    l[0][1] = 3;
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct twice {}
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
    type __Me = twice;
    impl __skel::Marker for twice {}
    impl __Me {
        pub fn __probe(
            _: &__skel::Callee<__Me, ()>,
        ) -> fn(&mut Line<[u32; 2]>, &Line<f32>, &mut Line<f32>) -> () {
            loop {}
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, ()),
                >(
                "twice",
                |__cx| {
                    let __c0 = __skel::Callee::new();
                    let _ = |
                        l: &mut Line<[u32; 2]>,
                        x: &Line<f32>,
                        y: &mut Line<f32>,
                    | -> () {
                        loop {};
                        {
                            scale::__probe(&__c0)(y, x);
                            l[0][1] = 3;
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < Line < [u32; 2] > > (), __skel::Mode::InOut),
                            (__skel::ty:: < Line < f32 > > (), __skel::Mode::In),
                            (__skel::ty:: < Line < f32 > > (), __skel::Mode::InOut)
                        ],
                        ret: __skel::ty::<()>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (l x y) @9 (bl @10 (c 0 (v 2) (v 1)) @11 (= (ix (ix (v 0) (lit ^ 0)) (lit ^ 1)) (lit ^ 3))))",
                        types: __skel::std::vec![],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![__c0.ir(__cx)],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl __skel::UserFunction<
        (__skel::EachLineMut<[u32; 2]>, __skel::EachLine<f32>, __skel::EachLineMut<f32>),
    > for twice {
        type At = ();
        type Output = ();
        const NAME: &'static __skel::core::primitive::str = "twice";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (
                __a0,
                __a1,
                __a2,
            ): <(
                __skel::EachLineMut<[u32; 2]>,
                __skel::EachLine<f32>,
                __skel::EachLineMut<f32>,
            ) as __skel::Params>::Args<'_>,
        ) -> () {
            twice(__a0, __a1, __a2)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
