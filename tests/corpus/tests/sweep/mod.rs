//! All magnitudes of floats: the CPU's loops, against one call after the other; and that nothing is left out.
//! The interpreter and devices are compared with the rest of the corpus.

use skel_core::ir::{Builtin, ExprKind, Ty, Value};
use skel_corpus::{Swept, swept};
use skel_verify::Case;
use std::collections::BTreeSet;

/// Which of two zeros `min` and `max` give is open.
fn same(a: &Value, b: &Value, open_zero: bool) -> bool {
    let zero = |v: &Value| match v {
        Value::F16(x) => x.to_f32() == 0.0,
        Value::F32(x) => *x == 0.0,
        Value::F64(x) => *x == 0.0,
        _ => false,
    };
    a.same(b) || open_zero && zero(a) && zero(b)
}

#[test]
fn the_cpu_computes_all_magnitudes_as_one_call_after_the_other() {
    let mut failures = Vec::new();
    for Swept { case, on_cpu } in swept() {
        let sweep = case.sweep.expect("its arguments are given");
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let mut inputs = (sweep.inputs)();
        // Those of `clamp` whose bounds are none.
        inputs.retain(|args| (case.native)(args).is_ok());
        std::panic::set_hook(hook);
        let open_zero = ["bounded", "clamped"]
            .iter()
            .any(|name| case.name.contains(name));
        for (args, found) in inputs.iter().zip(on_cpu(&inputs)) {
            let (native, _) = (case.native)(args).expect("as before");
            let expected = match native {
                Value::Struct(ty, parts) if ty.name == "tuple" => parts,
                whole => vec![whole],
            };
            let fine = found
                .iter()
                .zip(&expected)
                .all(|(a, b)| same(a, b, open_zero));
            if !fine || found.len() != expected.len() {
                failures.push(format!(
                    "{}: {args:?}: {found:?}, not {expected:?}",
                    case.name
                ));
                break;
            }
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// What a program calls and casts, by the type that it is done to.
fn operations(case: &Case) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for function in &case.program.functions {
        for stmt in &function.body {
            stmt.walk(&mut |s| {
                for e in s.exprs() {
                    e.walk(&mut |part| match &part.kind {
                        ExprKind::Builtin(builtin, args, ..) => {
                            found.insert(format!("{}({})", builtin.name(), args[0].ty));
                        }
                        // The mathematics are functions of skel's.
                        ExprKind::Call(callee, args) => {
                            let callee = case.program.function(*callee);
                            if callee.file.contains("math") {
                                found.insert(format!("{}({})", callee.name, args[0].ty));
                            }
                        }
                        ExprKind::Cast(from) => {
                            found.insert(format!("{} as {}", from.ty, part.ty));
                        }
                        _ => {}
                    });
                }
            });
        }
    }
    found
}

#[test]
fn every_method_and_cast_of_floats_is_swept() {
    let found: BTreeSet<String> = swept()
        .iter()
        .flat_map(|swept| operations(&swept.case))
        .collect();
    let mut wanted = BTreeSet::new();
    for float in [Ty::F16, Ty::F32, Ty::F64] {
        for builtin in Builtin::ALL {
            if Builtin::of(builtin.name(), &float).is_some() {
                wanted.insert(format!("{}({float})", builtin.name()));
            }
        }
    }
    let integers = [
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
    ];
    for float in [Ty::F32, Ty::F64] {
        for integer in &integers {
            wanted.extend([
                format!("{float} as {integer}"),
                format!("{integer} as {float}"),
            ]);
        }
    }
    let missing: Vec<_> = wanted.difference(&found).collect();
    assert!(missing.is_empty(), "not swept: {missing:?}");
}
