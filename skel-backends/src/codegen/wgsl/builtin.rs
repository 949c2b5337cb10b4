//! Built-in functions.

use super::{
    Wgsl,
    literal::suffix,
    operator::{infix, narrow, shift},
};
use crate::codegen::Cx;
use skel_core::ir::{BinaryOp, Builtin, Expr, TrapKind, Ty, can_trap};

impl Wgsl {
    pub(super) fn builtin(
        &mut self,
        cx: &mut Cx<'_>,
        e: &Expr,
        builtin: Builtin,
        args: &[Expr],
        line: u32,
    ) -> String {
        match args {
            [x] => self.of_one(cx, builtin, x, line),
            [x, y] => self.of_two(cx, builtin, (x, y), line),
            [x, y, z] => self.of_three(cx, e, builtin, [x, y, z], line),
            _ => cx.unsupported(format!(
                "`{}` with {} arguments",
                builtin.name(),
                args.len()
            )),
        }
    }

    fn of_one(&mut self, cx: &mut Cx<'_>, builtin: Builtin, arg: &Expr, line: u32) -> String {
        let [x] = self.operands(cx, [arg]);
        let (ty, class) = (&arg.ty, suffix(&arg.ty));
        match builtin {
            Builtin::Abs if ty.is_integer() => format!("skel_abs_{class}({x})"),
            Builtin::Abs => format!("abs({x})"),
            Builtin::Signum if ty.is_integer() => format!("sign({x})"),
            Builtin::Sqrt | Builtin::Floor | Builtin::Ceil | Builtin::Trunc => {
                format!("{}({x})", builtin.name())
            }
            Builtin::Signum
            | Builtin::Round
            | Builtin::Fract
            | Builtin::IsNan
            | Builtin::IsFinite
            | Builtin::IsInfinite => format!("skel_{}_{class}({x})", builtin.name()),
            Builtin::Sin
            | Builtin::Cos
            | Builtin::Tan
            | Builtin::Exp
            | Builtin::Exp2
            | Builtin::Ln
            | Builtin::Log2 => self.transcendental(cx, builtin, ty, &x),
            Builtin::WrappingNeg if *ty == Ty::Usize => narrow(cx, BinaryOp::Sub, ["0u", &x], line),
            Builtin::WrappingNeg if ty.is_signed() => format!("(-{x})"),
            Builtin::WrappingNeg => format!("(0u - {x})"),
            Builtin::CountOnes => format!("u32(countOneBits({x}))"),
            Builtin::LeadingZeros if *ty == Ty::Usize => format!("(32u + countLeadingZeros({x}))"),
            Builtin::LeadingZeros => format!("countLeadingZeros(u32({x}))"),
            Builtin::TrailingZeros if *ty == Ty::Usize => {
                format!("select(countTrailingZeros({x}), 64u, {x} == 0u)")
            }
            Builtin::TrailingZeros => format!("countTrailingZeros(u32({x}))"),
            _ => cx.unsupported(format!("`{}` of one argument", builtin.name())),
        }
    }

    fn of_two(
        &mut self,
        cx: &mut Cx<'_>,
        builtin: Builtin,
        (a, b): (&Expr, &Expr),
        line: u32,
    ) -> String {
        let [x, y] = self.operands(cx, [a, b]);
        let (ty, class) = (&a.ty, suffix(&a.ty));
        let usize = *ty == Ty::Usize;
        match builtin {
            Builtin::Min | Builtin::Max if ty.is_integer() => {
                format!("{}({x}, {y})", builtin.name())
            }
            Builtin::Min | Builtin::Max | Builtin::Copysign | Builtin::Powi => {
                format!("skel_{}_{class}({x}, {y})", builtin.name())
            }
            Builtin::Powf => self.transcendental(cx, builtin, ty, &format!("{x}, {y}")),
            Builtin::WrappingAdd if usize => narrow(cx, BinaryOp::Add, [&x, &y], line),
            Builtin::WrappingSub if usize => narrow(cx, BinaryOp::Sub, [&x, &y], line),
            Builtin::WrappingMul if usize => narrow(cx, BinaryOp::Mul, [&x, &y], line),
            Builtin::WrappingAdd => infix(&x, "+", &y),
            Builtin::WrappingSub => infix(&x, "-", &y),
            Builtin::WrappingMul => infix(&x, "*", &y),
            Builtin::WrappingShl => shift(cx, BinaryOp::Shl, (ty, &x), (b, &y), line),
            Builtin::WrappingShr => shift(cx, BinaryOp::Shr, (ty, &x), (b, &y), line),
            Builtin::RotateLeft | Builtin::RotateRight => {
                let name = if builtin == Builtin::RotateLeft {
                    "rotl"
                } else {
                    "rotr"
                };
                if usize {
                    let site = cx.site(TrapKind::Narrow, line);
                    format!("skel_{name}_usize({x}, {y}, {site}u)")
                } else {
                    format!("skel_{name}_{class}({x}, {y})")
                }
            }
            _ => cx.unsupported(format!("`{}` of two arguments", builtin.name())),
        }
    }

    fn of_three(
        &mut self,
        cx: &mut Cx<'_>,
        e: &Expr,
        builtin: Builtin,
        args: [&Expr; 3],
        line: u32,
    ) -> String {
        let [x, y, z] = self.operands(cx, args);
        let ty = &args[0].ty;
        let class = if *ty == Ty::Usize { "u32" } else { suffix(ty) };
        match builtin {
            Builtin::Clamp if can_trap(e) => {
                let site = cx.site(TrapKind::ClampBounds, line);
                format!("skel_clamp_{class}({x}, {y}, {z}, {site}u)")
            }
            Builtin::Clamp if ty.is_integer() => format!("clamp({x}, {y}, {z})"),
            Builtin::Clamp => format!("skel_limit_{class}({x}, {y}, {z})"),
            Builtin::MulAdd if *ty == Ty::F32 => format!("fma({x}, {y}, {z})"),
            Builtin::MulAdd => cx.unsupported("`mul_add` of `f64`, which WGSL does not have"),
            _ => cx.unsupported(format!("`{}` of three arguments", builtin.name())),
        }
    }

    /// naga would accept the builtin of the same name for `f64`, and the driver would give garbage:
    /// SPIR-V has none.
    fn transcendental(&mut self, cx: &mut Cx<'_>, builtin: Builtin, ty: &Ty, args: &str) -> String {
        let name = builtin.name();
        if *ty == Ty::F64 {
            return cx.unsupported(format!("`{name}` of `f64`, which WGSL does not have"));
        }
        format!("skel_{name}_f32({args})")
    }
}
