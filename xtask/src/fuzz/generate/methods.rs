//! The methods that numbers have.

use super::{Generator, is_float};
use crate::fuzz::{
    tree::{Node, Sort, node},
    types::{Scalar, Ty},
};

/// Integers that the language has.
pub(super) const INTEGERS: [Scalar; 10] = [
    Scalar::I8,
    Scalar::I16,
    Scalar::I32,
    Scalar::I64,
    Scalar::Isize,
    Scalar::U8,
    Scalar::U16,
    Scalar::U32,
    Scalar::U64,
    Scalar::Usize,
];

/// What an argument or result is, seen from the receiver.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Is {
    /// The receiver's type.
    Own,
    U32,
    I32,
    Bool,
    /// The unsigned integer of the same width.
    Unsigned,
    /// The signed integer of the same width.
    Signed,
}

type Method = (&'static str, &'static [Is], Is);

const OF_FLOATS: [Method; 20] = [
    ("abs", &[], Is::Own),
    ("signum", &[], Is::Own),
    ("sqrt", &[], Is::Own),
    ("floor", &[], Is::Own),
    ("ceil", &[], Is::Own),
    ("round", &[], Is::Own),
    ("trunc", &[], Is::Own),
    ("fract", &[], Is::Own),
    ("copysign", &[Is::Own], Is::Own),
    ("is_nan", &[], Is::Bool),
    ("is_finite", &[], Is::Bool),
    ("is_infinite", &[], Is::Bool),
    ("recip", &[], Is::Own),
    ("round_ties_even", &[], Is::Own),
    ("to_degrees", &[], Is::Own),
    ("to_radians", &[], Is::Own),
    ("div_euclid", &[Is::Own], Is::Own),
    ("rem_euclid", &[Is::Own], Is::Own),
    ("is_sign_positive", &[], Is::Bool),
    ("is_sign_negative", &[], Is::Bool),
];

/// Those that see the sign of a NaN, which is open.
const SEES_SIGNS: [&str; 3] = ["to_bits", "is_sign_positive", "is_sign_negative"];

/// Whose results units may give in other bits.
const ROUGH: [Method; 23] = [
    ("sin", &[], Is::Own),
    ("cos", &[], Is::Own),
    ("tan", &[], Is::Own),
    ("exp", &[], Is::Own),
    ("exp2", &[], Is::Own),
    ("ln", &[], Is::Own),
    ("log2", &[], Is::Own),
    ("powf", &[Is::Own], Is::Own),
    ("powi", &[Is::I32], Is::Own),
    ("mul_add", &[Is::Own, Is::Own], Is::Own),
    ("asin", &[], Is::Own),
    ("acos", &[], Is::Own),
    ("atan", &[], Is::Own),
    ("atan2", &[Is::Own], Is::Own),
    ("sinh", &[], Is::Own),
    ("cosh", &[], Is::Own),
    ("tanh", &[], Is::Own),
    ("exp_m1", &[], Is::Own),
    ("ln_1p", &[], Is::Own),
    ("log10", &[], Is::Own),
    ("cbrt", &[], Is::Own),
    ("hypot", &[Is::Own], Is::Own),
    ("log", &[Is::Own], Is::Own),
];

const OF_INTEGERS: [Method; 35] = [
    ("wrapping_add", &[Is::Own], Is::Own),
    ("wrapping_sub", &[Is::Own], Is::Own),
    ("wrapping_mul", &[Is::Own], Is::Own),
    ("wrapping_neg", &[], Is::Own),
    ("wrapping_shl", &[Is::U32], Is::Own),
    ("wrapping_shr", &[Is::U32], Is::Own),
    ("rotate_left", &[Is::U32], Is::Own),
    ("rotate_right", &[Is::U32], Is::Own),
    ("count_ones", &[], Is::U32),
    ("leading_zeros", &[], Is::U32),
    ("trailing_zeros", &[], Is::U32),
    ("leading_ones", &[], Is::U32),
    ("trailing_ones", &[], Is::U32),
    ("swap_bytes", &[], Is::Own),
    ("reverse_bits", &[], Is::Own),
    ("pow", &[Is::U32], Is::Own),
    ("saturating_add", &[Is::Own], Is::Own),
    ("saturating_sub", &[Is::Own], Is::Own),
    ("abs_diff", &[Is::Own], Is::Unsigned),
    ("div_euclid", &[Is::Own], Is::Own),
    ("rem_euclid", &[Is::Own], Is::Own),
    ("wrapping_div", &[Is::Own], Is::Own),
    ("wrapping_rem", &[Is::Own], Is::Own),
    ("wrapping_div_euclid", &[Is::Own], Is::Own),
    ("wrapping_rem_euclid", &[Is::Own], Is::Own),
    ("wrapping_pow", &[Is::U32], Is::Own),
    ("saturating_mul", &[Is::Own], Is::Own),
    ("saturating_div", &[Is::Own], Is::Own),
    ("saturating_pow", &[Is::U32], Is::Own),
    ("midpoint", &[Is::Own], Is::Own),
    ("count_zeros", &[], Is::U32),
    ("isqrt", &[], Is::Own),
    ("ilog", &[Is::Own], Is::U32),
    ("ilog2", &[], Is::U32),
    ("ilog10", &[], Is::U32),
];

/// Those that give a value, and whether it is not what it should be.
const OVERFLOWING: [Method; 11] = [
    ("overflowing_add", &[Is::Own], Is::Own),
    ("overflowing_sub", &[Is::Own], Is::Own),
    ("overflowing_mul", &[Is::Own], Is::Own),
    ("overflowing_div", &[Is::Own], Is::Own),
    ("overflowing_rem", &[Is::Own], Is::Own),
    ("overflowing_div_euclid", &[Is::Own], Is::Own),
    ("overflowing_rem_euclid", &[Is::Own], Is::Own),
    ("overflowing_neg", &[], Is::Own),
    ("overflowing_pow", &[Is::U32], Is::Own),
    ("overflowing_shl", &[Is::U32], Is::Own),
    ("overflowing_shr", &[Is::U32], Is::Own),
];

const OVERFLOWING_SIGNED: [Method; 3] = [
    ("overflowing_abs", &[], Is::Own),
    ("overflowing_add_unsigned", &[Is::Unsigned], Is::Own),
    ("overflowing_sub_unsigned", &[Is::Unsigned], Is::Own),
];

const OVERFLOWING_UNSIGNED: [Method; 1] = [("overflowing_add_signed", &[Is::Signed], Is::Own)];

/// Those that trap unless the receiver is positive, or not negative.
const OF_POSITIVE: [&str; 4] = ["isqrt", "ilog", "ilog2", "ilog10"];

/// Those that trap if their argument is 0.
const DIVIDES: [&str; 14] = [
    "ilog",
    "overflowing_div",
    "overflowing_rem",
    "overflowing_div_euclid",
    "overflowing_rem_euclid",
    "div_euclid",
    "rem_euclid",
    "wrapping_div",
    "wrapping_rem",
    "wrapping_div_euclid",
    "wrapping_rem_euclid",
    "saturating_div",
    "div_ceil",
    "next_multiple_of",
];

const OF_SIGNED: [Method; 13] = [
    ("abs", &[], Is::Own),
    ("signum", &[], Is::Own),
    ("unsigned_abs", &[], Is::Unsigned),
    ("is_positive", &[], Is::Bool),
    ("is_negative", &[], Is::Bool),
    ("wrapping_abs", &[], Is::Own),
    ("saturating_abs", &[], Is::Own),
    ("saturating_neg", &[], Is::Own),
    ("cast_unsigned", &[], Is::Unsigned),
    ("wrapping_add_unsigned", &[Is::Unsigned], Is::Own),
    ("wrapping_sub_unsigned", &[Is::Unsigned], Is::Own),
    ("saturating_add_unsigned", &[Is::Unsigned], Is::Own),
    ("saturating_sub_unsigned", &[Is::Unsigned], Is::Own),
];

const OF_UNSIGNED: [Method; 8] = [
    ("is_multiple_of", &[Is::Own], Is::Bool),
    ("is_power_of_two", &[], Is::Bool),
    ("next_power_of_two", &[], Is::Own),
    ("next_multiple_of", &[Is::Own], Is::Own),
    ("div_ceil", &[Is::Own], Is::Own),
    ("cast_signed", &[], Is::Signed),
    ("wrapping_add_signed", &[Is::Signed], Is::Own),
    ("saturating_add_signed", &[Is::Signed], Is::Own),
];

/// All names, for the test of what is generated.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let tables: [&'static [Method]; 8] = [
        &OF_FLOATS,
        &ROUGH,
        &OF_INTEGERS,
        &OF_SIGNED,
        &OF_UNSIGNED,
        &OVERFLOWING,
        &OVERFLOWING_SIGNED,
        &OVERFLOWING_UNSIGNED,
    ];
    let named = tables.into_iter().flatten().map(|(name, ..)| *name);
    named.chain(["min", "max", "clamp", "to_bits", "from_bits", "sin_cos"])
}

impl Is {
    fn ty(self, own: &Ty) -> Ty {
        match self {
            Is::Own => own.clone(),
            Is::U32 => Scalar::U32.into(),
            Is::I32 => Scalar::I32.into(),
            Is::Bool => Scalar::Bool.into(),
            Is::Unsigned => match own.scalar() {
                Some(Scalar::I8) => Scalar::U8.into(),
                Some(Scalar::I16) => Scalar::U16.into(),
                Some(Scalar::I32) => Scalar::U32.into(),
                Some(Scalar::I64) => Scalar::U64.into(),
                Some(Scalar::Isize) => Scalar::Usize.into(),
                _ => own.clone(),
            },
            Is::Signed => match own.scalar() {
                Some(Scalar::U8) => Scalar::I8.into(),
                Some(Scalar::U16) => Scalar::I16.into(),
                Some(Scalar::U32) => Scalar::I32.into(),
                Some(Scalar::U64) => Scalar::I64.into(),
                Some(Scalar::Usize) => Scalar::Isize.into(),
                _ => own.clone(),
            },
        }
    }
}

/// The methods of a type, those with another result type among them.
fn table(ty: &Ty, rough: bool) -> Vec<&'static Method> {
    let mut all: Vec<&Method> = Vec::new();
    match ty {
        ty if is_float(ty) => {
            all.extend(&OF_FLOATS);
            if rough {
                all.extend(&ROUGH);
            }
        }
        Ty::Scalar(s) if s.is_integer() => {
            all.extend(&OF_INTEGERS);
            match s.is_signed() {
                true => all.extend(&OF_SIGNED),
                false => all.extend(&OF_UNSIGNED),
            }
        }
        _ => {}
    }
    all
}

/// The methods that give a tuple of a number and a `bool`.
fn overflowing(ty: &Ty) -> Vec<&'static Method> {
    let Some(scalar) = ty.scalar().filter(|s| s.is_integer()) else {
        return Vec::new();
    };
    let mut all: Vec<&Method> = OVERFLOWING.iter().collect();
    match scalar.is_signed() {
        true => all.extend(&OVERFLOWING_SIGNED),
        false => all.extend(&OVERFLOWING_UNSIGNED),
    }
    all
}

fn is_a_number(ty: &Ty) -> bool {
    matches!(ty, Ty::Generic(_)) || ty.scalar().is_some_and(|s| s != Scalar::Bool)
}

impl Generator {
    /// The bits of a float, or the float of bits.
    fn reinterpreted(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        let (from, construct) = match ty.scalar()? {
            Scalar::F32 => (Scalar::U32, "from_bits"),
            Scalar::F64 => (Scalar::U64, "from_bits"),
            Scalar::U32 => (Scalar::F32, "to_bits"),
            Scalar::U64 => (Scalar::F64, "to_bits"),
            _ => return None,
        };
        let from = Ty::from(from);
        let mut own = self.expr(&from, depth - 1, false);
        let sort = Sort::Expr(ty.clone());
        if construct == "from_bits" {
            return Some(node!(sort, construct, &format!("{ty}::from_bits($)"), own));
        }
        own = self.with_a_sign(&from, own);
        Some(node!(sort, construct, "($).to_bits()", own))
    }

    /// A method call that gives `ty`.
    pub(super) fn method(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        if self.dice.percent(6) {
            return self.reinterpreted(ty, depth);
        }
        let receivers: Vec<Ty> = self.pool.iter().chain([ty]).cloned().collect();
        let mut found = Vec::new();
        for receiver in receivers.into_iter().filter(is_a_number) {
            for method in table(&receiver, self.rough) {
                if method.2.ty(&receiver) == *ty {
                    found.push((receiver.clone(), *method, ""));
                }
            }
            let is_bool = matches!(ty, Ty::Scalar(Scalar::Bool));
            for method in overflowing(&receiver) {
                match receiver == *ty {
                    true => found.push((receiver.clone(), *method, ".0")),
                    false if is_bool => found.push((receiver.clone(), *method, ".1")),
                    false => {}
                }
            }
            if self.rough && receiver == *ty && receiver.scalar().is_some_and(Scalar::is_float) {
                let part = *self.dice.pick(&[".0", ".1"]);
                found.push((receiver.clone(), ("sin_cos", &[], Is::Own), part));
            }
        }
        let bounded = !matches!(ty, Ty::Scalar(Scalar::Bool)) && self.dice.percent(30);
        if bounded || found.is_empty() {
            return self.bounded(ty, depth);
        }
        let (receiver, (name, args, _), part) = self.dice.pick(&found).clone();
        let mut own = self.expr(&receiver, depth - 1, false);
        if OF_POSITIVE.contains(&name) && receiver.scalar().is_some() && self.dice.percent(85) {
            let template = format!("(($ & {receiver}::MAX) | 1)");
            own = node!(Sort::Expr(receiver.clone()), "|", &template, own);
        }
        if SEES_SIGNS.contains(&name) {
            own = self.with_a_sign(&receiver, own);
        }
        let mut list: Vec<Node> = Vec::new();
        for arg in args {
            let mut arg = self.expr(&arg.ty(&receiver), depth - 1, true);
            if name == "copysign" {
                arg = self.with_a_sign(&receiver, arg);
            }
            if DIVIDES.contains(&name) && !is_float(&receiver) && self.dice.percent(85) {
                arg = node!(Sort::Expr(receiver.clone()), "|", "($ | 1)", arg);
            }
            list.push(arg);
        }
        Some(self.called((ty, part), &receiver, name, own, list))
    }

    /// The sign of a NaN is open: where it is seen, there must be none.
    fn with_a_sign(&mut self, ty: &Ty, arg: Node) -> Node {
        let name = self.fresh("s");
        let (one, sort) = (self.one(ty), Sort::Expr(ty.clone()));
        let template =
            format!("{{ let {name}: {ty} = $; if {name}.is_nan() {{ $ }} else {{ {name} }} }}");
        node!(sort, "block value", &template, arg, one)
    }

    fn one(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Generic(_) => "T::ONE".into(),
            ty => format!("1.0_{ty}"),
        }
    }

    /// `min`, `max` and `clamp`. Which zero they give is open, so a zero is added to floats.
    fn bounded(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        if !is_a_number(ty) {
            return None;
        }
        let own = self.expr(ty, depth - 1, false);
        let name = *self.dice.pick(&["min", "max", "clamp"]);
        let args = match name {
            "clamp" => self.limits(ty, depth),
            _ => vec![self.expr(ty, depth - 1, true)],
        };
        let call = self.called((ty, ""), ty, name, own, args);
        Some(match ty {
            Ty::Generic(_) => node!(Sort::Expr(ty.clone()), name, "($ + T::ZERO)", call),
            ty if is_float(ty) => node!(Sort::Expr(ty.clone()), name, "($ + 0.0)", call),
            _ => call,
        })
    }

    /// Two bounds, most often in order.
    fn limits(&mut self, ty: &Ty, depth: usize) -> Vec<Node> {
        if self.dice.percent(20) {
            return vec![
                self.expr(ty, depth - 1, true),
                self.expr(ty, depth - 1, true),
            ];
        }
        let (low, high) = (self.dice.below(10), self.dice.range(10, 90));
        let fraction = if is_float(ty) { ".5" } else { "" };
        let bounds = match ty {
            Ty::Generic(_) => ["T::ZERO".into(), "T::ONE".into()],
            _ => [format!("{low}{fraction}"), format!("{high}{fraction}")],
        };
        bounds
            .into_iter()
            .map(|text| node!(Sort::Expr(ty.clone()), "open literal", &text))
            .collect()
    }

    /// `x.m(a)` or `f32::m(x, a)`, or a part of it.
    fn called(
        &mut self,
        (ty, part): (&Ty, &str),
        receiver: &Ty,
        name: &'static str,
        own: Node,
        args: Vec<Node>,
    ) -> Node {
        let holes = vec!["$"; args.len()].join(", ");
        let by_path = self.dice.percent(20) && !matches!(receiver, Ty::Generic(_));
        let template = match by_path {
            true => format!("{receiver}::{name}($, {holes}){part}"),
            false => format!("($).{name}({holes}){part}"),
        };
        let mut all = vec![own.into()];
        all.extend(args.into_iter().map(Into::into));
        Node::new(Sort::Expr(ty.clone()), name, &template, all)
    }
}
