#[derive(Clone, Copy, PartialEq, Element)]
#[element(eq)]
#[repr(C)]
pub struct Particle {
    pub at: [f32; 2],
    pub mass: f32,
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
    const _: () = __skel::core::assert!(
        __skel::adjoins:: < Particle > (0usize),
        "unused bytes before the field `at`, which are no part of an element: order the fields from the largest type to the smallest, or fill the gap with a field of its own"
    );
    const _: () = __skel::core::assert!(
        __skel::adjoins:: < Particle > (1usize),
        "unused bytes before the field `mass`, which are no part of an element: order the fields from the largest type to the smallest, or fill the gap with a field of its own"
    );
    const _: () = __skel::core::assert!(
        __skel::adjoins:: < Particle > (2usize),
        "unused bytes at the end of `Particle`, which are no part of an element: fill them with a field, as `unused: [u8; 3]`"
    );
    const _: () = __skel::core::assert!(
        __skel::is_aligned:: < Particle > (),
        "`Particle` is not aligned as its fields are, which is how devices align it: leave out what says otherwise"
    );
    const _: fn(Particle) = |__value| {
        const PARTIAL_EQ_MUST_BE_DERIVED: Particle = __skel::zero::<Particle>();
        match __value {
            PARTIAL_EQ_MUST_BE_DERIVED => {}
            _ => {}
        }
    };
    impl __skel::Binary<__skel::operator::PartialEq, Self> for Particle {
        fn ir(_: &mut __skel::Cx) -> __skel::Imp {
            __skel::Imp::Builtin
        }
    }
    impl __skel::Fields for Particle {
        const FIELDS: &'static [__skel::Field] = &[
            __skel::derived_field(
                    __skel::core::mem::offset_of!(Self, at),
                    |__whole: &Self| &__whole.at,
                )
                .field,
            __skel::derived_field(
                    __skel::core::mem::offset_of!(Self, mass),
                    |__whole: &Self| &__whole.mass,
                )
                .field,
        ];
        fn shape() -> __skel::Ty {
            __skel::shape::<Self>("Particle", &["at", "mass"])
        }
    }
    unsafe impl __skel::Element for Particle {
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
                2usize,
            >([
                (__skel::derived_field(
                        __skel::core::mem::offset_of!(Self, at),
                        |__whole: &Self| &__whole.at,
                    )
                    .to_value)(self.at),
                (__skel::derived_field(
                        __skel::core::mem::offset_of!(Self, mass),
                        |__whole: &Self| &__whole.mass,
                    )
                    .to_value)(self.mass),
            ])
        }
        fn from_value(__value: &__skel::Value) -> __skel::core::option::Option<Self> {
            let __parts = __skel::struct_parts::<2usize>(__value)?;
            __skel::core::option::Option::Some(Self {
                at: (__skel::derived_field(
                        __skel::core::mem::offset_of!(Self, at),
                        |__whole: &Self| &__whole.at,
                    )
                    .from_value)(&__parts[0])?,
                mass: (__skel::derived_field(
                        __skel::core::mem::offset_of!(Self, mass),
                        |__whole: &Self| &__whole.mass,
                    )
                    .from_value)(&__parts[1])?,
            })
        }
    }
};
#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Pair<T>(T, T);
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
    impl<T> __skel::Fields for Pair<T>
    where
        T: __skel::Element,
    {
        const FIELDS: &'static [__skel::Field] = &[
            __skel::derived_field(
                    __skel::core::mem::offset_of!(Self, 0),
                    |__whole: &Self| &__whole.0,
                )
                .field,
            __skel::derived_field(
                    __skel::core::mem::offset_of!(Self, 1),
                    |__whole: &Self| &__whole.1,
                )
                .field,
        ];
        fn shape() -> __skel::Ty {
            __skel::shape::<Self>("Pair", &["0", "1"])
        }
    }
    unsafe impl<T> __skel::Element for Pair<T>
    where
        T: __skel::Element,
    {
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
                2usize,
            >([
                (__skel::derived_field(
                        __skel::core::mem::offset_of!(Self, 0),
                        |__whole: &Self| &__whole.0,
                    )
                    .to_value)(self.0),
                (__skel::derived_field(
                        __skel::core::mem::offset_of!(Self, 1),
                        |__whole: &Self| &__whole.1,
                    )
                    .to_value)(self.1),
            ])
        }
        fn from_value(__value: &__skel::Value) -> __skel::core::option::Option<Self> {
            let __parts = __skel::struct_parts::<2usize>(__value)?;
            __skel::core::option::Option::Some(Self {
                0: (__skel::derived_field(
                        __skel::core::mem::offset_of!(Self, 0),
                        |__whole: &Self| &__whole.0,
                    )
                    .from_value)(&__parts[0])?,
                1: (__skel::derived_field(
                        __skel::core::mem::offset_of!(Self, 1),
                        |__whole: &Self| &__whole.1,
                    )
                    .from_value)(&__parts[1])?,
            })
        }
    }
};
#[derive(Clone, Copy, PartialEq, Element)]
#[repr(u8)]
enum Kind {
    Light,
    Heavy = 7,
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
    const _: fn(Kind) = |__value| {
        const PARTIAL_EQ_MUST_BE_DERIVED: Kind = Kind::Light;
        match __value {
            PARTIAL_EQ_MUST_BE_DERIVED => {}
            _ => {}
        }
    };
    const _: () = __skel::core::assert!(
        __skel::is_integer:: < Kind, __skel::core::primitive::u8 > (),
        "`Kind` does not lie in memory as `u8`, which devices take it for: leave out what says otherwise"
    );
    const _: () = __skel::core::assert!(
        __skel::has_zero(& [Kind::Light as __skel::core::primitive::i128, Kind::Heavy as
        __skel::core::primitive::i128]),
        "one variant of an enum that is an element is 0, as fresh memory is: say so, as in `None = 0`"
    );
    impl __skel::Binary<__skel::operator::PartialEq, Self> for Kind {
        fn ir(_: &mut __skel::Cx) -> __skel::Imp {
            __skel::Imp::Builtin
        }
    }
    unsafe impl __skel::Element for Kind {
        const IS_SCALAR: __skel::core::primitive::bool = false;
        const CHECK: __skel::core::option::Option<__skel::Check> = __skel::core::option::Option::Some(|
            __bytes|
        {
            <__skel::core::primitive::u8 as __skel::Repr>::are(
                __bytes,
                &[
                    Self::Light as __skel::core::primitive::u8,
                    Self::Heavy as __skel::core::primitive::u8,
                ],
            )
        });
        fn ty() -> __skel::Ty {
            <__skel::core::primitive::u8 as __skel::Element>::ty()
        }
        fn to_value(self) -> __skel::Value {
            <__skel::core::primitive::u8 as __skel::Element>::to_value(
                self as __skel::core::primitive::u8,
            )
        }
        fn from_value(__value: &__skel::Value) -> __skel::core::option::Option<Self> {
            __skel::variant::<
                Self,
                __skel::core::primitive::u8,
            >(
                __value,
                &[
                    (Self::Light as __skel::core::primitive::u8, Self::Light),
                    (Self::Heavy as __skel::core::primitive::u8, Self::Heavy),
                ],
            )
        }
    }
};
#[inline]
fn step(p: Particle, kind: Kind, k: u32) -> Particle {
    let mut next = Particle { mass: 1.0, ..p };
    next.at[(k % 2) as usize] += WEIGHTS[0] * p.at[1];
    if kind == Kind::Heavy || next == p {
        next.mass = (p.mass, 2.0).1;
    }
    next
}
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[doc(hidden)]
struct step {}
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
    type __Me = step;
    impl __skel::Marker for step {}
    impl __Me {
        pub fn __probe(
            _: &__skel::Callee<__Me, ()>,
        ) -> fn(Particle, Kind, u32) -> Particle {
            loop {}
        }
    }
    impl __skel::Instance<()> for __Me {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (__Me, ()),
                >(
                "step",
                |__cx| {
                    let __s0 = &__skel::Slot::new();
                    let __w1 = &__skel::Pair::new();
                    let __w2 = &__skel::Pair::new();
                    let __w3 = &__skel::Pair::new();
                    let __w4 = &__skel::Pair::new();
                    let __s5 = &__skel::Slot::new();
                    let _ = |p: Particle, kind: Kind, k: u32| -> Particle {
                        loop {};
                        {
                            let mut next = __s0.put(Particle { mass: 1.0, ..p });
                            {
                                __w2.see(&next.at[(k % 2) as usize]);
                                next.at[(k % 2) as usize]
                                    += __w2.r(__w1.l(WEIGHTS[0]) * __w1.r(p.at[1]));
                            };
                            if __w3.l(kind) == __w3.r(Kind::Heavy)
                                || __w4.l(next) == __w4.r(p)
                            {
                                next.mass = (p.mass, __s5.put(2.0)).1;
                            }
                            next
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < Particle > (), __skel::Mode::In),
                            (__skel::ty:: < Kind > (), __skel::Mode::In), (__skel::ty:: <
                            u32 > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<Particle>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (p kind k) @21 (bl @22 (let 3 next - (st 0 (mass (lit ^ 1.0)) (.. (v 0)))) @23 (op + 1 (ix (f at (v 3)) (as 1 (b % - (v 2) (lit ^ 2)))) (b * 0 (ix (k 0) (lit ^ 0)) (ix (f at (v 0)) (lit ^ 1)))) @24 (if (|| (b == 2 (v 1) (k 1)) (b == 3 (v 3) (v 0))) (bl @25 (= (f mass (v 3)) (f 1 (tup - (f mass (v 0)) (lit 2 2.0)))))) @27 (tail (v 3))))",
                        types: __skel::std::vec![
                            __s0.ty(), __skel::ty:: < usize > (), __s5.ty()
                        ],
                        constants: __skel::std::vec![
                            __skel::constant(& WEIGHTS), __skel::constant(& Kind::Heavy)
                        ],
                        imps: __skel::std::vec![
                            __w1.binary:: < __skel::operator::Mul > (__cx), __w2.binary::
                            < __skel::operator::AddAssign > (__cx), __w3.compare:: <
                            __skel::operator::PartialEq > (__cx), __w4.compare:: <
                            __skel::operator::PartialEq > (__cx)
                        ],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl __skel::UserFunction<
        (__skel::Each<Particle>, __skel::Each<Kind>, __skel::Each<u32>),
    > for step {
        type At = ();
        type Output = Particle;
        const NAME: &'static __skel::core::primitive::str = "step";
        const COMMUTATIVE: __skel::core::primitive::bool = false;
        #[inline(always)]
        fn call(
            __at: (),
            (
                __a0,
                __a1,
                __a2,
            ): <(
                __skel::Each<Particle>,
                __skel::Each<Kind>,
                __skel::Each<u32>,
            ) as __skel::Params>::Args<'_>,
        ) -> Particle {
            step(__a0, __a1, __a2)
        }
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            <__Me as __skel::Instance<()>>::ir(__cx)
        }
    }
};
