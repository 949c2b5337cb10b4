//! Built-in functions.

use super::{
    Cuda,
    operator::{shift, wrapping},
    types::{self, Integer},
};
use crate::codegen::Cx;
use skel_core::ir::{BinaryOp, Builtin, Expr, TrapKind, Ty, can_trap};

impl Cuda {
    pub(super) fn builtin(
        &mut self,
        cx: &mut Cx<'_>,
        e: &Expr,
        builtin: Builtin,
        args: &[Expr],
        line: u32,
    ) -> String {
        let mut texts = self.operands(cx, args);
        let Some(first) = args.first() else {
            return cx.unsupported(format!("`{}` of nothing", builtin.name()));
        };
        if builtin == Builtin::Clamp && can_trap(e) {
            let site = cx.site(TrapKind::ClampBounds, line);
            texts.push(format!("{site}u"));
            texts.push("skel_trap".into());
            return format!("skel_clamp_{}({})", self.ty(&first.ty), texts.join(", "));
        }
        match types::integer(&first.ty) {
            Some(int) => of_integers(cx, builtin, int, args, &texts),
            None => of_floats(cx, builtin, &first.ty, &texts),
        }
    }
}

fn of_integers(
    cx: &mut Cx<'_>,
    builtin: Builtin,
    int: Integer,
    args: &[Expr],
    texts: &[String],
) -> String {
    let ty = int.name;
    match (builtin, texts) {
        (Builtin::WrappingAdd, [x, y]) => wrapping(int, "add", x, y),
        (Builtin::WrappingSub, [x, y]) => wrapping(int, "sub", x, y),
        (Builtin::WrappingMul, [x, y]) => wrapping(int, "mul", x, y),
        (Builtin::WrappingNeg, [x]) => format!("skel_neg_{ty}({x})"),
        (Builtin::WrappingShl, [x, y]) => shift(BinaryOp::Shl, int, x, (&args[1], y)),
        (Builtin::WrappingShr, [x, y]) => shift(BinaryOp::Shr, int, x, (&args[1], y)),
        (Builtin::Clamp, _) => call("skel_limit", ty, texts),
        (
            Builtin::Abs
            | Builtin::Signum
            | Builtin::Min
            | Builtin::Max
            | Builtin::RotateLeft
            | Builtin::RotateRight
            | Builtin::CountOnes
            | Builtin::LeadingZeros
            | Builtin::TrailingZeros,
            _,
        ) => call(&format!("skel_{}", builtin.name()), ty, texts),
        _ => cx.unsupported(format!("`{}` of `{ty}`", builtin.name())),
    }
}

fn of_floats(cx: &mut Cx<'_>, builtin: Builtin, ty: &Ty, texts: &[String]) -> String {
    let class = types::scalar(ty).unwrap_or_default();
    let name = match builtin {
        Builtin::Signum
        | Builtin::Fract
        | Builtin::Powi
        | Builtin::IsNan
        | Builtin::IsFinite
        | Builtin::IsInfinite => {
            return call(&format!("skel_{}", builtin.name()), class, texts);
        }
        Builtin::Clamp => return call("skel_limit", class, texts),
        Builtin::Abs => "fabs",
        Builtin::Min => "fmin",
        Builtin::Max => "fmax",
        Builtin::MulAdd => "fma",
        Builtin::Ln => "log",
        Builtin::Powf => "pow",
        Builtin::Sqrt
        | Builtin::Floor
        | Builtin::Ceil
        | Builtin::Round
        | Builtin::Trunc
        | Builtin::Sin
        | Builtin::Cos
        | Builtin::Tan
        | Builtin::Exp
        | Builtin::Exp2
        | Builtin::Log2
        | Builtin::Copysign => builtin.name(),
        _ => return cx.unsupported(format!("`{}` of `{class}`", builtin.name())),
    };
    // As C names them: those of `float` end in f.
    let suffix = if *ty == Ty::F32 { "f" } else { "" };
    format!("{name}{suffix}({})", texts.join(", "))
}

fn call(name: &str, ty: &str, texts: &[String]) -> String {
    format!("{name}_{ty}({})", texts.join(", "))
}
