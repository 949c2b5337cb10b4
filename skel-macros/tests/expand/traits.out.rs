pub trait Shape: Copy {
    fn area(self) -> f32;
    fn twice(self) -> f32 {
        self.area() * 2.0
    }
    #[doc(hidden)]
    #[allow(
        warnings,
        overflowing_literals,
        clippy::all,
        clippy::pedantic,
        clippy::nursery,
        clippy::restriction
    )]
    fn __user_function_area(
        &self,
        _: &::skel::__private::Callee<
            __UserTraitShape<Self>,
            (::skel::__private::Named<9894459526856489156u64>, ()),
        >,
    ) -> fn() -> f32
    where
        Self: ::skel::__private::core::marker::Sized,
    {
        loop {}
    }
    #[doc(hidden)]
    #[allow(
        warnings,
        overflowing_literals,
        clippy::all,
        clippy::pedantic,
        clippy::nursery,
        clippy::restriction
    )]
    fn __user_function_path_area(
        _: &::skel::__private::Callee<
            __UserTraitShape<Self>,
            (::skel::__private::Named<9894459526856489156u64>, ()),
        >,
    ) -> fn(Self) -> f32
    where
        Self: ::skel::__private::core::marker::Sized,
    {
        loop {}
    }
    #[doc(hidden)]
    #[allow(
        warnings,
        overflowing_literals,
        clippy::all,
        clippy::pedantic,
        clippy::nursery,
        clippy::restriction
    )]
    fn __user_function_source_area(
        __cx: &mut ::skel::__private::Cx,
    ) -> ::skel::__private::Source
    where
        Self: ::skel::__private::core::marker::Sized,
        Self: ::skel::__private::Element;
    #[doc(hidden)]
    #[allow(
        warnings,
        overflowing_literals,
        clippy::all,
        clippy::pedantic,
        clippy::nursery,
        clippy::restriction
    )]
    fn __user_function_twice(
        &self,
        _: &::skel::__private::Callee<
            __UserTraitShape<Self>,
            (::skel::__private::Named<9872583898689742771u64>, ()),
        >,
    ) -> fn() -> f32
    where
        Self: ::skel::__private::core::marker::Sized,
    {
        loop {}
    }
    #[doc(hidden)]
    #[allow(
        warnings,
        overflowing_literals,
        clippy::all,
        clippy::pedantic,
        clippy::nursery,
        clippy::restriction
    )]
    fn __user_function_path_twice(
        _: &::skel::__private::Callee<
            __UserTraitShape<Self>,
            (::skel::__private::Named<9872583898689742771u64>, ()),
        >,
    ) -> fn(Self) -> f32
    where
        Self: ::skel::__private::core::marker::Sized,
    {
        loop {}
    }
    #[doc(hidden)]
    #[allow(
        warnings,
        overflowing_literals,
        clippy::all,
        clippy::pedantic,
        clippy::nursery,
        clippy::restriction
    )]
    fn __user_function_source_twice(
        __cx: &mut ::skel::__private::Cx,
    ) -> ::skel::__private::Source
    where
        Self: ::skel::__private::core::marker::Sized,
        Self: ::skel::__private::Element,
    {
        use ::skel::__private as __skel;
        use __skel::scope::*;
        let __c0 = __skel::Callee::new();
        let __s1 = &__skel::Slot::new();
        let __w2 = &__skel::Pair::new();
        let _ = |__self: Self| -> f32 {
            loop {};
            { __w2.l(__self.__user_function_area(&__c0)()) * __w2.r(__s1.put(2.0)) }
        };
        __skel::Source {
            file: __skel::core::file!(),
            params: __skel::std::vec![(__skel::ty:: < Self > (), __skel::Mode::In)],
            ret: __skel::ty::<f32>(),
            fast_math: false,
            mathematics: __skel::mathematics,
            text: "(fn (self) @4 (bl @5 (tail (b * 1 (c 0 (v 0)) (lit 0 2.0)))))",
            types: __skel::std::vec![__s1.ty()],
            constants: __skel::std::vec![],
            imps: __skel::std::vec![
                __c0.ir(__cx), __w2.binary:: < __skel::operator::Mul > (__cx)
            ],
            messages: __skel::std::vec![],
        }
    }
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
pub struct __UserTraitShape<__S> {
    __types: ::skel::__private::core::marker::PhantomData<fn() -> (__S,)>,
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
    impl<__S> __skel::Instance<(__skel::Named<9894459526856489156u64>, ())>
    for __UserTraitShape<__S>
    where
        __S: Shape,
        __S: __skel::Element,
    {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__UserTraitShape<__S>, (__skel::Named<9894459526856489156u64>, ())),
                >("area", <__S as Shape>::__user_function_source_area)
        }
    }
    impl<__S> __skel::Instance<(__skel::Named<9872583898689742771u64>, ())>
    for __UserTraitShape<__S>
    where
        __S: Shape,
        __S: __skel::Element,
    {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__UserTraitShape<__S>, (__skel::Named<9872583898689742771u64>, ())),
                >("twice", <__S as Shape>::__user_function_source_twice)
        }
    }
};
impl Shape for Square {
    #[inline]
    fn area(self) -> f32 {
        self.side() * self.side
    }
    #[doc(hidden)]
    #[allow(
        warnings,
        overflowing_literals,
        clippy::all,
        clippy::pedantic,
        clippy::nursery,
        clippy::restriction
    )]
    fn __user_function_source_area(
        __cx: &mut ::skel::__private::Cx,
    ) -> ::skel::__private::Source {
        use ::skel::__private as __skel;
        use __skel::scope::*;
        let __c0 = __skel::Callee::new();
        let __w1 = &__skel::Pair::new();
        let _ = |__self: Self| -> f32 {
            loop {};
            { __w1.l(__self.__user_function_side(&__c0)()) * __w1.r(__self.side) }
        };
        __skel::Source {
            file: __skel::core::file!(),
            params: __skel::std::vec![(__skel::ty:: < Self > (), __skel::Mode::In)],
            ret: __skel::ty::<f32>(),
            fast_math: false,
            mathematics: __skel::mathematics,
            text: "(fn (self) @11 (bl @12 (tail (b * 1 (c 0 (v 0)) (f side (v 0))))))",
            types: __skel::std::vec![],
            constants: __skel::std::vec![],
            imps: __skel::std::vec![
                __c0.ir(__cx), __w1.binary:: < __skel::operator::Mul > (__cx)
            ],
            messages: __skel::std::vec![],
        }
    }
}
#[inline]
fn total<S: Shape, F: Function1<f32, f32>>(s: S, y: &mut f32) {
    add_to(&mut *y, F::call(s.twice()));
    add_to(y, s.area());
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct total<F> {
    __types: ::skel::__private::core::marker::PhantomData<fn() -> (F,)>,
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
    type __Me = total<()>;
    impl<F> __skel::Marker for total<F> {}
    impl __Me {
        pub fn __probe<S: Shape, F: Function1<f32, f32>>(
            _: &__skel::Callee<__Me, (S, F)>,
        ) -> fn(S, &mut f32) -> () {
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
            S: Shape,
            F: Function1<f32, f32>,
            const __N: __skel::core::primitive::usize,
        >(
            _: (impl __skel::lanes::Given<Value = S>, __skel::lanes::Same<&mut f32>),
            __out: &mut __skel::lanes::Var<(), __N>,
        )
        where
            S: __skel::Element,
            F: 'static,
        {}
    }
    impl<S: Shape, F: Function1<f32, f32>> __skel::Instance<(S, F)> for __Me
    where
        S: __skel::Element,
        F: 'static,
    {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, (S, F)),
                >(
                "total",
                |__cx| {
                    use __skel::scope::*;
                    let __c0 = __skel::Callee::new();
                    let __c1 = __skel::Callee::new();
                    let __c2 = __skel::Callee::new();
                    let __c3 = __skel::Callee::new();
                    let __c4 = __skel::Callee::new();
                    let _ = |s: S, y: &mut f32| -> () {
                        loop {};
                        {
                            add_to::__probe(
                                &__c0,
                            )(
                                &mut *y,
                                F::__user_function_path_call(
                                    &__c2,
                                )(s.__user_function_twice(&__c1)()),
                            );
                            add_to::__probe(&__c3)(y, s.__user_function_area(&__c4)());
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < S > (), __skel::Mode::In), (__skel::ty:: <
                            f32 > (), __skel::Mode::InOut)
                        ],
                        ret: __skel::ty::<()>(),
                        fast_math: true,
                        mathematics: __skel::mathematics,
                        text: "(fn (s y) @17 (bl @18 (c 0 (v 1) (c 2 (c 1 (v 0)))) @19 (c 3 (v 1) (c 4 (v 0)))))",
                        types: __skel::std::vec![],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![
                            __c0.ir(__cx), __c1.ir(__cx), __c2.ir(__cx), __c3.ir(__cx),
                            __c4.ir(__cx)
                        ],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl<
        S: Shape,
        F: Function1<f32, f32>,
    > __skel::UserFunction<(__skel::Each<S>, __skel::EachMut<f32>)> for total<F>
    where
        S: __skel::Element,
        F: 'static,
    {
        type At = ();
        type Output = ();
        const NAME: &'static __skel::core::primitive::str = "total";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (
                __a0,
                __a1,
            ): <(__skel::Each<S>, __skel::EachMut<f32>) as __skel::Params>::Args<'_>,
        ) -> () {
            total::<S, F>(__a0, __a1)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<(S, F)>>::ir(__cx)
        }
    }
};
