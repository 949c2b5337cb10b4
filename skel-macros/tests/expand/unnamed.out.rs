#[derive(Element)]
#[repr(transparent)]
struct Just(Real);
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
    const _: () = __skel::core::assert!(
        __skel::adjoins:: < Just > (0usize),
        "unused bytes before the field `0`, which are no part of an element: order the fields from the largest type to the smallest, or fill the gap with a field of its own"
    );
    const _: () = __skel::core::assert!(
        __skel::adjoins:: < Just > (1usize),
        "unused bytes at the end of `Just`, which are no part of an element: fill them with a field, as `unused: [u8; 3]`"
    );
    const _: () = __skel::core::assert!(
        __skel::is_aligned:: < Just > (),
        "`Just` is not aligned as its fields are, which is how devices align it: leave out what says otherwise"
    );
    impl __skel::Fields for Just {
        const FIELDS: &'static [__skel::Field] = &[
            __skel::derived_field(
                    __skel::core::mem::offset_of!(Self, 0),
                    |__whole: &Self| &__whole.0,
                )
                .field,
        ];
        fn shape() -> __skel::Ty {
            __skel::shape::<Self>("Just", &["0"])
        }
    }
    unsafe impl __skel::Element for Just {
        const IS_SCALAR: __skel::core::primitive::bool = false;
        const CHECK: __skel::core::option::Option<__skel::Check> = __skel::check_of_struct::<
            Self,
        >();
        fn ty() -> __skel::Ty {
            <Self as __skel::Fields>::shape()
        }
        fn to_value(self) -> __skel::Value {
            __skel::structure::<
                Self,
                1usize,
            >([
                (__skel::derived_field(
                        __skel::core::mem::offset_of!(Self, 0),
                        |__whole: &Self| &__whole.0,
                    )
                    .to_value)(self.0),
            ])
        }
        fn from_value(__value: &__skel::Value) -> __skel::core::option::Option<Self> {
            let __parts = __skel::struct_parts::<1usize>(__value)?;
            __skel::core::option::Option::Some(Self {
                0: (__skel::derived_field(
                        __skel::core::mem::offset_of!(Self, 0),
                        |__whole: &Self| &__whole.0,
                    )
                    .from_value)(&__parts[0])?,
            })
        }
    }
};
#[inline]
fn all(x: Real, at: Word) -> Just {
    assert!(x > 1.0, "small");
    let many = [70_000u32; 3];
    let mut sum = x.max(Real::from_bits(1));
    for k in 0..at {
        sum += many[k];
    }
    if matches!(at, 1 | 2) { Just(-sum) } else { Just(7.5f32) }
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct all {}
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
    type __Me = all;
    impl __skel::Marker for all {}
    impl __Me {
        pub fn __probe(_: &__skel::Callee<__Me, ()>) -> fn(Real, Word) -> Just {
            loop {}
        }
    }
    #[cfg(all(not(debug_assertions), panic = "unwind"))]
    impl __Me {
        pub const __LANES: __skel::core::primitive::bool = true;
        pub const __LOOPS_0: __skel::core::primitive::usize = __skel::lanes::loops(
            true,
            &[],
        );
        pub const __LOOPS_1: __skel::core::primitive::usize = __skel::lanes::loops(
            true,
            &[],
        );
        pub const __LOOPS_2: __skel::core::primitive::usize = __skel::lanes::loops(
            true,
            &[],
        );
        #[inline(always)]
        pub fn __lanes<const __N: __skel::core::primitive::usize>(
            (
                __p0,
                __p1,
            ): (
                impl __skel::lanes::Given<Value = Real>,
                impl __skel::lanes::Given<Value = Word>,
            ),
            __out: &mut __skel::lanes::Var<Just, __N>,
        ) {
            let mut __out = __out;
            let mut __1_x = __skel::lanes::var::<_, __N>();
            let mut __2_at = __skel::lanes::var::<_, __N>();
            let mut __5_3_at = __skel::lanes::var::<_, __N>();
            let mut __6_4_end = __skel::lanes::var::<_, __N>();
            let mut __7_sum = __skel::lanes::var::<_, __N>();
            for __l in 0..__N {
                __skel::lanes::set(&mut __1_x, __l, __skel::lanes::lane(&__p0, __l));
            }
            for __l in 0..__N {
                __skel::lanes::set(&mut __2_at, __l, __skel::lanes::lane(&__p1, __l));
            }
            let many = [70_000u32; 3];
            for __l in 0..__N {
                let mut x = __skel::lanes::get(&__1_x, __l);
                let mut at = __skel::lanes::get(&__2_at, __l);
                let mut __3_at = __skel::lanes::get(&__5_3_at, __l);
                let mut __4_end = __skel::lanes::get(&__6_4_end, __l);
                assert!(x > 1.0, "small");
                let mut sum = x.max(Real::from_bits(1));
                let __range = (0)..(at);
                __3_at = __range.start;
                __4_end = __range.end;
                __skel::lanes::set(&mut __1_x, __l, x);
                __skel::lanes::set(&mut __5_3_at, __l, __3_at);
                __skel::lanes::set(&mut __6_4_end, __l, __4_end);
                __skel::lanes::set(&mut __7_sum, __l, sum);
            }
            {
                let mut __8_on = __skel::lanes::Mask::<__N>::all();
                loop {
                    let mut __any = false;
                    for __l in 0..__N {
                        let mut __3_at = __skel::lanes::get(&__5_3_at, __l);
                        let mut __4_end = __skel::lanes::get(&__6_4_end, __l);
                        let mut sum = __skel::lanes::get(&__7_sum, __l);
                        let mut __m1 = __8_on.get(__l);
                        __m1 &= __3_at < __4_end;
                        let k = __3_at;
                        if __m1 {
                            __3_at = __3_at + 1;
                        }
                        if __m1 {
                            sum += many[k];
                        }
                        __skel::lanes::set(&mut __5_3_at, __l, __3_at);
                        __skel::lanes::set(&mut __7_sum, __l, sum);
                        __any |= __m1;
                        __8_on.set(__l, __m1);
                    }
                    if !__any {
                        break;
                    }
                }
            }
            for __l in 0..__N {
                let mut at = __skel::lanes::get(&__2_at, __l);
                let mut __ret = __skel::lanes::get(&__out, __l);
                let mut sum = __skel::lanes::get(&__7_sum, __l);
                __ret = if matches!(at, 1 | 2) { Just(-sum) } else { Just(7.5f32) };
                __skel::lanes::set(&mut __2_at, __l, at);
                __skel::lanes::set(&mut __out, __l, __ret);
            }
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, ()),
                >(
                "all",
                |__cx| {
                    use __skel::scope::*;
                    let _ = || {
                        use __skel::macros::*;
                        let _ = assert!(true);
                    };
                    let __s0 = &__skel::Slot::new();
                    let __c1 = __skel::Callee::new();
                    let __w2 = &__skel::Pair::new();
                    let _ = || {
                        use __skel::macros::*;
                        let _ = matches!((), ());
                    };
                    let __s3 = &__skel::Slot::new();
                    let _ = |x: Real, at: Word| -> Just {
                        loop {};
                        {
                            {
                                let _: __skel::core::primitive::bool = x > 1.0;
                            };
                            let many = [70_000u32; 3];
                            let mut sum = __s0
                                .put(x)
                                .max(Real::__user_function_path_from_bits(&__c1)(1));
                            for k in 0..at {
                                {
                                    __w2.see(&sum);
                                    sum += __w2.r(many[k]);
                                };
                            }
                            if match at {
                                1 | 2 => true,
                                _ => false,
                            } {
                                Just(-__s3.put(sum))
                            } else {
                                Just(7.5f32)
                            }
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < Real > (), __skel::Mode::In), (__skel::ty:: <
                            Word > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<Just>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (x at) @6 (bl @7 (if (u ! - (b > - (v 0) (lit ^ 1.0))) (trap 0)) @8 (let 2 many - (rep - (lit 0 70000) (k 0))) @9 (let 3 sum - (m max 0 (v 0) (c 1 (lit ^ 1)))) @10 (for 0 (range (lit ^ 0) (v 1) - - -) (bind 4 k -) - (bl @11 (op + 2 (v 3) (ix (v 2) (v 4))))) @13 (tail (if (is (or (lit 1) (lit 2)) (v 1)) (bl @14 (tail (st ^ (0 (u - 3 (v 3)))))) @15 (bl @16 (tail (st ^ (0 (lit 1 7.5)))))))))",
                        types: __skel::std::vec![
                            __skel::ty:: < __skel::core::primitive::u32 > (),
                            __skel::ty:: < __skel::core::primitive::f32 > ()
                        ],
                        constants: __skel::std::vec![
                            __skel::constant:: < __skel::core::primitive::usize > (& (3))
                        ],
                        imps: __skel::std::vec![
                            __s0.method:: < __skel::class::Number, 580772045163143161u64
                            > (__cx), __c1.ir(__cx), __w2.binary:: <
                            __skel::operator::AddAssign > (__cx), __s3.unary:: <
                            __skel::operator::Neg > (__cx)
                        ],
                        messages: __skel::std::vec!["small"],
                    }
                },
            )
        }
    }
    impl __skel::UserFunction<(__skel::Each<Real>, __skel::Each<Word>)> for all {
        type At = ();
        type Output = Just;
        const NAME: &'static __skel::core::primitive::str = "all";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (
                __a0,
                __a1,
            ): <(__skel::Each<Real>, __skel::Each<Word>) as __skel::Params>::Args<'_>,
        ) -> Just {
            all(__a0, __a1)
        }
        #[cfg(all(not(debug_assertions), panic = "unwind"))]
        const HAS_LANES: __skel::core::primitive::bool = true;
        #[cfg(all(not(debug_assertions), panic = "unwind"))]
        #[inline(always)]
        fn lanes<
            const __N: __skel::core::primitive::usize,
            __S: __skel::lanes::Source<
                    (__skel::Each<Real>, __skel::Each<Word>),
                    At = Self::At,
                >,
        >(__source: &mut __S, __out: &mut __skel::lanes::Var<Just, __N>) {
            let mut __p0 = __skel::lanes::var::<_, __N>();
            let mut __p1 = __skel::lanes::var::<_, __N>();
            for __l in 0..__N {
                let (__a0, __a1) = __skel::lanes::Source::<
                    (__skel::Each<Real>, __skel::Each<Word>),
                >::args(__source, __l);
                __skel::lanes::set(&mut __p0, __l, __a0);
                __skel::lanes::set(&mut __p1, __l, __a1);
            }
            let __p0 = &__p0;
            let __p1 = &__p1;
            __Me::__lanes::<__N>((__p0, __p1), __out);
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
trait Measure<K> {
    fn measure(self, k: K) -> Real;
    fn twice(self, k: K) -> Real {
        2.0 * self.measure(k)
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
    fn __user_function_measure(
        &self,
        _: &::skel::__private::Callee<
            __UserTraitMeasure<Self, K>,
            (::skel::__private::Named<13586824709325088415u64>, ()),
        >,
    ) -> fn(K) -> Real
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
    fn __user_function_path_measure(
        _: &::skel::__private::Callee<
            __UserTraitMeasure<Self, K>,
            (::skel::__private::Named<13586824709325088415u64>, ()),
        >,
    ) -> fn(Self, K) -> Real
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
    fn __user_function_source_measure(
        __cx: &mut ::skel::__private::Cx,
    ) -> ::skel::__private::Source
    where
        Self: ::skel::__private::core::marker::Sized,
        Self: ::skel::__private::Element,
        K: ::skel::__private::Element;
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
            __UserTraitMeasure<Self, K>,
            (::skel::__private::Named<9872583898689742771u64>, ()),
        >,
    ) -> fn(K) -> Real
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
            __UserTraitMeasure<Self, K>,
            (::skel::__private::Named<9872583898689742771u64>, ()),
        >,
    ) -> fn(Self, K) -> Real
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
        K: ::skel::__private::Element,
    {
        use ::skel::__private as __skel;
        use __skel::scope::*;
        let __c0 = __skel::Callee::new();
        let __s1 = &__skel::Slot::new();
        let __w2 = &__skel::Pair::new();
        let _ = |__self: Self, k: K| -> Real {
            loop {};
            { __w2.l(__s1.put(2.0)) * __w2.r(__self.__user_function_measure(&__c0)(k)) }
        };
        __skel::Source {
            file: __skel::core::file!(),
            params: __skel::std::vec![
                (__skel::ty:: < Self > (), __skel::Mode::In), (__skel::ty:: < K > (),
                __skel::Mode::In)
            ],
            ret: __skel::ty::<Real>(),
            fast_math: false,
            mathematics: __skel::mathematics,
            text: "(fn (self k) @23 (bl @24 (tail (b * 1 (lit 0 2.0) (c 0 (v 0) (v 1))))))",
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
struct __UserTraitMeasure<__S, K> {
    __types: ::skel::__private::core::marker::PhantomData<fn() -> (__S, K)>,
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
    impl<__S, K> __skel::Instance<(__skel::Named<13586824709325088415u64>, ())>
    for __UserTraitMeasure<__S, K>
    where
        K: __skel::Element,
        __S: Measure<K>,
        __S: __skel::Element,
    {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (
                        __UserTraitMeasure<__S, K>,
                        (__skel::Named<13586824709325088415u64>, ()),
                    ),
                >("measure", <__S as Measure<K>>::__user_function_source_measure)
        }
    }
    impl<__S, K> __skel::Instance<(__skel::Named<9872583898689742771u64>, ())>
    for __UserTraitMeasure<__S, K>
    where
        K: __skel::Element,
        __S: Measure<K>,
        __S: __skel::Element,
    {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (
                        __UserTraitMeasure<__S, K>,
                        (__skel::Named<9872583898689742771u64>, ()),
                    ),
                >("twice", <__S as Measure<K>>::__user_function_source_twice)
        }
    }
};
impl Measure<Word> for Just {
    #[inline]
    fn measure(self, k: Word) -> Real {
        self.0 * k.pow(2)
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
    fn __user_function_source_measure(
        __cx: &mut ::skel::__private::Cx,
    ) -> ::skel::__private::Source {
        use ::skel::__private as __skel;
        let __s0 = &__skel::Slot::new();
        let __w1 = &__skel::Pair::new();
        let _ = |__self: Self, k: Word| -> Real {
            loop {};
            { __w1.l(__self.0) * __w1.r(__s0.put(k).pow(2)) }
        };
        __skel::Source {
            file: __skel::core::file!(),
            params: __skel::std::vec![
                (__skel::ty:: < Self > (), __skel::Mode::In), (__skel::ty:: < Word > (),
                __skel::Mode::In)
            ],
            ret: __skel::ty::<Real>(),
            fast_math: false,
            mathematics: __skel::mathematics,
            text: "(fn (self k) @30 (bl @31 (tail (b * 1 (f 0 (v 0)) (m pow 0 (v 1) (lit ^ 2))))))",
            types: __skel::std::vec![],
            constants: __skel::std::vec![],
            imps: __skel::std::vec![
                __s0.method:: < __skel::class::Integer, 8618586874330430261u64 > (__cx),
                __w1.binary:: < __skel::operator::Mul > (__cx)
            ],
            messages: __skel::std::vec![],
        }
    }
}
#[inline]
fn chosen<T: Measure<Word>>(x: T) -> Real {
    x.measure(2)
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct chosen {}
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
    type __Me = chosen;
    impl __skel::Marker for chosen {}
    impl __Me {
        pub fn __probe<T: Measure<Word>>(
            _: &__skel::Callee<__Me, (T,)>,
        ) -> fn(T) -> Real {
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
        pub fn __lanes<T: Measure<Word>, const __N: __skel::core::primitive::usize>(
            _: (impl __skel::lanes::Given<Value = T>,),
            __out: &mut __skel::lanes::Var<Real, __N>,
        )
        where
            T: __skel::Element,
        {}
    }
    impl<T: Measure<Word>> __skel::Instance<(T,)> for __Me
    where
        T: __skel::Element,
    {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, (T,)),
                >(
                "chosen",
                |__cx| {
                    use __skel::scope::*;
                    let __c0 = __skel::Callee::new();
                    let _ = |x: T| -> Real {
                        loop {};
                        { x.__user_function_measure(&__c0)(2) }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < T > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<Real>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (x) @36 (bl @37 (tail (c 0 (v 0) (lit ^ 2)))))",
                        types: __skel::std::vec![],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![__c0.ir(__cx)],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl<T: Measure<Word>> __skel::UserFunction<(__skel::Each<T>,)> for chosen
    where
        T: __skel::Element,
    {
        type At = ();
        type Output = Real;
        const NAME: &'static __skel::core::primitive::str = "chosen";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (__a0,): <(__skel::Each<T>,) as __skel::Params>::Args<'_>,
        ) -> Real {
            chosen::<T>(__a0)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<(T,)>>::ir(__cx)
        }
    }
};
