//! Expressions.

use super::{
    Wgsl,
    literal::is_constant,
    types::{self, carrier},
};
use crate::codegen::Cx;
use skel_core::ir::{Expr, ExprKind, FnId, TrapKind, Ty, Value};

impl Wgsl {
    /// An expression that binds tightly: a word, a call, or in parentheses.
    pub(super) fn expression(&mut self, cx: &mut Cx<'_>, e: &Expr) -> String {
        if let Some(text) = self.part_of_constant(cx, e) {
            return text;
        }
        match &e.kind {
            ExprKind::Const(value) => self.literal(cx, value),
            ExprKind::Local(local) => Self::local(cx, *local),
            ExprKind::Field(whole, position) => {
                let text = self.expression(cx, whole);
                let Ty::Struct(structure) = &whole.ty else {
                    return cx.internal("a field of what is no struct");
                };
                format!("{text}.{}", types::field(structure, *position))
            }
            ExprKind::Struct(parts) | ExprKind::Array(parts) => {
                let ty = self.ty(cx, &e.ty);
                let parts: Vec<String> = parts.iter().map(|f| self.expression(cx, f)).collect();
                format!("{ty}({})", parts.join(", "))
            }
            ExprKind::Repeat(part) => self.repeated(cx, e, part),
            ExprKind::Index(array, index, line) => self.element(cx, array, index, *line),
            ExprKind::At(view, indices, line) => self.at(cx, view, indices, *line),
            ExprKind::Extent(view, dimension) => match self.container(cx, view) {
                Some(k) => format!("params.extent{k}_{dimension}"),
                None => cx.internal("the extent of what is no container"),
            },
            ExprKind::Unary(op, operand) => self.unary(cx, *op, operand),
            ExprKind::Binary(op, a, b, line) => self.binary(cx, e, *op, (a, b), *line),
            ExprKind::Cast(operand) => self.cast(cx, operand, &e.ty),
            ExprKind::Builtin(builtin, args, line) => self.builtin(cx, e, *builtin, args, *line),
            ExprKind::Call(callee, args) => {
                let name = self.callee(cx, *callee, &args.iter().collect::<Vec<_>>());
                let args = args.iter().filter(|a| !matches!(a.ty, Ty::View(_)));
                let args: Vec<String> = args.map(|a| self.expression(cx, a)).collect();
                cx.call(*callee);
                format!("{name}({})", args.join(", "))
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
            texts[0] = format!("skel_opaque_{}({})", carrier(&first.ty), texts[0]);
        }
        texts
    }

    /// `[x; N]`, which is evaluated once.
    fn repeated(&mut self, cx: &mut Cx<'_>, e: &Expr, part: &Expr) -> String {
        let Ty::Array(array) = &e.ty else {
            return cx.internal("an array of no array type");
        };
        let ty = self.ty(cx, &e.ty);
        let text = self.expression(cx, part);
        if is_zero(part) {
            return format!("{ty}()");
        }
        let number = self.repeats.iter().position(|known| *known == e.ty);
        let number = number.unwrap_or_else(|| {
            self.repeats.push(e.ty.clone());
            self.repeats.len() - 1
        });
        debug_assert!(array.len > 0, "an empty array has no type in WGSL");
        format!("repeat{number}({text})")
    }

    /// `array[index]`.
    fn element(&mut self, cx: &mut Cx<'_>, array: &Expr, index: &Expr, line: u32) -> String {
        let Ty::Array(ty) = &array.ty else {
            return cx.internal("an element of what is no array");
        };
        let text = match &array.kind {
            ExprKind::Const(value) => self.table(cx, value),
            _ => self.expression(cx, array),
        };
        let index = self.index(cx, ty.len, index, line);
        format!("{text}[{index}]")
    }

    /// An index of an array of `len` elements; checked, unless it is a constant that is less.
    pub(super) fn index(&mut self, cx: &mut Cx<'_>, len: usize, index: &Expr, line: u32) -> String {
        if let ExprKind::Const(Value::Usize(i)) = &index.kind
            && *i < len
        {
            return i.to_string();
        }
        let text = self.expression(cx, index);
        let site = cx.site(TrapKind::OutOfRange, line);
        format!("skel_index({text}, {len}u, {site}u)")
    }

    /// An element of a whole container.
    fn at(&mut self, cx: &mut Cx<'_>, view: &Expr, indices: &[Expr], line: u32) -> String {
        let Some(k) = self.container(cx, view) else {
            return cx.internal("an element of what is no container");
        };
        if let Ty::View(view) = &view.ty
            && view.kind.reach(0).is_some()
        {
            return self.neighbour(cx, k, view.kind, indices, line);
        }
        let mut texts: Vec<String> = indices.iter().map(|i| self.expression(cx, i)).collect();
        let site = cx.site(TrapKind::OutOfRange, line);
        texts.push(format!("{site}u"));
        format!("view{k}({})", texts.join(", "))
    }

    /// Which of the kernel's arguments a value of view type is.
    pub(super) fn container(&self, cx: &Cx<'_>, view: &Expr) -> Option<usize> {
        match &view.kind {
            ExprKind::Local(local) => self.views.get(local).copied(),
            ExprKind::Const(Value::View(..)) => {
                debug_assert!(false, "{}: a container as a constant", cx.function().name);
                None
            }
            _ => None,
        }
    }

    /// The name of a function for these arguments: a version of its own for the containers among them,
    /// since WGSL has no pointers to those. It is printed now if it was not before.
    pub(super) fn callee(&mut self, cx: &mut Cx<'_>, id: FnId, args: &[&Expr]) -> String {
        let views: Vec<usize> = args
            .iter()
            .filter(|a| matches!(a.ty, Ty::View(_)))
            .filter_map(|a| self.container(cx, a))
            .collect();
        self.version(cx, id, &views)
    }
}

/// Whether the value is all zeros, which is what WGSL makes of a type alone.
fn is_zero(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(value) => value.same(&Value::zero(&e.ty)),
        _ => false,
    }
}
