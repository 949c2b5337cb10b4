#[inline]
fn fold<T: Number, const N: u32>(a: T, b: T) -> T
where
    T: Mul<Output = T>,
{
    if a < b {
        return a.min(b);
    }
    a * b
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct fold<const N: u32> {
    __types: ::skel::__private::core::marker::PhantomData<fn() -> ()>,
}
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
    type __Me = fold<0>;
    impl<const N: u32> __skel::Marker for fold<N> {}
    impl __Me {
        pub fn __probe<T: Number, const N: u32>(
            _: &__skel::Callee<__Me, (T, __skel::KU<N>)>,
        ) -> fn(T, T) -> T
        where
            T: Mul<Output = T>,
        {
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
        pub fn __lanes<
            T: Number,
            const N: u32,
            const __N: __skel::core::primitive::usize,
        >(
            _: (
                impl __skel::lanes::Given<Value = T>,
                impl __skel::lanes::Given<Value = T>,
            ),
            __out: &mut __skel::lanes::Var<T, __N>,
        )
        where
            T: Mul<Output = T>,
            T: __skel::Element,
            T: __skel::Binary<__skel::operator::Mul, T>,
        {}
    }
    impl<T: Number, const N: u32> __skel::Instance<(T, __skel::KU<N>)> for __Me
    where
        T: Mul<Output = T>,
        T: __skel::Element,
        T: __skel::Binary<__skel::operator::Mul, T>,
    {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, (T, __skel::KU<N>)),
                >(
                "fold",
                |__cx| {
                    let __w0 = &__skel::Pair::new();
                    let __s1 = &__skel::Slot::new();
                    let __w2 = &__skel::Pair::new();
                    let _ = |a: T, b: T| -> T {
                        loop {};
                        {
                            if __w0.l(a) < __w0.r(b) {
                                return __s1.put(a).min(b);
                            }
                            __w2.l(a) * __w2.r(b)
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < T > (), __skel::Mode::In), (__skel::ty:: < T
                            > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<T>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (a b) @5 (bl @6 (if (b < 0 (v 0) (v 1)) (bl @7 (ret (m min 1 (v 0) (v 1))))) @9 (tail (b * 2 (v 0) (v 1)))))",
                        types: __skel::std::vec![],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![
                            __w0.compare:: < __skel::operator::PartialOrd > (__cx), __s1
                            .method:: < __skel::class::Number, 573156827627667575u64 >
                            (__cx), __w2.binary:: < __skel::operator::Mul > (__cx)
                        ],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl<
        T: Number,
        const N: u32,
    > __skel::UserFunction<(__skel::Each<T>, __skel::Each<T>)> for fold<N>
    where
        T: Mul<Output = T>,
        T: __skel::Element,
        T: __skel::Binary<__skel::operator::Mul, T>,
    {
        type At = ();
        type Output = T;
        const NAME: &'static __skel::core::primitive::str = "fold";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (
                __a0,
                __a1,
            ): <(__skel::Each<T>, __skel::Each<T>) as __skel::Params>::Args<'_>,
        ) -> T {
            fold::<T, N>(__a0, __a1)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<(T, __skel::KU<N>)>>::ir(__cx)
        }
    }
};
