//! The CPU's loops over all magnitudes, against one call after the other; and that nothing is left out.

use super::*;
use skel::prelude::*;
use skel_core::ir::{Builtin, ExprKind};
use std::collections::BTreeSet;

/// What a call gave, element by element.
trait Results {
    fn element(&self, i: usize) -> Vec<Value>;
}

impl<T: Element> Results for Vector<T> {
    fn element(&self, i: usize) -> Vec<Value> {
        vec![Element::to_value(self.host().unwrap()[i])]
    }
}

macro_rules! results {
    ($(($($part:ident $i:tt)*))*) => { $(
        impl<$($part: Results),*> Results for ($($part,)*) {
            fn element(&self, i: usize) -> Vec<Value> {
                [$(self.$i.element(i)),*].concat()
            }
        }
    )* };
}
results!((A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3));

fn column<T: Element>(inputs: &[Vec<Value>], k: usize) -> Vec<T> {
    let values = inputs.iter().map(|args| T::from_value(&args[k]).unwrap());
    values.collect()
}

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
    let mut cases = cases().into_iter();
    macro_rules! compare {
        ($f:ident($($x:ident: $t:ty),*) = $inputs:expr; $bound:tt) => {{
            let case = cases.next().unwrap();
            let mut inputs = $inputs();
            let hook = std::panic::take_hook();
            std::panic::set_hook(Box::new(|_| ()));
            inputs.retain(|args| (case.native)(args).is_ok());
            std::panic::set_hook(hook);
            let mut columns = 0..;
            $(let $x: Vec<$t> = column(&inputs, columns.next().unwrap());)*
            let found = map!($f).on(Cpu).run(($(&$x,)*)).unwrap();
            let open_zero = stringify!($f) == "bounded" || stringify!($f) == "clamped";
            for (i, args) in inputs.iter().enumerate() {
                let (native, _) = (case.native)(args).unwrap();
                let expected = match native {
                    Value::Struct(ty, parts) if ty.name == "tuple" => parts,
                    whole => vec![whole],
                };
                let found = found.element(i);
                let fine = found.iter().zip(&expected).all(|(a, b)| same(a, b, open_zero));
                if !fine {
                    failures.push(format!("{}: {args:?}: {found:?}, not {expected:?}", case.name));
                    break;
                }
            }
        }};
    }
    table!(compare);
    assert!(cases.next().is_none());
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
    let swept: BTreeSet<String> = cases().iter().flat_map(operations).collect();
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
    let missing: Vec<_> = wanted.difference(&swept).collect();
    assert!(missing.is_empty(), "not swept: {missing:?}");
}

/// The bounds of the table are those that users are told.
#[test]
fn bounds_are_those_of_the_documentation() {
    let page = include_str!("../../../../docs/language.md");
    let mut told = 0;
    for case in cases() {
        let Some(Sweep {
            bound: Bound::Ulps { most, .. },
            ..
        }) = case.sweep
        else {
            continue;
        };
        for operation in operations(&case) {
            let Some((name, _)) = operation.split_once('(') else {
                continue;
            };
            let row = page.lines().find(|line| {
                line.starts_with('|')
                    && line.contains(&format!("`{name}`"))
                    && line.matches('|').count() == 4
            });
            let row = row.unwrap_or_else(|| panic!("`{name}` has no row"));
            let bound = row.split('|').nth(2).unwrap().trim();
            assert!(
                bound == most.to_string() || bound.starts_with(&format!("{most},")),
                "{row}"
            );
            told += 1;
        }
    }
    assert!(told > 30, "{told}");
}
