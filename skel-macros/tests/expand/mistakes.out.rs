#[derive(Clone, Copy, PartialEq, Element)]
#[element(eq)]
struct Particle {
    at: [f32; 2],
    kind: Kind,
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
    impl __skel::Binary<__skel::operator::PartialEq, Self> for Particle {
        fn ir(_: &mut __skel::Cx) -> __skel::Imp {
            __skel::Imp::Failed
        }
    }
    unsafe impl __skel::Element for Particle {
        const IS_SCALAR: __skel::core::primitive::bool = false;
        const CHECK: __skel::core::option::Option<__skel::Check> = __skel::core::option::Option::None;
        fn ty() -> __skel::Ty {
            loop {}
        }
        fn to_value(self) -> __skel::Value {
            loop {}
        }
        fn from_value(_: &__skel::Value) -> __skel::core::option::Option<Self> {
            loop {}
        }
    }
};
::core::compile_error! {
    "Rust may order the fields of `Particle` as it likes, but devices must know where they are: put #[repr(C)] above it"
}
#[derive(Clone, Copy, PartialEq, Element)]
enum Kind {
    Dust = 0,
    Rock,
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
    impl __skel::Binary<__skel::operator::PartialEq, Self> for Kind {
        fn ir(_: &mut __skel::Cx) -> __skel::Imp {
            __skel::Imp::Failed
        }
    }
    unsafe impl __skel::Element for Kind {
        const IS_SCALAR: __skel::core::primitive::bool = false;
        const CHECK: __skel::core::option::Option<__skel::Check> = __skel::core::option::Option::None;
        fn ty() -> __skel::Ty {
            loop {}
        }
        fn to_value(self) -> __skel::Value {
            loop {}
        }
        fn from_value(_: &__skel::Value) -> __skel::core::option::Option<Self> {
            loop {}
        }
    }
};
::core::compile_error! {
    "devices see `Kind` as an integer, and must know which: put #[repr(u32)], or another integer type, above it"
}
#[derive(Clone, Copy, Element)]
struct Pair<T> {
    a: T,
    b: T,
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
    unsafe impl<T> __skel::Element for Pair<T>
    where
        T: __skel::Element,
    {
        const IS_SCALAR: __skel::core::primitive::bool = false;
        const CHECK: __skel::core::option::Option<__skel::Check> = __skel::core::option::Option::None;
        fn ty() -> __skel::Ty {
            loop {}
        }
        fn to_value(self) -> __skel::Value {
            loop {}
        }
        fn from_value(_: &__skel::Value) -> __skel::core::option::Option<Self> {
            loop {}
        }
    }
};
::core::compile_error! {
    "Rust may order the fields of `Pair` as it likes, but devices must know where they are: put #[repr(C)] above it"
}
#[inline]
fn no_reach(w: Window2<u8, 1, 1>, p: Pool1<f32, 2>) -> f32 {
    w[(0, 1)] as f32 + p[1]
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct no_reach {}
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
    type __Me = no_reach;
    impl __skel::Marker for no_reach {}
    impl __Me {
        pub fn __probe(
            _: &__skel::Callee<__Me, ()>,
        ) -> fn(Window2<u8, 1, 1>, Pool1<f32, 2>) -> f32 {
            loop {}
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __skel::Imp::Failed
        }
    }
    impl __skel::UserFunction<(__skel::EachWindow2<u8, 1, 1>, __skel::EachPool1<f32, 2>)>
    for no_reach {
        type At = ();
        type Output = f32;
        const NAME: &'static __skel::core::primitive::str = "no_reach";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (
                __a0,
                __a1,
            ): <(
                __skel::EachWindow2<u8, 1, 1>,
                __skel::EachPool1<f32, 2>,
            ) as __skel::Params>::Args<'_>,
        ) -> f32 {
            loop {}
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
::core::compile_error! {
    "the type of a neighbourhood says how far it reaches to either side, along each of its 2 dimensions: `Window2<u8, 1, 1>`"
}
::core::compile_error! {
    "the type of a neighbourhood says how many elements it has: `Pool1<f32, 2>`"
}
#[inline]
fn literals<T: Number>(x: T) -> T {
    loop {}
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct literals {}
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
    type __Me = literals;
    impl __skel::Marker for literals {}
    impl __Me {
        pub fn __probe<T: Number>(_: &__skel::Callee<__Me, (T,)>) -> fn(T) -> T {
            loop {}
        }
    }
    impl<T: Number> __skel::Instance<(T,)> for __Me
    where
        T: __skel::Element,
    {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __skel::Imp::Failed
        }
    }
    impl<T: Number> __skel::UserFunction<(__skel::Each<T>,)> for literals
    where
        T: __skel::Element,
    {
        type At = ();
        type Output = T;
        const NAME: &'static __skel::core::primitive::str = "literals";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (__a0,): <(__skel::Each<T>,) as __skel::Params>::Args<'_>,
        ) -> T {
            literals::<T>(__a0)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<(T,)>>::ir(__cx)
        }
    }
};
::core::compile_error! {
    "no literal is of the generic type `T`: write `T::ONE`"
}
::core::compile_error! {
    "no literal is of the generic type `T`: write `T::from_i32(2)`"
}
#[inline]
fn takes_literals<T: Number + Mul<f32, Output = T>>(x: T) -> T {
    x * 2.0
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct takes_literals {}
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
    type __Me = takes_literals;
    impl __skel::Marker for takes_literals {}
    impl __Me {
        pub fn __probe<T: Number + Mul<f32, Output = T>>(
            _: &__skel::Callee<__Me, (T,)>,
        ) -> fn(T) -> T {
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
            T: Number + Mul<f32, Output = T>,
            const __N: __skel::core::primitive::usize,
        >(
            _: (impl __skel::lanes::Given<Value = T>,),
            __out: &mut __skel::lanes::Var<T, __N>,
        )
        where
            T: __skel::Element,
            T: __skel::Binary<__skel::operator::Mul, f32>,
        {}
    }
    impl<T: Number + Mul<f32, Output = T>> __skel::Instance<(T,)> for __Me
    where
        T: __skel::Element,
        T: __skel::Binary<__skel::operator::Mul, f32>,
    {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, (T,)),
                >(
                "takes_literals",
                |__cx| {
                    let __s0 = &__skel::Slot::new();
                    let __w1 = &__skel::Pair::new();
                    let _ = |x: T| -> T {
                        loop {};
                        { __w1.l(x) * __w1.r(__s0.put(2.0)) }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < T > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<T>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (x) @31 (bl @32 (tail (b * 0 (v 0) (lit 0 2.0)))))",
                        types: __skel::std::vec![__s0.ty()],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![
                            __w1.binary:: < __skel::operator::Mul > (__cx)
                        ],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl<T: Number + Mul<f32, Output = T>> __skel::UserFunction<(__skel::Each<T>,)>
    for takes_literals
    where
        T: __skel::Element,
        T: __skel::Binary<__skel::operator::Mul, f32>,
    {
        type At = ();
        type Output = T;
        const NAME: &'static __skel::core::primitive::str = "takes_literals";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (__a0,): <(__skel::Each<T>,) as __skel::Params>::Args<'_>,
        ) -> T {
            takes_literals::<T>(__a0)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<(T,)>>::ir(__cx)
        }
    }
};
