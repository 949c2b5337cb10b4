//! `as`.

use super::{Cuda, types};
use crate::codegen::Cx;
use skel_core::ir::{Expr, Ty};

impl Cuda {
    pub(super) fn cast(&mut self, cx: &mut Cx<'_>, operand: &Expr, to: &Ty) -> String {
        let x = self.expr(cx, operand);
        let from = &operand.ty;
        if from == to {
            return x;
        }
        let name = self.ty(to);
        if [from, to].contains(&&Ty::F16) {
            return format!("skel_{}_to_{name}({x})", self.ty(from));
        }
        if from.is_float() && types::integer(to).is_some() {
            format!("skel_{}_to_{name}({x})", self.ty(from))
        } else {
            // Integers keep their low bits; to floats, the nearest.
            format!("({name}){x}")
        }
    }
}
