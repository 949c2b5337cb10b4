impl Plain for Vec2 {}
impl Vec2 {
    #[inline]
    pub fn dot(&self, other: &Vec2) -> f32 {
        self.x * other.x + self.y * other.y
    }
    #[inline]
    fn scale(&mut self, k: f32) {
        self.x *= k;
    }
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
    impl Vec2 {
        #[doc(hidden)]
        #[allow(
            warnings,
            overflowing_literals,
            clippy::all,
            clippy::pedantic,
            clippy::nursery,
            clippy::restriction
        )]
        pub fn __user_function_dot(
            &self,
            _: &__skel::Callee<Self, (__skel::Named<14604936204231399584u64>, ())>,
        ) -> fn(&Vec2) -> f32 {
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
        pub fn __user_function_path_dot(
            _: &__skel::Callee<Self, (__skel::Named<14604936204231399584u64>, ())>,
        ) -> fn(&Self, &Vec2) -> f32 {
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
        fn __user_function_scale(
            &self,
            _: &__skel::Callee<Self, (__skel::Named<7686723154774465937u64>, ())>,
        ) -> fn(f32) -> () {
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
        fn __user_function_path_scale(
            _: &__skel::Callee<Self, (__skel::Named<7686723154774465937u64>, ())>,
        ) -> fn(&mut Self, f32) -> () {
            loop {}
        }
    }
    impl __skel::Instance<(__skel::Named<14604936204231399584u64>, ())> for Vec2 {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (Vec2, (__skel::Named<14604936204231399584u64>, ())),
                >(
                "dot",
                |__cx| {
                    let __w0 = &__skel::Pair::new();
                    let __w1 = &__skel::Pair::new();
                    let __w2 = &__skel::Pair::new();
                    let _ = |__self: &Self, other: &Vec2| -> f32 {
                        loop {};
                        {
                            __w2.l(__w0.l(__self.x) * __w0.r(other.x))
                                + __w2.r(__w1.l(__self.y) * __w1.r(other.y))
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < Self > (), __skel::Mode::In), (__skel::ty:: <
                            Vec2 > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<f32>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (self other) @5 (bl @6 (tail (b + 2 (b * 0 (f x (v 0)) (f x (v 1))) (b * 1 (f y (v 0)) (f y (v 1)))))))",
                        types: __skel::std::vec![],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![
                            __w0.binary:: < __skel::operator::Mul > (__cx), __w1.binary::
                            < __skel::operator::Mul > (__cx), __w2.binary:: <
                            __skel::operator::Add > (__cx)
                        ],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
    impl __skel::Instance<(__skel::Named<7686723154774465937u64>, ())> for Vec2 {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (Vec2, (__skel::Named<7686723154774465937u64>, ())),
                >(
                "scale",
                |__cx| {
                    let __w0 = &__skel::Pair::new();
                    let _ = |__self: &mut Self, k: f32| -> () {
                        loop {};
                        {
                            {
                                __w0.see(&__self.x);
                                __self.x *= __w0.r(k);
                            };
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < Self > (), __skel::Mode::InOut),
                            (__skel::ty:: < f32 > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<()>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (self k) @9 (bl @10 (op * 0 (f x (v 0)) (v 1))))",
                        types: __skel::std::vec![],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![
                            __w0.binary:: < __skel::operator::MulAssign > (__cx)
                        ],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
};
impl<T: Number> Add for Dual<T> {
    type Output = Dual<T>;
    #[inline]
    fn add(self, other: Self) -> Self::Output {
        Dual { re: self.re + other.re }
    }
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
    impl<T: Number> __skel::Binary<__skel::operator::Add, Dual<T>> for Dual<T>
    where
        T: __skel::Element,
    {
        fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
            __cx.define::<
                    (Dual<T>, __skel::operator::Add, Dual<T>),
                >(
                "add",
                |__cx| {
                    let __w0 = &__skel::Pair::new();
                    let _ = |__self: Self, other: Self| -> Dual<T> {
                        loop {};
                        {
                            Dual {
                                re: __w0.l(__self.re) + __w0.r(other.re),
                            }
                        }
                    };
                    __skel::Source {
                        file: __skel::core::file!(),
                        params: __skel::std::vec![
                            (__skel::ty:: < Self > (), __skel::Mode::In), (__skel::ty:: <
                            Self > (), __skel::Mode::In)
                        ],
                        ret: __skel::ty::<Dual<T>>(),
                        fast_math: false,
                        mathematics: __skel::mathematics,
                        text: "(fn (self other) @17 (bl @18 (tail (st ^ (re (b + 0 (f re (v 0)) (f re (v 1))))))))",
                        types: __skel::std::vec![],
                        constants: __skel::std::vec![],
                        imps: __skel::std::vec![
                            __w0.binary:: < __skel::operator::Add > (__cx)
                        ],
                        messages: __skel::std::vec![],
                    }
                },
            )
        }
    }
};
