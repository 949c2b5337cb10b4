//! What is asked of a device, and what Rust makes of it.

mod bools;
mod conversions;
mod exits;
mod floats;
mod halves;
mod integer_methods;
mod integers;
mod methods;

use super::{Remedy, ask::Class, samples::Format};
use skel_core::ir::{Builtin, Expr, FnId, Function, LocalId, Ty};

/// One operation, with operands and results.
pub(crate) struct Check {
    /// The type that is not used where it is wrong.
    pub(super) ty: &'static str,
    /// As Rust spells it.
    pub(super) operation: &'static str,
    /// What helps, if anything does.
    pub(super) remedy: Option<Remedy>,
    /// What a wrong result means.
    pub(super) meaning: Consequence,
    /// The bits of the result, of the locals [`x`] and [`y`].
    pub(super) expr: Expr,
    /// The result's format, if it is a float: NaN has many bits.
    pub(super) result: Option<Format>,
    pub(super) cases: Vec<Case>,
}

impl Check {
    /// Whether a result as small as normal numbers get may be a rounded one: sums are exact there, and most methods
    /// always.
    pub(super) fn rounds(&self) -> bool {
        let rounding = ["*", "/", "recip", "to_radians", "powi"];
        rounding.contains(&self.operation) || self.operation.starts_with("mul_add")
    }
}

/// What it says of a device that a check fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consequence {
    /// The operation is wrong; of subnormal operands or results: they are flushed.
    Wrong,
    /// `a * b + c` is contracted.
    Contracts,
}

/// Operands and result.
pub(super) struct Case {
    pub(super) operands: [u64; 2],
    pub(super) expected: u64,
    /// Whether one of the three is subnormal.
    pub(super) subnormal: bool,
}

/// The checks of a class.
pub(super) fn of(class: Class) -> Vec<Check> {
    let (mut checks, chains): (Vec<Check>, &[&str]) = match class {
        Class::Words => (integers::words(), &["u32", "f32"]),
        Class::Longs => (integers::longs(), &["i64", "u64"]),
        Class::F32 => (floats::f32_checks(), &[]),
        Class::F64 => (floats::f64_checks(), &["f64"]),
    };
    checks.extend(conversions::of(class, chains));
    checks.extend(bools::casts(class));
    match class {
        Class::Words => {
            checks.extend(bools::operators());
            checks.extend(integer_methods::words());
            checks.push(halves::of_words());
        }
        Class::Longs => checks.extend(integer_methods::longs()),
        Class::F32 => {
            checks.extend(methods::f32_methods());
            checks.extend(methods::of_nan());
            checks.push(halves::of_singles());
        }
        Class::F64 => checks.extend(methods::f64_methods()),
    }
    if class == Class::Words {
        checks.push(exits::check(CALLED, vec![x(class), y(class)]));
    }
    checks
}

/// Checks of one kernel: a device that masks lanes computes each of them for each element of all.
const MOST_TOGETHER: usize = 24;

/// The checks of a class, those of each kernel together.
pub(super) fn groups(class: Class) -> Vec<Vec<Check>> {
    let mut groups: Vec<Vec<Check>> = Vec::new();
    for check in of(class) {
        match groups.last_mut() {
            Some(group) if group.len() < MOST_TOGETHER => group.push(check),
            _ => groups.push(vec![check]),
        }
    }
    groups
}

/// The first function that checks call.
const CALLED: FnId = FnId(0);

/// The functions that the checks of a class call, from [`CALLED`] on. In a program they precede the one that asks.
pub(super) fn functions(class: Class) -> Vec<Function> {
    match class {
        Class::Words => vec![exits::function()],
        Class::F32 | Class::Longs | Class::F64 => Vec::new(),
    }
}

/// The first operand.
fn x(class: Class) -> Expr {
    Expr::local(LocalId(1), class.operand())
}

/// The second operand.
fn y(class: Class) -> Expr {
    Expr::local(LocalId(2), class.operand())
}

/// A value's bits, in the class's result type.
fn bits(class: Class, e: Expr) -> Expr {
    let e = if e.ty.is_float() {
        Expr::builtin(Builtin::ToBits, vec![e], 0)
    } else {
        e
    };
    if e.ty == class.result() {
        return e;
    }
    // Signed integers of half the width keep their bits.
    let e = match e.ty {
        Ty::I32 => Expr::cast(e, Ty::U32),
        _ => e,
    };
    if e.ty == class.result() {
        e
    } else {
        Expr::cast(e, class.result())
    }
}

/// The cases of an operation on one operand.
fn of_one(operands: &[u64], native: impl Fn(u64) -> Option<u64>) -> Vec<Case> {
    let operands: Vec<[u64; 2]> = operands.iter().map(|x| [*x, 0]).collect();
    of_two(&operands, |x, _| native(x))
}

/// The cases of an operation on two operands, where Rust has a result.
fn of_two(operands: &[[u64; 2]], native: impl Fn(u64, u64) -> Option<u64>) -> Vec<Case> {
    let cases = operands.iter().filter_map(|[x, y]| {
        Some(Case {
            operands: [*x, *y],
            expected: native(*x, *y)?,
            subnormal: false,
        })
    });
    cases.collect()
}

/// Marks the cases that a device which flushes subnormals may get wrong.
fn with_subnormals(mut cases: Vec<Case>, operands: Format, result: Option<Format>) -> Vec<Case> {
    for case in &mut cases {
        let of_operands = case
            .operands
            .iter()
            .any(|bits| operands.is_subnormal(*bits));
        let of_result = result.is_some_and(|format| format.is_subnormal(case.expected));
        case.subnormal = of_operands || of_result;
    }
    cases
}
