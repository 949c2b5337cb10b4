#[inline]
fn ones(x: u32) -> u32 {
    x.count_ones()
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct ones {}
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
    type __Me = ones;
    impl __skel::Marker for ones {}
    impl __Me {
        pub fn __probe(_: &__skel::Callee<__Me, ()>) -> fn(u32) -> u32 {
            loop {}
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            {
                let __text = __skel::Foreign {
                    wgsl: __skel::core::option::Option::Some("return countOneBits(x);"),
                    cuda: __skel::core::option::Option::Some(include_str!("ones.cu")),
                    pure: true,
                };
                let __params = __skel::std::vec![
                    ("x", (__skel::ty:: < u32 > (), __skel::Mode::In))
                ];
                let __ret = __skel::ty::<u32>();
                unsafe {
                    __cx.foreign::<
                            (__Me, ()),
                        >("ones", __skel::core::file!(), __params, __ret, __text)
                }
            }
        }
    }
    impl __skel::UserFunction<(__skel::Each<u32>,)> for ones {
        type At = ();
        type Output = u32;
        const NAME: &'static __skel::core::primitive::str = "ones";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (__a0,): <(__skel::Each<u32>,) as __skel::Params>::Args<'_>,
        ) -> u32 {
            ones(__a0)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
