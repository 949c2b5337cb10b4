//! Built-in functions.

use super::{
    Cuda,
    operator::{cut, infix, shift, wrapping},
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
            return cx.internal(format!("`{}` of nothing", builtin.name()));
        };
        if can_trap(e) {
            let kind = match builtin {
                Builtin::Clamp => TrapKind::ClampBounds,
                _ => TrapKind::DivideByZero,
            };
            texts.push(format!("{}u", cx.site(kind, line)));
            if builtin != Builtin::Clamp && first.ty.is_signed() {
                // The helper takes the next number for it.
                cx.site(TrapKind::DivideOverflow, line);
            }
            texts.push("skel_trap".into());
            let name = checked(builtin, &first.ty);
            return call(&format!("skel_{name}"), &self.ty(&first.ty), &texts);
        }
        match types::integer(&first.ty) {
            Some(int) => of_integers(cx, builtin, int, args, &texts),
            None => self.of_floats(cx, builtin, &first.ty, &texts),
        }
    }

    fn of_floats(&self, cx: &mut Cx<'_>, builtin: Builtin, ty: &Ty, texts: &[String]) -> String {
        let class = types::scalar(ty).unwrap_or_default();
        let single = *ty == Ty::F32;
        let name = match (builtin, texts) {
            (
                Builtin::Signum
                | Builtin::Fract
                | Builtin::Powi
                | Builtin::IsNan
                | Builtin::IsFinite
                | Builtin::IsInfinite
                | Builtin::IsSignPositive
                | Builtin::IsSignNegative
                | Builtin::DivEuclid
                | Builtin::RemEuclid,
                _,
            ) => return call(&format!("skel_{}", builtin.name()), class, texts),
            (Builtin::Clamp, _) => return call("skel_limit", class, texts),
            (Builtin::ToBits, [x]) if *ty == Ty::F16 => return format!("{x}.bits"),
            (Builtin::ToBits, [x]) if single => return format!("__float_as_uint({x})"),
            (Builtin::ToBits, [x]) => return format!("(u64)__double_as_longlong({x})"),
            (Builtin::Recip, [x]) => return format!("(1 / {x})"),
            (Builtin::ToDegrees | Builtin::ToRadians, [x]) => {
                let factor = angle(builtin, single);
                return self.arithmetic(cx, BinaryOp::Mul, ty, x, &factor);
            }
            _ => c_name(builtin),
        };
        if name.is_empty() {
            return cx.unsupported(format!("`{}` of `{class}`", builtin.name()));
        }
        // As C names them: those of `float` end in f.
        let suffix = if single { "f" } else { "" };
        format!("{name}{suffix}({})", texts.join(", "))
    }
}

/// The helper for what can trap.
fn checked(builtin: Builtin, ty: &Ty) -> &'static str {
    match builtin {
        // Without a sign, one quotient is as good as another.
        Builtin::DivEuclid if !ty.is_signed() => "div",
        Builtin::RemEuclid if !ty.is_signed() => "rem",
        other => other.name(),
    }
}

/// Degrees in a radian, or the other way round, as std has them.
fn angle(builtin: Builtin, single: bool) -> String {
    match (builtin, single) {
        (Builtin::ToDegrees, true) => format!("{:?}f", 1.0_f32.to_degrees()),
        (Builtin::ToDegrees, false) => format!("{:?}", 1.0_f64.to_degrees()),
        (_, true) => format!("{:?}f", std::f32::consts::PI / 180.0),
        (_, false) => format!("{:?}", std::f64::consts::PI / 180.0),
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
        (Builtin::IsPositive, [x]) => infix(x, ">", "0"),
        (Builtin::IsNegative, [x]) => infix(x, "<", "0"),
        (Builtin::FromBits, [x]) if int.bits == 16 => format!("f16{{(u16){x}}}"),
        (Builtin::FromBits, [x]) if int.bits == 32 => format!("__uint_as_float({x})"),
        (Builtin::FromBits, [x]) => format!("__longlong_as_double((i64){x})"),
        // By a constant that cannot trap.
        (Builtin::DivEuclid, [x, y]) if !int.signed => cut(int, infix(x, "/", y)),
        (Builtin::RemEuclid, [x, y]) if !int.signed => cut(int, infix(x, "%", y)),
        (Builtin::DivEuclid, _) => call("skel_euclidean_quotient", ty, texts),
        (Builtin::RemEuclid, _) => call("skel_euclidean_remainder", ty, texts),
        (
            Builtin::Abs
            | Builtin::Signum
            | Builtin::Min
            | Builtin::Max
            | Builtin::RotateLeft
            | Builtin::RotateRight
            | Builtin::CountOnes
            | Builtin::LeadingZeros
            | Builtin::TrailingZeros
            | Builtin::LeadingOnes
            | Builtin::TrailingOnes
            | Builtin::SwapBytes
            | Builtin::ReverseBits
            | Builtin::Pow
            | Builtin::SaturatingAdd
            | Builtin::SaturatingSub
            | Builtin::AbsDiff
            | Builtin::UnsignedAbs
            | Builtin::IsMultipleOf,
            _,
        ) => call(&format!("skel_{}", builtin.name()), ty, texts),
        _ => cx.unsupported(format!("`{}` of `{ty}`", builtin.name())),
    }
}

/// What C calls a function of floats; nothing where it has none.
fn c_name(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::Abs => "fabs",
        Builtin::Min => "fmin",
        Builtin::Max => "fmax",
        Builtin::MulAdd => "fma",
        Builtin::RoundTiesEven => "rint",
        Builtin::Ln => "log",
        Builtin::Ln1p => "log1p",
        Builtin::ExpM1 => "expm1",
        Builtin::Powf => "pow",
        Builtin::Sqrt
        | Builtin::Floor
        | Builtin::Ceil
        | Builtin::Round
        | Builtin::Trunc
        | Builtin::Sin
        | Builtin::Cos
        | Builtin::Tan
        | Builtin::Asin
        | Builtin::Acos
        | Builtin::Atan
        | Builtin::Atan2
        | Builtin::Sinh
        | Builtin::Cosh
        | Builtin::Tanh
        | Builtin::Hypot
        | Builtin::Exp
        | Builtin::Exp2
        | Builtin::Log2
        | Builtin::Log10
        | Builtin::Cbrt
        | Builtin::Copysign => builtin.name(),
        _ => "",
    }
}

fn call(name: &str, ty: &str, texts: &[String]) -> String {
    format!("{name}_{ty}({})", texts.join(", "))
}
