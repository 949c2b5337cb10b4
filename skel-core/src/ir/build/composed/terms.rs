//! What the methods are made of.

use crate::ir::{
    BinaryOp, Block, Builtin, Expr, ExprKind, Place, StmtKind, Ty, Value,
    build::{arithmetic, lower::Lower},
};

/// An integer of this type.
pub(super) fn number(ty: &Ty, value: i128) -> Expr {
    let value = match arithmetic::parse(&value.to_string(), ty) {
        Some(value) => value,
        None => unreachable!("`{ty}` is a type of integers"),
    };
    Expr::constant(value)
}

/// Its width in bits, a `u32`.
pub(super) fn width(ty: &Ty) -> Expr {
    Expr::constant(Value::U32(bits(ty)))
}

fn bits(ty: &Ty) -> u32 {
    ty.integer_bits()
        .unwrap_or_else(|| unreachable!("`{ty}` is a type of integers"))
}

/// The smallest value of the type.
pub(super) fn min(ty: &Ty) -> Expr {
    match ty.is_signed() {
        true => number(ty, -(1 << (bits(ty) - 1))),
        false => number(ty, 0),
    }
}

/// The largest value of the type.
pub(super) fn max(ty: &Ty) -> Expr {
    match ty.is_signed() {
        true => number(ty, (1 << (bits(ty) - 1)) - 1),
        false => number(ty, (1 << bits(ty)) - 1),
    }
}

pub(super) fn cast_to(value: Expr, ty: &Ty) -> Expr {
    arithmetic::cast(value, ty.clone())
}

/// A built-in method, whose type is that which it has for its receiver.
pub(super) fn builtin<const N: usize>(builtin: Builtin, args: [Expr; N], line: u32) -> Expr {
    let ty = args
        .first()
        .map_or(Ty::Unit, |receiver| builtin.result(&receiver.ty));
    Expr {
        kind: ExprKind::Builtin(builtin, args.into(), line),
        ty,
    }
}

/// `|x|`, which wraps.
pub(super) fn absolute(x: &Expr, line: u32) -> Expr {
    match x.ty.is_signed() {
        true => cast_to(builtin(Builtin::UnsignedAbs, [x.clone()], line), &x.ty),
        false => x.clone(),
    }
}

pub(super) fn tuple<const N: usize>(parts: [Expr; N]) -> Expr {
    let ty = Ty::tuple(parts.iter().map(|part| part.ty.clone()));
    Expr {
        kind: ExprKind::Struct(parts.into()),
        ty,
    }
}

impl Lower<'_> {
    /// An operator on operands that have the types it takes.
    pub(super) fn op(&self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let ty = match op {
            BinaryOp::And | BinaryOp::Or => Ty::Bool,
            op if op.is_comparison() => Ty::Bool,
            _ => left.ty.clone(),
        };
        Expr {
            kind: ExprKind::Binary(op, Box::new(left), Box::new(right), self.line),
            ty,
        }
    }

    /// The value, computed here and only once.
    pub(super) fn named(&mut self, value: Expr, out: &mut Block) -> Expr {
        if matches!(value.kind, ExprKind::Const(_) | ExprKind::Local(_)) {
            return value;
        }
        let local = self.local("tmp", value.ty.clone());
        self.push(StmtKind::Let(local, Some(value)), out);
        self.read(local)
    }

    /// `if condition { value } else { otherwise }`, where only one of them is computed.
    pub(super) fn selected(
        &mut self,
        condition: Expr,
        value: Expr,
        out: &mut Block,
        otherwise: impl FnOnce(&mut Self, &mut Block) -> Expr,
    ) -> Expr {
        let result = self.local("tmp", value.ty.clone());
        self.push(StmtKind::Let(result, None), out);
        let (mut yes, mut no) = (Block::new(), Block::new());
        self.push(StmtKind::Assign(Place::local(result), value), &mut yes);
        let other = otherwise(self, &mut no);
        self.push(StmtKind::Assign(Place::local(result), other), &mut no);
        self.push(StmtKind::If(condition, yes, no), out);
        self.read(result)
    }

    /// Where a value that does not fit stops: the smallest one if `negative`, else the largest.
    pub(super) fn end(&mut self, ty: &Ty, negative: Option<Expr>, out: &mut Block) -> Expr {
        match negative {
            Some(negative) => self.selected(negative, min(ty), out, |_, _| max(ty)),
            None => max(ty),
        }
    }

    /// The place of the highest one bit of a number that is not 0, a `u32`.
    pub(super) fn highest_bit(&self, x: &Expr) -> Expr {
        let last = number(&Ty::U32, i128::from(bits(&x.ty)) - 1);
        let above = builtin(Builtin::LeadingZeros, [x.clone()], self.line);
        self.op(BinaryOp::Sub, last, above)
    }
}
