//! Expressions, and the order of what can trap in them.

use super::{Cuda, LEAVE, types};
use crate::codegen::Cx;
use skel_core::ir::{Expr, ExprKind, Ty, UnaryOp, expr_can_trap};

impl Cuda {
    /// An expression that binds tightly: a word, a call, or in parentheses.
    pub(super) fn expr(&mut self, cx: &mut Cx<'_>, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Const(value) => self.literal(value),
            ExprKind::Local(local) => cx.local_name(*local),
            ExprKind::Field(whole, position) => {
                let text = self.expr(cx, whole);
                let Ty::Struct(structure) = &whole.ty else {
                    return cx.unsupported("a field of what is no struct");
                };
                format!("{text}.{}", types::field(structure, *position))
            }
            ExprKind::Struct(fields) => {
                let ty = self.ty(&e.ty);
                let fields = self.operands(cx, fields);
                format!("{ty}{{{}}}", fields.join(", "))
            }
            ExprKind::Unary(op, operand) => self.unary(cx, *op, operand),
            ExprKind::Binary(op, a, b, line) => self.binary(cx, e, *op, (a, b), *line),
            ExprKind::Cast(operand) => self.cast(cx, operand, &e.ty),
            ExprKind::Builtin(builtin, args, line) => self.builtin(cx, e, *builtin, args, *line),
            ExprKind::Call(callee, args) => {
                let mut args = self.settled(cx, args);
                cx.call(*callee);
                if self.trapping[callee.0] {
                    args.push("skel_trap".into());
                }
                format!("{}({})", cx.function_name(*callee), args.join(", "))
            }
        }
    }

    /// Whether evaluating `e` can trap.
    pub(super) fn traps(&self, e: &Expr) -> bool {
        expr_can_trap(e, &self.trapping)
    }

    /// The operands of one operation, such that the first trap is the one that Rust meets first:
    /// what can trap is computed ahead, if something follows that can trap or runs a function.
    pub(super) fn operands<'e>(
        &mut self,
        cx: &mut Cx<'_>,
        all: impl IntoIterator<Item = &'e Expr>,
    ) -> Vec<String> {
        let all: Vec<&Expr> = all.into_iter().collect();
        let last = all.iter().rposition(|e| self.traps(e) || calls(e));
        self.ordered(cx, &all, last.unwrap_or(0))
    }

    /// The arguments of a call: it must not begin if one of them trapped.
    pub(super) fn settled(&mut self, cx: &mut Cx<'_>, all: &[Expr]) -> Vec<String> {
        let all: Vec<&Expr> = all.iter().collect();
        self.ordered(cx, &all, all.len())
    }

    /// Computes ahead what can trap among the first `ahead` expressions.
    fn ordered(&mut self, cx: &mut Cx<'_>, all: &[&Expr], ahead: usize) -> Vec<String> {
        let mut texts = Vec::with_capacity(all.len());
        for (k, e) in all.iter().enumerate() {
            let text = self.expr(cx, e);
            texts.push(if k < ahead && self.traps(e) {
                self.settle(cx, &e.ty, &text)
            } else {
                text
            });
        }
        texts
    }

    /// Computes `value` in a statement of its own, and leaves the function if it trapped.
    pub(super) fn settle(&mut self, cx: &mut Cx<'_>, ty: &Ty, value: &str) -> String {
        let (ty, name) = (self.ty(ty), self.part());
        self.ahead.push(format!("const {ty} {name} = {value};"));
        self.leave(cx);
        name
    }

    /// Leaves the function, ahead of the statement, if something trapped.
    pub(super) fn leave(&mut self, cx: &mut Cx<'_>) {
        let text = if cx.function().ret == Ty::Unit {
            LEAVE.replace("return {};", "return;")
        } else {
            LEAVE.into()
        };
        self.ahead.push(text);
        cx.note_trap();
    }

    fn unary(&mut self, cx: &mut Cx<'_>, op: UnaryOp, operand: &Expr) -> String {
        let x = self.expr(cx, operand);
        let ty = &operand.ty;
        match (op, types::integer(ty)) {
            (UnaryOp::Neg, Some(int)) => format!("skel_neg_{}({x})", int.name),
            (UnaryOp::Neg, None) => format!("(-{x})"),
            (UnaryOp::Not, None) => format!("(!{x})"),
            (UnaryOp::Not, Some(int)) if int.is_small() => format!("({})(~{x})", int.name),
            (UnaryOp::Not, Some(_)) => format!("(~{x})"),
        }
    }
}

/// Whether a function of the program is called in it.
fn calls(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |part| found |= matches!(part.kind, ExprKind::Call(..)));
    found
}
