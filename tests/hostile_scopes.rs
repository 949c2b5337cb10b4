//! Scopes in which common names mean something else: what the macros write never means that. Each function
//! is run as Rust, on the CPU, and by its IR on a mock device.
#![forbid(unsafe_code)]
#![allow(
    non_camel_case_types,
    dead_code,
    unused_macros,
    unused_imports,
    unreachable_pub,
    reason = "hostile names are to be in scope, not to be used"
)]

use skel::{Context, Hybrid, Vector, mock::Mock};

/// The results of a map on the CPU and on a mock device, which interprets the IR.
macro_rules! on_every_unit {
    ($instance:expr, $arguments:expr, $expected:expr) => {{
        let mock = Mock::named("mock").unit().unwrap();
        let context = Context::builder().unit(mock).build().unwrap();
        let cpu = $instance.on(skel::Cpu).run($arguments).unwrap();
        let split = $instance.within(context).on(Hybrid::ratio(0.5));
        let split: Vector<_> = split.run($arguments).unwrap();
        assert_eq!(cpu.to_vec().unwrap(), $expected);
        assert_eq!(split.to_vec().unwrap(), $expected);
    }};
}

/// The names of numbers mean other numbers.
mod numbers {
    use skel::{Element, user_function};

    pub type Byte = u8;
    pub type Word = ::core::primitive::u32;
    type u32 = ::core::primitive::u8;
    type u8 = ::core::primitive::i64;
    type usize = ::core::primitive::i16;
    type isize = ::core::primitive::f32;
    type f32 = ::core::primitive::f64;
    type i128 = ::core::primitive::u8;
    type str = ();

    /// As many bytes as `repr` says, which is no name.
    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    #[repr(u32)]
    pub enum Wide {
        Near,
        Far = 70_000,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    #[repr(i8)]
    pub enum Signed {
        Less = -1,
        Same,
        More,
    }

    /// Eight bytes and one, seven of which would be missing if `u8` were believed.
    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    #[repr(C)]
    pub struct Mixed {
        pub long: u8,
        pub real: f32,
        pub kind: Wide,
        pub word: Word,
    }

    #[user_function]
    pub fn suffixed(x: Word) -> Word {
        let far = 70_000u32;
        x + far
    }

    #[user_function]
    pub fn mixed(x: Word, kind: Wide) -> Mixed {
        let all = [x; 3];
        Mixed {
            long: 1i64 << 40,
            real: f32::from_bits(1),
            kind,
            word: all[0] + all[2] + 5u32,
        }
    }

    #[user_function]
    pub fn aliased(x: u32) -> u8 {
        (x as u8 - 300) * 2
    }

    #[user_function]
    pub fn signs(s: Signed) -> ::core::primitive::i32 {
        match s {
            Signed::Less => -5,
            Signed::Same => 0,
            Signed::More => 5,
        }
    }

    pub fn words() -> [Word; 4] {
        [0, 1, 2, 3]
    }

    pub fn narrow() -> [u32; 4] {
        [0, 1, 2, 250]
    }
}

#[test]
fn names_of_numbers_are_not_believed() {
    use numbers::*;
    use skel::map;
    assert_eq!(size_of::<Wide>(), 4);
    let words = words();
    let kinds = [Wide::Far, Wide::Near, Wide::Far, Wide::Near];
    on_every_unit!(map!(suffixed), (&words,), words.map(suffixed));
    let expected: Vec<Mixed> = words.iter().zip(kinds).map(|(x, k)| mixed(*x, k)).collect();
    on_every_unit!(map!(mixed), (&words, &kinds), expected);
    let narrow = narrow();
    on_every_unit!(map!(aliased), (&narrow,), narrow.map(aliased));
    let signed = [Signed::Less, Signed::More, Signed::Same, Signed::Less];
    on_every_unit!(map!(signs), (&signed,), signed.map(signs));
}

/// `bool` means something else, which what std derives would not survive.
mod truth {
    use skel::user_function;

    type bool = ();

    #[user_function]
    pub fn positive(x: i32) -> i32 {
        assert!(x > -100, "far below");
        debug_assert_ne!(x, 101);
        if matches!(x, 1..=50) && x != 7 { x } else { 0 }
    }
}

#[test]
fn conditions_are_of_no_type_that_is_called_bool() {
    use skel::map;
    let x = [-3, 1, 7, 50];
    on_every_unit!(map!(truth::positive), (&x,), x.map(truth::positive));
}

/// Nothing is in scope, and much of what could be meant is something else.
mod bare {
    #![no_implicit_prelude]

    use ::core::{clone::Clone, cmp::PartialEq, fmt::Debug, marker::Copy};
    use ::skel::{Element, Random, map, user_function};

    mod core {}
    mod std {}
    mod skel {}
    struct Option;
    struct Some;
    struct Result;
    struct Vec;
    struct String;
    trait Sized {}
    trait Fn {}
    trait Into {}
    macro_rules! vec {
        ($($any:tt)*) => {
            ::core::compile_error!("it is another macro")
        };
    }
    macro_rules! file {
        ($($any:tt)*) => {
            ::core::compile_error!("it is another macro")
        };
    }
    macro_rules! concat {
        ($($any:tt)*) => {
            ::core::compile_error!("it is another macro")
        };
    }
    macro_rules! module_path {
        ($($any:tt)*) => {
            ::core::compile_error!("it is another macro")
        };
    }
    macro_rules! offset_of {
        ($($any:tt)*) => {
            ::core::compile_error!("it is another macro")
        };
    }
    macro_rules! assert {
        ($($any:tt)*) => {
            ::core::compile_error!("it is another macro")
        };
    }

    /// Methods of everything, with the names that probes call.
    trait Everything {
        fn put(self, _: ())
        where
            Self: ::core::marker::Sized,
        {
        }
        fn l(self, _: ())
        where
            Self: ::core::marker::Sized,
        {
        }
        fn r(self, _: ())
        where
            Self: ::core::marker::Sized,
        {
        }
        fn see(self, _: ())
        where
            Self: ::core::marker::Sized,
        {
        }
        fn ty(self)
        where
            Self: ::core::marker::Sized,
        {
        }
        fn binary(self, _: ())
        where
            Self: ::core::marker::Sized,
        {
        }
        fn define(self, _: ())
        where
            Self: ::core::marker::Sized,
        {
        }
    }
    impl<T> Everything for T {}

    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    #[element(eq)]
    #[repr(C)]
    pub struct Point {
        pub x: f32,
        pub y: f32,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    #[repr(C)]
    pub struct Both<T, const N: usize> {
        pub all: [T; N],
        pub last: T,
    }

    #[user_function]
    impl Point {
        fn swapped(self) -> Point {
            Point {
                x: self.y,
                y: self.x,
            }
        }
    }

    #[user_function]
    impl ::core::ops::Add for Point {
        type Output = Point;
        fn add(self, other: Point) -> Point {
            Point {
                x: self.x + other.x,
                y: self.y + other.y,
            }
        }
    }

    #[user_function]
    pub trait Measure {
        fn measure(self) -> f32;
    }

    #[user_function]
    impl Measure for Point {
        fn measure(self) -> f32 {
            self.x * self.x + self.y * self.y
        }
    }

    #[user_function]
    pub fn measured<T: Measure>(x: T) -> f32 {
        x.measure()
    }

    #[user_function]
    pub fn moved(p: Point, k: f32) -> Both<Point, 2> {
        let mut sum = p + p.swapped();
        for _ in 0..3 {
            sum.x += k;
        }
        let none = if sum == p { p } else { sum };
        Both {
            all: [sum, none],
            last: p,
        }
    }

    pub fn closed()
    -> ::skel::Map<impl ::skel::UserFunction<(::skel::Each<f32>,), Output = f32, At = ()>> {
        map!(|x: f32| -> f32 {
            let twice = 2.0 * x;
            twice - 1.5f32
        })
    }
}

#[test]
fn nothing_need_be_in_scope() {
    use bare::*;
    use skel::map;
    let points = [1.0_f32, -2.0, 0.5, 8.0].map(|x| Point { x, y: x + 1.0 });
    let k = [0.5_f32, 1.0, 2.0, -4.0];
    let expected: Vec<Both<Point, 2>> = points.iter().zip(k).map(|(p, k)| moved(*p, k)).collect();
    on_every_unit!(map!(moved), (&points, &k), expected);
    on_every_unit!(map!(measured), (&points,), points.map(measured));
    on_every_unit!(bare::closed(), (&k,), k.map(|x| 2.0 * x - 1.5));
}

/// A type that a macro writes, in a function, with the types that it is given.
macro_rules! made {
    ($name:ident, $first:ty, $second:ty) => {
        #[derive(Clone, Copy, Debug, PartialEq, skel::Element)]
        #[repr(C)]
        struct $name {
            first: $first,
            second: [$second; 2],
        }
    };
}

/// How many, in a place where a type is wanted.
macro_rules! three {
    () => {
        3
    };
}

#[test]
fn macros_and_functions_have_elements_of_their_own() {
    made!(Made, u32, f32);
    #[derive(Clone, Copy, Debug, PartialEq, skel::Element)]
    #[repr(transparent)]
    struct Triple([i16; three!()]);
    #[derive(Clone, Copy, Debug, PartialEq, skel::Element)]
    #[repr(u16)]
    enum Tag {
        None,
        #[cfg(any())]
        Never = 3,
        Many = u16::MAX,
    }

    #[skel::user_function]
    fn of(x: u32, tag: Tag) -> Made {
        let half = if tag == Tag::Many { 1.5f32 } else { 0.5f32 };
        Made {
            first: x,
            second: [half; 2],
        }
    }
    #[skel::user_function]
    fn triple(x: i16) -> Triple {
        Triple([x, -x, 7])
    }
    use skel::map;
    let (x, tags) = ([1_u32, 2], [Tag::None, Tag::Many]);
    let expected = [of(1, Tag::None), of(2, Tag::Many)];
    on_every_unit!(map!(of), (&x, &tags), expected);
    on_every_unit!(map!(triple), (&[4_i16, -9],), [triple(4), triple(-9)]);
    assert_eq!((size_of::<Made>(), size_of::<Triple>()), (12, 6));
}

/// What device memory is taken for is what Rust has there.
#[test]
fn elements_have_the_size_of_their_type_in_the_ir() {
    use skel::Element;
    fn check<T: Element>() {
        assert_eq!(T::ty().size_bytes(), size_of::<T>());
        assert!(align_of::<T>() <= 8);
    }
    check::<numbers::Wide>();
    check::<numbers::Signed>();
    check::<numbers::Mixed>();
    check::<bare::Point>();
    check::<bare::Both<numbers::Mixed, 3>>();
    check::<bare::Both<numbers::Signed, 1>>();
}
