//! Built-in functions: which of them is meant.

use super::{Wgsl, float, integer};
use crate::{arithmetic::Remedy, codegen::Cx};
use skel_core::ir::{Builtin, Expr, Ty, can_trap};

/// A built-in function on operands that were printed already.
pub(super) struct Applied<'a> {
    pub(super) builtin: Builtin,
    /// The receiver's type.
    pub(super) ty: &'a Ty,
    /// The arguments, receiver first, and as expressions.
    pub(super) texts: Vec<String>,
    pub(super) args: &'a [Expr],
    /// Whether these arguments can make it trap.
    pub(super) traps: bool,
    pub(super) line: u32,
}

impl Wgsl {
    pub(super) fn builtin(
        &mut self,
        cx: &mut Cx<'_>,
        e: &Expr,
        builtin: Builtin,
        args: &[Expr],
        line: u32,
    ) -> String {
        let mut texts: Vec<String> = match args {
            [x] => self.operands(cx, [x]).into(),
            [x, y] => self.operands(cx, [x, y]).into(),
            [x, y, z] => self.operands(cx, [x, y, z]).into(),
            _ => Vec::new(),
        };
        // The result may be of a type that no operand has.
        self.ty(cx, &e.ty);
        let Some(receiver) = args.first() else {
            return cx.internal(format!("`{}` without arguments", builtin.name()));
        };
        if computes(builtin) && receiver.ty.is_float() && self.remedies.has(Remedy::HideOperands) {
            texts = texts
                .iter()
                .map(|text| self.hide(&receiver.ty, text))
                .collect();
        }
        let applied = Applied {
            builtin,
            ty: &receiver.ty,
            texts,
            args,
            traps: can_trap(e),
            line,
        };
        if receiver.ty.is_integer() {
            integer::builtin(cx, &applied)
        } else {
            float::builtin(self, cx, &applied)
        }
    }
}

/// Whether an operation of the driver's on several floats is in it, which a compiler shortens where it knows one of them,
/// as `0 / y` to 0. Where there are others, they go by integers, or choose one of the operands.
fn computes(builtin: Builtin) -> bool {
    matches!(builtin, Builtin::DivEuclid | Builtin::MulAdd)
}

impl Applied<'_> {
    /// There is no such function; `valid` has seen to that.
    pub(super) fn unknown(&self, cx: &mut Cx<'_>) -> String {
        let (name, ty) = (self.builtin.name(), self.ty);
        cx.unsupported(format!("`{name}` of `{ty}`"))
    }
}
