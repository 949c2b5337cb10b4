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
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
