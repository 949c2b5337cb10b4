//! Built-in functions of floats.

use super::{Wgsl, builtin::Applied, types::carrier};
use crate::{arithmetic::Remedy, codegen::Cx};
use skel_core::ir::{Builtin, TrapKind, Ty};

pub(super) fn builtin(wgsl: &Wgsl, cx: &mut Cx<'_>, applied: &Applied<'_>) -> String {
    let (builtin, class) = (applied.builtin, carrier(applied.ty));
    let wide = *applied.ty == Ty::F64;
    if wide && builtin.is_transcendental() {
        // naga would accept the builtin of the same name, and the driver would give garbage: SPIR-V
        // has none.
        return cx.unsupported(format!(
            "`{}` of `f64`, which WGSL does not have",
            builtin.name()
        ));
    }
    match applied.texts.as_slice() {
        [x] => of_one(wgsl, applied, x, wide),
        [x, y] => format!("skel_{}_{class}({x}, {y})", builtin.name()),
        [x, y, z] => match builtin {
            Builtin::Clamp if applied.traps => {
                let site = cx.site(TrapKind::ClampBounds, applied.line);
                format!("skel_clamp_{class}({x}, {y}, {z}, {site}u)")
            }
            Builtin::Clamp => format!("skel_limit_{class}({x}, {y}, {z})"),
            // WGSL has none of `f64`.
            Builtin::MulAdd if wide => format!("skel_fma_f64({x}, {y}, {z})"),
            Builtin::MulAdd if cx.function().fast_math => format!("fma({x}, {y}, {z})"),
            Builtin::MulAdd => {
                let name = wgsl.remedied(Remedy::FmaF32, "skel_fma_f32", "fma");
                format!("{name}({x}, {y}, {z})")
            }
            _ => applied.unknown(cx),
        },
        _ => applied.unknown(cx),
    }
}

fn of_one(wgsl: &Wgsl, applied: &Applied<'_>, x: &str, wide: bool) -> String {
    let (builtin, class) = (applied.builtin, carrier(applied.ty));
    let (bits, sign) = if wide {
        ("u64", "0x8000000000000000lu")
    } else {
        ("u32", "0x80000000u")
    };
    // What the driver has, unless it is wrong.
    let native = |theirs: &str, own: &str, single: Remedy, double: Remedy| {
        let remedy = if wide { double } else { single };
        let own = format!("skel_{own}_{class}");
        format!("{}({x})", wgsl.remedied(remedy, &own, theirs))
    };
    match builtin {
        Builtin::Abs => format!("abs({x})"),
        Builtin::Sqrt => native("sqrt", "sqrt", Remedy::SqrtF32, Remedy::SqrtF64),
        Builtin::Floor => native("floor", "floor", Remedy::FloorF32, Remedy::FloorF64),
        Builtin::Ceil => native("ceil", "ceil", Remedy::CeilF32, Remedy::CeilF64),
        Builtin::Trunc => native("trunc", "trunc", Remedy::TruncF32, Remedy::TruncF64),
        // WGSL's own rounds ties to even.
        Builtin::RoundTiesEven => native("round", "even", Remedy::TiesEvenF32, Remedy::TiesEvenF64),
        Builtin::Recip if wide => wgsl.quotient(applied.ty, "1.0lf", x),
        Builtin::Recip => wgsl.quotient(applied.ty, "1.0f", x),
        Builtin::ToBits if *applied.ty == Ty::F16 => format!("skel_f16_to_bits({x})"),
        Builtin::ToBits => format!("bitcast<{bits}>({x})"),
        Builtin::IsSignNegative => format!("(bitcast<{bits}>({x}) >= {sign})"),
        Builtin::IsSignPositive => format!("(bitcast<{bits}>({x}) < {sign})"),
        Builtin::ToDegrees if wide => format!("({x} * 57.29577951308232lf)"),
        Builtin::ToDegrees => format!("({x} * 57.29578f)"),
        Builtin::ToRadians if wide => format!("({x} * 0.017453292519943295lf)"),
        Builtin::ToRadians => format!("({x} * 0.017453292f)"),
        _ => format!("skel_{}_{class}({x})", builtin.name()),
    }
}
