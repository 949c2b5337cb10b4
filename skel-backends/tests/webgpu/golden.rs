//! The sources themselves: kept in files, so that a change of the generator is seen and read. With
//! `GOLDEN=overwrite` the files are written anew. Each is also validated by naga, which needs no
//! device.

use crate::{Test, ir::*, programs};
use skel_backends::{
    arithmetic::Remedies,
    codegen::wgsl::{self, Binding, ScanStage, Shader, ShaderOptions, Stage, Support},
};
use skel_core::{
    ir::{BinaryOp, Builtin, Expr, Ty, UnaryOp, Value},
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
        "offsets_within_the_radius_have_no_trace_of_traps",
        offsets_within_the_radius_have_no_trace_of_traps,
    ),
    (
        "every_builtin_and_operator_validates",
        every_builtin_and_operator_validates,
    ),
    ("names_may_be_anything", names_may_be_anything),
];

const OPTIONS: ShaderOptions = ShaderOptions {
    lanes: 256,
    elems_per_lane: 1,
    f64: Support::Has,
    i64: Support::Has,
    f16: Support::Has,
    workgroup_bytes: 16 << 10,
    remedies: Remedies::NONE,
    most_indexed_words: None,
    masks_lanes: false,
};

fn sources(kernel: &Kernel) -> Vec<Shader> {
    match kernel.pattern {
        Pattern::Elementwise => {
            let rows = kernel.folds_by_lanes();
            let rows = rows.then(|| wgsl::rows_by_lanes(kernel, &OPTIONS).unwrap());
            let single = wgsl::elementwise(kernel, &OPTIONS).unwrap();
            std::iter::once(single).chain(rows).collect()
        }
        Pattern::Sweep => vec![wgsl::sweep(kernel, &OPTIONS).unwrap()],
        Pattern::Fold => [Stage::Leaves, Stage::Nodes]
            .map(|stage| wgsl::fold(kernel, &FOLDS, stage).unwrap())
            .into(),
        Pattern::Scan => [ScanStage::Tiles, ScanStage::Nodes, ScanStage::Blocks]
            .map(|stage| wgsl::scan(kernel, &FOLDS, stage).unwrap())
            .into(),
    }
}

const FOLDS: ShaderOptions = ShaderOptions {
    elems_per_lane: 8,
    ..OPTIONS
};

fn validate(source: &str) {
    let module =
        parse_str(source).unwrap_or_else(|e| panic!("{}\n{source}", e.emit_to_string(source)));
    let wide = Capabilities::FLOAT64 | Capabilities::SHADER_INT64;
    Validator::new(ValidationFlags::all(), wide)
        .validate(&module)
        .unwrap_or_else(|e| panic!("{}\n{source}", e.emit_to_string(source)));
}

fn sources_are_as_reviewed() {
    for (name, kernel) in programs::all() {
        for (k, shader) in sources(&kernel).iter().enumerate() {
            validate(&shader.source);
            let stage = match kernel.pattern {
                Pattern::Elementwise | Pattern::Sweep => ["", "-rows", ""],
                Pattern::Fold | Pattern::Scan => ["", "-nodes", "-blocks"],
            }[k];
            compare(&format!("{name}{stage}.wgsl"), &shader.source);
        }
        if kernel.pattern == Pattern::Elementwise && kernel.operator.is_none() {
            let several = ShaderOptions {
                elems_per_lane: 4,
                ..OPTIONS
            };
            let shader = wgsl::elementwise(&kernel, &several).unwrap();
            validate(&shader.source);
            // All are the same but for what is around the loop's body.
            if name == "saxpy" {
                compare("saxpy-several.wgsl", &shader.source);
            }
        }
    }
}

fn compare(file: &str, source: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/wgsl")
        .join(file);
    if std::env::var("GOLDEN").is_ok_and(|how| how == "overwrite") {
        std::fs::write(&path, source).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        return;
    }
    let golden =
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert!(
        golden == source,
        "{file} has changed; read it, then run with GOLDEN=overwrite:\n{source}"
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

fn offsets_within_the_radius_have_no_trace_of_traps() {
    let shader = &sources(&programs::neighbourhoods::slope())[0];
    assert!(!shader.bindings.contains(&Binding::Status));
    for what in ["skel_trap", "skel_note", "status", "fn window0"] {
        assert!(!shader.source.contains(what), "{}", shader.source);
    }
}

fn every_builtin_and_operator_validates() {
    use BinaryOp::*;
    let check = |e: Expr, params: &[Ty]| {
        let kernel = map_of("sample", params, e);
        let by_integers = ShaderOptions {
            remedies: Remedies::all(),
            ..OPTIONS
        };
        for options in [OPTIONS, by_integers] {
            validate(&wgsl::elementwise(&kernel, &options).unwrap().source);
        }
    };
    for ty in SCALARS.iter().filter(|ty| **ty != Ty::Bool) {
        for builtin_fn in Builtin::ALL.iter().copied() {
            if Builtin::of(builtin_fn.name(), ty).is_none() {
                continue;
            }
            if *ty == Ty::F64 && builtin_fn.is_transcendental() {
                continue;
            }
            let params: Vec<Ty> = (0..builtin_fn.arity())
                .map(|k| builtin_fn.argument(k, ty))
                .collect();
            let args = (0..).zip(&params).map(|(k, ty)| local(k, ty.clone()));
            check(builtin(builtin_fn, args.collect()), &params);
        }
        let params = vec![ty.clone(); 2];
        let of = |op| binary(op, local(0, ty.clone()), local(1, ty.clone()));
        for op in [Add, Sub, Mul, Div, Rem, Eq, Ne, Lt, Le, Gt, Ge] {
            check(of(op), &params);
        }
        if ty.is_integer() {
            for op in [BitAnd, BitOr, BitXor, Shl, Shr] {
                check(of(op), &params);
            }
            check(unary(UnaryOp::Not, local(0, ty.clone())), &params);
        }
        if ty.is_signed() || ty.is_float() {
            check(unary(UnaryOp::Neg, local(0, ty.clone())), &params);
        }
        // Nothing becomes a `bool`.
        for to in &SCALARS[1..] {
            check(cast(local(0, ty.clone()), to.clone()), &params);
        }
    }
}

/// All types of numbers.
const SCALARS: [Ty; 13] = [
    Ty::Bool,
    Ty::I8,
    Ty::I16,
    Ty::I32,
    Ty::I64,
    Ty::Isize,
    Ty::U8,
    Ty::U16,
    Ty::U32,
    Ty::U64,
    Ty::Usize,
    Ty::F32,
    Ty::F64,
];

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
