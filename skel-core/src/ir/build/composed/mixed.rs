//! Methods of an integer and another one of the other signedness.

use super::terms::{self, builtin, cast_to, number, tuple};
use crate::ir::{
    BinaryOp, Block, Builtin, Expr, Ty,
    build::lower::{Lower, Result},
};

const OF_SIGNED: [(&str, usize); 7] = [
    ("cast_unsigned", 1),
    ("wrapping_add_unsigned", 2),
    ("wrapping_sub_unsigned", 2),
    ("saturating_add_unsigned", 2),
    ("saturating_sub_unsigned", 2),
    ("overflowing_add_unsigned", 2),
    ("overflowing_sub_unsigned", 2),
];

const OF_UNSIGNED: [(&str, usize); 4] = [
    ("cast_signed", 1),
    ("wrapping_add_signed", 2),
    ("saturating_add_signed", 2),
    ("overflowing_add_signed", 2),
];

/// The number of arguments of such a method of the integer `receiver`.
pub(super) fn arity(name: &str, receiver: &Ty) -> Option<usize> {
    let all: &[(&str, usize)] = match receiver.is_signed() {
        true => &OF_SIGNED,
        false => &OF_UNSIGNED,
    };
    let found = all.iter().find(|(own, _)| *own == name)?;
    Some(found.1)
}

/// The integer of the same width and the other signedness.
pub(super) fn other(ty: &Ty) -> Ty {
    match ty {
        Ty::I8 => Ty::U8,
        Ty::I16 => Ty::U16,
        Ty::I32 => Ty::U32,
        Ty::I64 => Ty::U64,
        Ty::Isize => Ty::Usize,
        Ty::U8 => Ty::I8,
        Ty::U16 => Ty::I16,
        Ty::U32 => Ty::I32,
        Ty::U64 => Ty::I64,
        Ty::Usize => Ty::Isize,
        other => other.clone(),
    }
}

impl Lower<'_> {
    /// The value of such a method of two numbers.
    pub(super) fn of_mixed(
        &mut self,
        name: &str,
        x: &Expr,
        y: &Expr,
        out: &mut Block,
    ) -> Result<Expr> {
        let (ty, line) = (x.ty.clone(), self.line);
        let add = |y: Expr| builtin(Builtin::WrappingAdd, [x.clone(), y], line);
        let sub = |y: Expr| builtin(Builtin::WrappingSub, [x.clone(), y], line);
        let adds = name.contains("_add_");
        // The value that wraps, whether it does, and the end of the type that it passes.
        let (value, over, end) = if ty.is_signed() {
            let other = cast_to(y.clone(), &ty);
            let value = self.named(if adds { add(other) } else { sub(other) }, out);
            // It goes one way only, and comes back if it wraps.
            let (back, end) = match adds {
                true => (BinaryOp::Lt, terms::max(&ty)),
                false => (BinaryOp::Gt, terms::min(&ty)),
            };
            let over = self.op(back, value.clone(), x.clone());
            (value, over, end)
        } else {
            // Of `usize`, no device has the number that stands for a negative one.
            let negative = self.op(BinaryOp::Lt, y.clone(), number(&y.ty, 0));
            let negative = self.named(negative, out);
            let less = sub(builtin(Builtin::UnsignedAbs, [y.clone()], line));
            let value = self.selected(negative.clone(), less, out, |_, _| {
                add(cast_to(y.clone(), &ty))
            });
            let value = self.named(value, out);
            let more = self.op(BinaryOp::Gt, value.clone(), x.clone());
            let less = self.op(BinaryOp::Lt, value.clone(), x.clone());
            let over = self.selected(negative.clone(), more, out, |_, _| less);
            let least = terms::min(&ty);
            let end = self.selected(negative, least, out, |_, _| terms::max(&ty));
            (value, over, end)
        };
        match name.split('_').next() {
            Some("wrapping") => Ok(value),
            Some("overflowing") => Ok(tuple([value, over])),
            Some("saturating") => Ok(self.selected(over, end, out, |_, _| value)),
            _ => Err(super::unknown(name, x)),
        }
    }
}
