//! Literals and other values that need nothing around them.

use super::Generator;
use crate::fuzz::{
    dice::Dice,
    tree::{Node, Sort, node},
    types::{Scalar, Ty},
};

/// The simplest value of a type; `None` where there is no short one.
pub(in crate::fuzz) fn plain(ty: &Ty) -> Option<Node> {
    let text = match ty {
        Ty::Unit => "()".into(),
        Ty::Scalar(Scalar::Bool) => "false".into(),
        Ty::Scalar(scalar) if scalar.is_float() => format!("0.0_{}", scalar.name()),
        Ty::Scalar(scalar) => format!("0_{}", scalar.name()),
        Ty::Generic(_) => "T::ZERO".into(),
        Ty::View(_) | Ty::Line(..) => return None,
        Ty::Enum(e) => format!("{}::{}", e.name, e.variants[0]),
        Ty::Tuple(parts) => {
            let parts: Option<Vec<String>> = parts
                .iter()
                .map(|p| Some(plain(p)?.text() + ", "))
                .collect();
            format!("({})", parts?.concat())
        }
        Ty::Array(elem, len) => format!("[{}; {len}]", plain(elem)?.text()),
        Ty::Struct(s) => {
            let fields: Option<Vec<String>> = s
                .fields
                .iter()
                .map(|(name, ty)| Some(format!("{name}: {}, ", plain(ty)?.text())))
                .collect();
            format!("({} {{ {} }})", s.name, fields?.concat())
        }
    };
    Some(node!(Sort::Expr(ty.clone()), "plain", &text))
}

/// Digits of an integer, perhaps with a minus, in the range of its type.
fn integer(dice: &mut Dice, scalar: Scalar) -> String {
    let bits = scalar.bits().unwrap_or(32);
    // Devices compute `usize` in 32 bits: larger ones are a subject of their own.
    let bits = match scalar {
        Scalar::Usize | Scalar::Isize => 16,
        _ => bits,
    };
    let max = match scalar.is_signed() {
        true => (1_u64 << (bits - 1)) - 1,
        false => u64::MAX >> (64 - bits),
    };
    let value = match dice.below(10) {
        0 => max,
        1 => max - 1,
        2 => dice.bits() & max,
        3 => u64::from(bits).min(max),
        4 => u64::from(bits - 1).min(max),
        _ => dice.below(20) as u64,
    };
    let minus = scalar.is_signed() && dice.percent(25);
    format!("{}{value}", if minus { "-" } else { "" })
}

/// Digits of a float, perhaps with a minus.
fn float(dice: &mut Dice, scalar: Scalar) -> String {
    const EDGES: [&str; 12] = [
        "0.1",
        "1e-3",
        "16777217.0",
        "2147483648.0",
        "4294967295.0",
        "0.49999997",
        "3.4e38",
        "1.0e-40",
        "255.5",
        "-128.5",
        "1e9",
        "0.0",
    ];
    match dice.below(6) {
        0 => (*dice.pick(&EDGES)).into(),
        1 if scalar == Scalar::F64 => "1.7976931348623157e308".into(),
        _ => {
            let minus = if dice.percent(25) { "-" } else { "" };
            format!("{minus}{}.{}", dice.below(20), dice.pick(&[0, 25, 5, 3]))
        }
    }
}

impl Generator {
    /// A literal. `forced`: what is around it says its type, so that it may go without a suffix.
    pub(super) fn literal(&mut self, scalar: Scalar, forced: bool) -> Node {
        let sort = Sort::Expr(scalar.into());
        if scalar == Scalar::Bool {
            let text = if self.dice.percent(50) {
                "true"
            } else {
                "false"
            };
            return node!(sort, "bool literal", text);
        }
        let digits = match scalar.is_float() {
            true => float(&mut self.dice, scalar),
            false => integer(&mut self.dice, scalar),
        };
        if forced && self.dice.percent(70) {
            return node!(sort, "open literal", &digits);
        }
        let construct = match scalar.is_float() {
            true => "float literal",
            false => "integer literal",
        };
        node!(sort, construct, &format!("{digits}_{}", scalar.name()))
    }

    /// A named constant of std.
    fn std_constant(&mut self, scalar: Scalar) -> Node {
        let name = scalar.name();
        let names: &[&str] = match scalar {
            Scalar::F32 | Scalar::F64 => &[
                "MAX",
                "MIN",
                "EPSILON",
                "MIN_POSITIVE",
                "INFINITY",
                "NEG_INFINITY",
                "NAN",
            ],
            Scalar::Usize | Scalar::Isize => return self.literal(scalar, false),
            _ => &["MAX", "MIN", "BITS"],
        };
        let text = match *self.dice.pick(names) {
            "BITS" => format!("({name}::BITS as {name})"),
            constant if scalar.is_float() && self.dice.percent(30) => {
                let _ = constant;
                format!(
                    "std::{name}::consts::{}",
                    self.dice.pick(&["PI", "E", "SQRT_2"])
                )
            }
            constant => format!("{name}::{constant}"),
        };
        node!(Sort::Expr(scalar.into()), "constant of std", &text)
    }

    /// A value without parts: a variable, a constant, a literal.
    pub(super) fn leaf(&mut self, ty: &Ty, forced: bool) -> Node {
        let vars: Vec<String> = self
            .body
            .visible()
            .filter(|var| var.ty == *ty)
            .map(|var| var.place.clone())
            .collect();
        if !vars.is_empty() && self.dice.percent(80) {
            let place = self.dice.pick(&vars);
            let text = match place.starts_with('*') {
                true => format!("({place})"),
                false => place.clone(),
            };
            return node!(Sort::Expr(ty.clone()), "variable", &text);
        }
        let constants: Vec<String> = self
            .constants
            .iter()
            .filter(|(_, of)| of == ty)
            .map(|(name, _)| name.clone())
            .collect();
        if !constants.is_empty() && self.dice.percent(40) {
            let name = self.dice.pick(&constants);
            return node!(Sort::Expr(ty.clone()), "named constant", name);
        }
        match ty {
            Ty::Scalar(scalar) => {
                if let Some(node) = self.cast_variable(*scalar) {
                    return node;
                }
                if *scalar != Scalar::Bool && self.dice.percent(8) {
                    return self.std_constant(*scalar);
                }
                self.literal(*scalar, forced)
            }
            Ty::Generic(_) => {
                let name = *self.dice.pick(&["T::ZERO", "T::ONE"]);
                node!(Sort::Expr(ty.clone()), "generic constant", name)
            }
            ty => self.assembled(ty),
        }
    }

    /// A variable of another type, so that values depend on arguments and not on literals alone.
    fn cast_variable(&mut self, to: Scalar) -> Option<Node> {
        let vars: Vec<(String, Scalar)> = self
            .body
            .visible()
            .filter_map(|var| Some((var.place.clone(), var.ty.scalar()?)))
            .filter(|(_, from)| *from != to && !(to.is_float() && *from == Scalar::Bool))
            .collect();
        if vars.is_empty() || self.dice.percent(50) {
            return None;
        }
        let (place, from) = self.dice.pick(&vars).clone();
        let zero = if from.is_float() { "0.0" } else { "0" };
        let text = match to {
            Scalar::Bool => format!("({place} > {zero})"),
            // Devices have 32 bits there, and say so beyond.
            Scalar::Usize | Scalar::Isize if from == Scalar::Bool => {
                format!("({place} as {})", to.name())
            }
            Scalar::Usize | Scalar::Isize => format!("({place} as u16 as {})", to.name()),
            to => format!("({place} as {})", to.name()),
        };
        Some(node!(Sort::Expr(to.into()), "variable", &text))
    }

    /// A value of a type with parts, or `()`, from leaves.
    fn assembled(&mut self, ty: &Ty) -> Node {
        let built = match self.dice.percent(70) {
            true => self.built(ty, 1),
            false => plain(ty),
        };
        match built {
            Some(node) => node,
            None => node!(Sort::Expr(ty.clone()), "plain", "()"),
        }
    }
}
