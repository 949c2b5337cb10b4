//! The sources themselves: kept in files, so that a change of the generator is seen and read. With
//! `UPDATE_GOLDENS=1` the files are written anew. Each is also validated by naga, which needs no
//! device.

use crate::{Test, ir::*, programs};
use skel_backends::codegen::wgsl::{self, Binding, Options, Shader, Stage};
use skel_core::{
    ir::{BinaryOp, Builtin, Expr, Ty, Value},
    plan::{IndexKind, Kernel, Pattern, Role},
};
use std::{path::PathBuf, sync::Arc};
use wgpu::naga::{
    front::wgsl::parse_str,
    valid::{Capabilities, ValidationFlags, Validator},
};

pub(crate) const TESTS: &[Test] = &[
    ("sources_are_as_reviewed", sources_are_as_reviewed),
    (
        "sources_without_traps_have_no_trace_of_them",
        sources_without_traps_have_no_trace_of_them,
    ),
    (
        "every_builtin_and_operator_validates",
        every_builtin_and_operator_validates,
    ),
    ("names_may_be_anything", names_may_be_anything),
];

const OPTIONS: Options = Options {
    lanes: 256,
    f64: true,
};

fn sources(kernel: &Kernel) -> Vec<Shader> {
    match kernel.pattern {
        Pattern::Elementwise => vec![wgsl::elementwise(kernel, &OPTIONS).unwrap()],
        Pattern::Fold => [Stage::Groups, Stage::Finish]
            .map(|stage| wgsl::fold(kernel, &OPTIONS, stage).unwrap())
            .into(),
    }
}

fn validate(source: &str) {
    let module =
        parse_str(source).unwrap_or_else(|e| panic!("{}\n{source}", e.emit_to_string(source)));
    let capabilities = Capabilities::FLOAT64 | Capabilities::SHADER_INT64;
    Validator::new(ValidationFlags::all(), capabilities)
        .validate(&module)
        .unwrap_or_else(|e| panic!("{}\n{source}", e.emit_to_string(source)));
}

fn sources_are_as_reviewed() {
    for (name, kernel) in programs::all() {
        for (k, shader) in sources(&kernel).iter().enumerate() {
            validate(&shader.source);
            let stage = ["", "-finish"][k];
            compare(&format!("{name}{stage}.wgsl"), &shader.source);
        }
    }
}

fn compare(file: &str, source: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/wgsl")
        .join(file);
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(&path, source).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        return;
    }
    let golden =
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert!(
        golden == source,
        "{file} has changed; read it, then run with UPDATE_GOLDENS=1:\n{source}"
    );
}

fn sources_without_traps_have_no_trace_of_them() {
    let sum = binary(BinaryOp::Add, local(0, Ty::I32), local(1, Ty::I32));
    let harmless = binary(BinaryOp::Div, sum.clone(), constant(Value::I32(7)));
    let harmful = binary(BinaryOp::Div, sum, local(1, Ty::I32));
    for (e, traps) in [(harmless, false), (harmful, true)] {
        let kernel = map_of("quotient", &[Ty::I32, Ty::I32], e);
        let shader = &sources(&kernel)[0];
        assert_eq!(shader.bindings.contains(&Binding::Status), traps);
        assert_eq!(
            shader.source.contains("skel_trap"),
            traps,
            "{}",
            shader.source
        );
        assert_eq!(shader.source.contains("status"), traps, "{}", shader.source);
    }
}

fn every_builtin_and_operator_validates() {
    use BinaryOp::*;
    let check = |e: Expr, params: &[Ty]| {
        for shader in sources(&map_of("sample", params, e)) {
            validate(&shader.source);
        }
    };
    for ty in [Ty::I32, Ty::U32, Ty::Usize, Ty::F32, Ty::F64] {
        // Containers of `usize` there are none: it comes from a cast.
        let stored = if ty == Ty::Usize { Ty::U32 } else { ty.clone() };
        let param = |k| {
            let raw = local(k, stored.clone());
            if ty == Ty::Usize {
                cast(raw, Ty::Usize)
            } else {
                raw
            }
        };
        let shown = |e: Expr| {
            if e.ty == Ty::Usize {
                cast(e, Ty::U32)
            } else {
                e
            }
        };
        for builtin_fn in Builtin::ALL.iter().copied() {
            if Builtin::of(builtin_fn.name(), &ty).is_none() {
                continue;
            }
            if ty == Ty::F64 && builtin_fn.is_transcendental() && builtin_fn != Builtin::Powi
                || ty == Ty::F64 && builtin_fn == Builtin::MulAdd
            {
                continue;
            }
            let mut params = vec![stored.clone(); 3];
            let args = (0..builtin_fn.arity())
                .map(|k| {
                    let wanted = builtin_fn.argument(k, &ty);
                    if wanted == ty {
                        return param(k as u32);
                    }
                    params[k] = wanted.clone();
                    local(k as u32, wanted)
                })
                .collect();
            check(shown(builtin(builtin_fn, args)), &params);
        }
        let params = vec![stored.clone(); 2];
        for op in [Add, Sub, Mul, Div, Rem, Eq, Ne, Lt, Le, Gt, Ge] {
            check(shown(binary(op, param(0), param(1))), &params);
        }
        if ty.is_integer() {
            for op in [BitAnd, BitOr, BitXor, Shl, Shr] {
                check(shown(binary(op, param(0), param(1))), &params);
            }
        }
    }
}

fn names_may_be_anything() {
    // Reserved words of WGSL, builtins, our helpers, and what is no identifier there at all.
    let names = [
        "filter",
        "final",
        "main",
        "params",
        "skel_trap",
        "vec3",
        "__x",
        "größe",
        "r#type",
        "_",
    ];
    for name in names {
        let mut f = formula(
            name,
            &[Ty::F32],
            builtin(Builtin::Round, vec![local(0, Ty::F32)]),
        );
        f.locals[0].name = name;
        let kernel = map(vec![f], None, &[(Role::In, Ty::F32), (Role::Out, Ty::F32)]);
        validate(&sources(&kernel)[0].source);
    }
    let at = Ty::structure("array", &[("f32", Ty::Usize)]);
    let e = cast(field(local(0, at.clone()), 0, Ty::Usize), Ty::F32);
    let kernel: Arc<Kernel> = map(
        vec![formula("texture", &[at], e)],
        Some((0, IndexKind::Index1)),
        &[(Role::Out, Ty::F32)],
    );
    validate(&sources(&kernel)[0].source);
}
