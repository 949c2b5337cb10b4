//! Expressions, and the order of what can trap in them.

use super::{Cuda, LEAVE, literal::position, types};
use crate::codegen::Cx;
use skel_core::ir::{Expr, ExprKind, TrapKind, Ty, UnaryOp, expr_can_trap};

impl Cuda {
    /// An expression that binds tightly: a word, a call, or in parentheses.
    pub(super) fn expr(&mut self, cx: &mut Cx<'_>, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Const(value) => self.literal(value),
            ExprKind::Local(local) => cx.local_name(*local),
            ExprKind::Field(whole, position) => {
                let text = self.expr(cx, whole);
                let Ty::Struct(structure) = &whole.ty else {
                    return cx.internal("a field of what is no struct");
                };
                format!("{text}.{}", types::field(structure, *position))
            }
            ExprKind::Struct(fields) => {
                let ty = self.ty(&e.ty);
                let fields = self.operands(cx, fields);
                format!("{ty}{{{}}}", fields.join(", "))
            }
            ExprKind::Array(elements) => {
                let ty = self.ty(&e.ty);
                let elements = self.operands(cx, elements);
                format!("{ty}{{{{{}}}}}", elements.join(", "))
            }
            ExprKind::Repeat(element) => {
                let ty = self.ty(&e.ty);
                let element = self.expr(cx, element);
                format!("skel_filled<{ty}>({element})")
            }
            ExprKind::Index(array, index, line) => self.index(cx, array, index, *line),
            ExprKind::At(view, indices, line) => self.at(cx, view, indices, *line),
            ExprKind::Extent(view, dimension) => {
                let text = self.expr(cx, view);
                format!("{text}.extent({dimension})")
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

    fn index(&mut self, cx: &mut Cx<'_>, array: &Expr, index: &Expr, line: u32) -> String {
        let texts = self.operands(cx, [array, index]);
        let (Ty::Array(ty), [array, at]) = (&array.ty, texts.as_slice()) else {
            return cx.internal("an element of what is no array");
        };
        match position(index, ty.len) {
            Some(at) => format!("{array}.part[{at}]"),
            None => {
                let site = cx.site(TrapKind::OutOfRange, line);
                format!("skel_array_at({array}, {at}, {site}u, skel_trap)")
            }
        }
    }

    fn at(&mut self, cx: &mut Cx<'_>, view: &Expr, indices: &[Expr], line: u32) -> String {
        let texts = self.operands(cx, std::iter::once(view).chain(indices));
        let kind = match &view.ty {
            Ty::View(ty) => ty.kind,
            _ => return cx.internal("an element of what is no view"),
        };
        let Some((view, at)) = texts.split_first() else {
            return cx.internal("an element of nothing");
        };
        if kind.reach(0).is_some() {
            return self.neighbour(cx, kind, view, at, indices, line);
        }
        let site = cx.site(TrapKind::OutOfRange, line);
        format!("skel_at({view}, {{{}}}, {site}u, skel_trap)", at.join(", "))
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
