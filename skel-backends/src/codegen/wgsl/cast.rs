//! `as`.

use super::{Wgsl, literal::suffix};
use crate::codegen::Cx;
use skel_core::ir::{Expr, ExprKind, TrapKind, Ty, Value};

impl Wgsl {
    pub(super) fn cast(&mut self, cx: &mut Cx<'_>, operand: &Expr, to: &Ty) -> String {
        if let (ExprKind::Const(Value::I32(x)), Ty::Usize) = (&operand.kind, to)
            && let Ok(x) = usize::try_from(*x)
        {
            return self.literal(cx, &Value::Usize(x));
        }
        let [x] = self.operands(cx, [operand]);
        let from = &operand.ty;
        let name = self.ty(cx, to);
        match (from, to) {
            (a, b) if a == b => x,
            (Ty::Usize, Ty::U32) | (Ty::U32, Ty::Usize) => x,
            (Ty::I32 | Ty::F32 | Ty::F64, Ty::Usize) => {
                let site = cx.site(TrapKind::Narrow, 0);
                format!("skel_{}_to_usize({x}, {site}u)", suffix(from))
            }
            (Ty::F32 | Ty::F64, Ty::I32 | Ty::U32) => {
                format!("skel_{}_to_{}({x})", suffix(from), suffix(to))
            }
            // Integers keep their bits; to floats, the nearest.
            _ => format!("{name}({x})"),
        }
    }
}
