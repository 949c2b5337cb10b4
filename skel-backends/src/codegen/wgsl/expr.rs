//! Expressions.

use super::{Wgsl, literal::suffix, types};
use crate::codegen::Cx;
use skel_core::ir::{Expr, ExprKind, Ty, UnaryOp, Value};

impl Wgsl {
    /// An expression that binds tightly: a word, a call, or in parentheses.
    pub(super) fn expression(&mut self, cx: &mut Cx<'_>, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Const(value) => self.literal(cx, value),
            ExprKind::Local(local) => Self::local(cx, *local),
            ExprKind::Field(whole, position) => {
                let text = self.expression(cx, whole);
                let Ty::Struct(structure) = &whole.ty else {
                    return cx.unsupported("a field of what is no struct");
                };
                format!("{text}.{}", types::field(structure, *position))
            }
            ExprKind::Struct(fields) => {
                let ty = self.ty(cx, &e.ty);
                let fields: Vec<String> = fields.iter().map(|f| self.expression(cx, f)).collect();
                format!("{ty}({})", fields.join(", "))
            }
            ExprKind::Array(_)
            | ExprKind::Repeat(_)
            | ExprKind::Index(..)
            | ExprKind::At(..)
            | ExprKind::Extent(..) => cx.unsupported("it computes with arrays or whole containers"),
            ExprKind::Unary(op, operand) => self.unary(cx, *op, operand),
            ExprKind::Binary(op, a, b, line) => self.binary(cx, e, *op, (a, b), *line),
            ExprKind::Cast(operand) => self.cast(cx, operand, &e.ty),
            ExprKind::Builtin(builtin, args, line) => self.builtin(cx, e, *builtin, args, *line),
            ExprKind::Call(callee, args) => {
                let args: Vec<String> = args.iter().map(|a| self.expression(cx, a)).collect();
                cx.call(*callee);
                format!("{}({})", cx.function_name(*callee), args.join(", "))
            }
        }
    }

    /// The operands of one operation. WGSL evaluates an operation on constants when it compiles, and
    /// calls overflow, infinity and NaN errors; so if all are constants, one is hidden.
    pub(super) fn operands<const N: usize>(
        &mut self,
        cx: &mut Cx<'_>,
        all: [&Expr; N],
    ) -> [String; N] {
        let mut texts = all.map(|e| self.expression(cx, e));
        if all.iter().all(|e| is_constant(e))
            && let Some(first) = all.first()
        {
            let class = if first.ty == Ty::Usize {
                "u32"
            } else {
                suffix(&first.ty)
            };
            texts[0] = format!("skel_opaque_{class}({})", texts[0]);
        }
        texts
    }

    fn unary(&mut self, cx: &mut Cx<'_>, op: UnaryOp, operand: &Expr) -> String {
        let [x] = self.operands(cx, [operand]);
        match (op, &operand.ty) {
            (UnaryOp::Neg, _) => format!("(-{x})"),
            (UnaryOp::Not, Ty::Bool) => format!("(!{x})"),
            (UnaryOp::Not, Ty::Usize) => {
                let site = cx.site(skel_core::ir::TrapKind::Narrow, 0);
                format!("skel_not_usize({x}, {site}u)")
            }
            (UnaryOp::Not, _) => format!("(~{x})"),
        }
    }
}

/// Whether WGSL would take the text for a constant expression.
fn is_constant(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(Value::F32(x)) => x.is_normal() || *x == 0.0,
        ExprKind::Const(Value::F64(x)) => x.is_normal() || *x == 0.0,
        ExprKind::Const(_) => true,
        ExprKind::Field(whole, _) => is_constant(whole),
        ExprKind::Struct(fields) => fields.iter().all(is_constant),
        _ => false,
    }
}
