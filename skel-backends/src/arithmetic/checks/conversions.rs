//! Conversions, one after the other: what a driver knows of a number may be wrong after the second one.
//!
//! Every chain `x as S as M as D` is asked for, over the floats, the integers of 32 and 64 bits, and two narrow ones
//! (`i16` and `u8` are printed as `i8` and `u16` are, with other numbers of bits). The results of those with one `M`
//! are mixed into one value, so that there are as many checks as types, and not as many as chains.

use super::{Case, Check, Consequence, bits, x};
use crate::arithmetic::{
    Remedy,
    ask::Class,
    samples::{Format, integers},
};
use skel_core::ir::{BinaryOp, Builtin, Expr, Ty, Value};

macro_rules! numbers {
    ($($name:ident $ty:ident $check:literal $of_f32:literal $of_f64:literal;)*) => {
        /// A number, converted by Rust itself.
        #[derive(Clone, Copy)]
        enum Number { $($name($ty),)* }

        /// All types, with the names of the checks: of integers, of `f32` and of `f64`.
        const TYPES: &[(Ty, [&str; 3])] = &[$((Ty::$name, [$check, $of_f32, $of_f64]),)*];

        impl Number {
            fn to(self, ty: &Ty) -> Number {
                macro_rules! cast {
                    ($number:expr) => {
                        match ty {
                            $(Ty::$name => Number::$name($number as $ty),)*
                            _ => self,
                        }
                    };
                }
                match self { $(Number::$name(number) => cast!(number),)* }
            }
        }
    };
}

numbers! {
    I8 i8 "as i8 as" "f32 as i8 as" "f64 as i8 as";
    U16 u16 "as u16 as" "f32 as u16 as" "f64 as u16 as";
    I32 i32 "as i32 as" "f32 as i32 as" "f64 as i32 as";
    U32 u32 "as u32 as" "f32 as u32 as" "f64 as u32 as";
    I64 i64 "as i64 as" "f32 as i64 as" "f64 as i64 as";
    U64 u64 "as u64 as" "f32 as u64 as" "f64 as u64 as";
    F32 f32 "as f32 as" "f32 as f32 as" "f64 as f32 as";
    F64 f64 "as f64 as" "f32 as f64 as" "f64 as f64 as";
}

impl Number {
    /// As [`bits`].
    fn bits(self, class: Class) -> u64 {
        let all = match self {
            Number::F32(x) => x.to_bits().into(),
            Number::F64(x) => x.to_bits(),
            Number::I32(x) => (x as u32).into(),
            other => match other.to(&Ty::U64) {
                Number::U64(x) => x,
                _ => 0,
            },
        };
        match class.result() {
            Ty::U32 => all & u64::from(u32::MAX),
            _ => all,
        }
    }
}

/// What a chain begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Integer,
    F32,
    F64,
}

impl Source {
    fn has(self, ty: &Ty) -> bool {
        match self {
            Source::Integer => ty.is_integer(),
            Source::F32 => *ty == Ty::F32,
            Source::F64 => *ty == Ty::F64,
        }
    }

    /// The operands. Integers of a class of floats come as the bits of one, which are not those of NaN: a driver may
    /// change these.
    fn operands(self, class: Class) -> Vec<u64> {
        let mut all = match (self, class) {
            (Source::F32, _) => Format::F32.singles(),
            (Source::F64, _) => Format::F64.singles(),
            (Source::Integer, Class::Words) => integers(32),
            (Source::Integer, _) => integers(64),
        };
        if class == Class::F64 && self == Source::Integer {
            all.retain(|bits| !Format::F64.is_nan(*bits));
        }
        all
    }

    /// The first number of a chain.
    fn native(self, operand: u64) -> Number {
        match self {
            Source::Integer => Number::U64(operand),
            Source::F32 => Number::F32(f32::from_bits(operand as u32)),
            Source::F64 => Number::F64(f64::from_bits(operand)),
        }
    }

    /// The same on the device.
    fn expr(self, class: Class) -> Expr {
        let word = || match class {
            Class::F64 => Expr::builtin(Builtin::ToBits, vec![x(class)], 0),
            _ => x(class),
        };
        match self {
            Source::F64 => x(class),
            Source::Integer => word(),
            Source::F32 => {
                let word = word();
                let low = match word.ty {
                    Ty::U32 => word,
                    _ => Expr::cast(word, Ty::U32),
                };
                Expr::builtin(Builtin::FromBits, vec![low], 0)
            }
        }
    }
}

/// The type that counts as wrong where such a chain is: the one that the fewest devices have.
fn blamed(chain: [&Ty; 3]) -> &'static str {
    let among = |ty: Ty| chain.contains(&&ty);
    match () {
        () if among(Ty::F64) => "f64",
        () if among(Ty::I64) => "i64",
        () if among(Ty::U64) => "u64",
        () if among(Ty::F32) => "f32",
        () => "u32",
    }
}

/// An odd factor, another one for each chain: a difference in one of them is one in the mixture.
fn factor(k: usize, class: Class) -> Value {
    let odd = (k as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    match class.result() {
        Ty::U32 => Value::U32(odd as u32),
        _ => Value::U64(odd),
    }
}

/// A balanced tree: no depth to speak of.
fn mixed(mut terms: Vec<Expr>) -> Option<Expr> {
    while terms.len() > 1 {
        let mut pairs = terms.into_iter();
        let mut halves = Vec::new();
        while let Some(left) = pairs.next() {
            halves.push(match pairs.next() {
                Some(right) => Expr::binary(BinaryOp::BitXor, left, right, 0),
                None => left,
            });
        }
        terms = halves;
    }
    terms.pop()
}

/// All chains whose types are of this class, and that no smaller class has: those of `blames`.
pub(super) fn of(class: Class, blames: &[&'static str]) -> Vec<Check> {
    let mut all = Vec::new();
    for blame in blames {
        for source in [Source::Integer, Source::F32, Source::F64] {
            for (middle, names) in TYPES {
                let name = names[source as usize];
                all.extend(check(class, blame, (source, middle), name));
            }
        }
    }
    all
}

fn check(
    class: Class,
    blame: &'static str,
    (source, middle): (Source, &Ty),
    operation: &'static str,
) -> Option<Check> {
    let mut chains: Vec<(&Ty, &Ty)> = Vec::new();
    for (first, _) in TYPES.iter().filter(|(ty, _)| source.has(ty)) {
        for (last, _) in TYPES {
            let is_chain = first != middle && middle != last;
            // NaN has many bits, and none of them is in a mixture.
            let is_number = source == Source::Integer || middle.is_integer();
            if is_chain && is_number && blamed([first, middle, last]) == blame {
                chains.push((first, last));
            }
        }
    }
    let term = |(k, (first, last)): (usize, &(&Ty, &Ty))| {
        let start = source.expr(class);
        let start = match start.ty == **first {
            true => start,
            false => Expr::cast(start, (*first).clone()),
        };
        let end = Expr::cast(Expr::cast(start, middle.clone()), (*last).clone());
        let factor = Expr::constant(factor(k, class));
        Expr::binary(BinaryOp::Mul, bits(class, end), factor, 0)
    };
    let expr = mixed(chains.iter().enumerate().map(term).collect())?;
    let native = |operand: u64| {
        let terms = chains.iter().enumerate().map(|(k, (first, last))| {
            let end = source.native(operand).to(first).to(middle).to(last);
            let factor = match factor(k, class) {
                Value::U32(odd) => odd.into(),
                Value::U64(odd) => odd,
                _ => 1,
            };
            end.bits(class).wrapping_mul(factor)
        });
        let all = terms.fold(0, |mixed, term| mixed ^ term);
        match class.result() {
            Ty::U32 => all & u64::from(u32::MAX),
            _ => all,
        }
    };
    let spreads_signs = matches!(middle, Ty::I64 | Ty::U64);
    Some(Check {
        ty: blame,
        operation,
        remedy: spreads_signs.then_some(Remedy::SpreadSigns),
        meaning: Consequence::Wrong,
        expr,
        result: None,
        cases: source
            .operands(class)
            .into_iter()
            .map(|operand| Case {
                operands: [operand, 0],
                expected: native(operand),
                subnormal: false,
            })
            .collect(),
    })
}
