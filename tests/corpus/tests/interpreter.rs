//! The language: the interpreter agrees with rustc on every function of the corpus.

mod sweep;

use skel_core::ir::{
    BinaryOp, Builtin, Expr, ExprKind, Function, StmtKind, Value,
    eval::{self, Env, Stop, View},
    never_traps_from, print, unrolled, valid,
};
use skel_corpus::corpus;
use skel_verify::{Case, Random, message, same_cause};
use std::{collections::HashSet, num::NonZero, thread};

const INPUTS: usize = 3000;
const MAX_STEPS: u64 = 1 << 22;

/// Calls `visit` on every expression of the program, parts included.
fn expressions(case: &Case, mut visit: impl FnMut(&Expr)) {
    for function in &case.program.functions {
        for stmt in &function.body {
            stmt.walk(&mut |s| {
                for e in s.exprs() {
                    e.walk(&mut |part| visit(part));
                }
            });
        }
    }
}

/// Rust leaves it open which of two zeros `min` and `max` give.
fn zero_sign_is_open(case: &Case) -> bool {
    let mut found = false;
    expressions(case, |e| {
        found |= matches!(
            e.kind,
            ExprKind::Builtin(Builtin::Min | Builtin::Max | Builtin::Clamp, ..)
        );
    });
    found
}

fn agree(native: &Value, interpreted: &Value, open_zero: bool) -> bool {
    native.same(interpreted)
        || open_zero
            && match (native, interpreted) {
                (Value::F32(a), Value::F32(b)) => *a == 0.0 && *b == 0.0,
                (Value::F64(a), Value::F64(b)) => *a == 0.0 && *b == 0.0,
                (Value::Struct(_, a), Value::Struct(_, b))
                | (Value::Array(_, a), Value::Array(_, b)) => {
                    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b, true))
                }
                _ => false,
            }
}

#[test]
fn the_interpreter_agrees_with_rustc() {
    std::panic::set_hook(Box::new(|_| {}));
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let failures: Vec<String> = thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|first| {
                scope.spawn(move || {
                    let mine = corpus().into_iter().skip(first).step_by(threads);
                    mine.filter_map(|case| disagreement(&case))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        let parts = parts.into_iter();
        parts.flat_map(|part| part.join().unwrap()).collect()
    });
    let _ = std::panic::take_hook();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// The first arguments for which a function, run natively, gives something else than interpreted.
fn disagreement(case: &Case) -> Option<String> {
    let mut random = Random(case.name.len() as u64);
    let open_zero = zero_sign_is_open(case);
    let swept = case.sweep.map(|sweep| (sweep.inputs)());
    let count = swept.as_ref().map_or(INPUTS, Vec::len);
    for k in 0..count {
        let args = match &swept {
            Some(swept) => swept[k].clone(),
            None => case.arguments(&mut random),
        };
        let native = (case.native)(&args);
        let (passed, views) = case.environment(&args);
        let views: Vec<&dyn View> = views.iter().map(|view| &**view).collect();
        let env = Env {
            views: &views,
            ..Env::steps(MAX_STEPS)
        };
        let interpreted = eval::call_with(&case.program, case.function, &passed, env);
        let fine = match (&native, &interpreted) {
            (Ok((result, changed)), Ok(outcome)) => {
                let found = skel_verify::changed(&outcome.inout, &views);
                let inout = changed.iter().zip(&found);
                agree(result, &outcome.result, open_zero)
                    && changed.len() == found.len()
                    && inout.into_iter().all(|(a, b)| agree(a, b, open_zero))
            }
            (Err(panic), Err(Stop::Trap(trap))) => {
                !case.never_traps(trap.kind) && same_cause(&message(&**panic), trap.kind.message())
            }
            _ => false,
        };
        if !fine {
            let native = native.map_err(|_| "panic");
            let name = &case.name;
            return Some(format!("{name}{args:?}: {native:?}, but {interpreted:?}"));
        }
    }
    None
}

/// As devices compute them.
#[test]
fn loops_that_are_taken_apart_mean_the_same() {
    const FEWER: usize = 200;
    let mut changed = 0;
    for case in corpus() {
        let apart = unrolled(&case.program);
        if print(&apart) == print(&case.program) {
            continue;
        }
        changed += 1;
        valid::check(&apart).unwrap();
        let mut random = Random(case.name.len() as u64);
        for _ in 0..FEWER {
            let args = case.arguments(&mut random);
            let [first, second] = [&case.program, &apart].map(|program| {
                let (passed, views) = case.environment(&args);
                let views: Vec<&dyn View> = views.iter().map(|view| &**view).collect();
                let env = Env {
                    views: &views,
                    ..Env::steps(MAX_STEPS)
                };
                let outcome = eval::call_with(program, case.function, &passed, env);
                let outcome =
                    outcome.map(|it| (skel_verify::changed(&it.inout, &views), it.result));
                outcome.map_err(|stop| format!("{stop:?}"))
            });
            let same = match (&first, &second) {
                (Ok((a, x)), Ok((b, y))) => {
                    x.same(y) && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
                }
                (Err(a), Err(b)) => a == b,
                _ => false,
            };
            assert!(same, "{}{args:?}: {first:?}, but {second:?}", case.name);
        }
    }
    assert!(changed >= 20, "{changed}");
}

/// What is claimed of them holds for all inputs: see the test above, and the fuzzer.
#[test]
fn what_cannot_trap_is_known_from_some_length_on() {
    for (case, from) in skel_corpus::in_bounds::cases_with_lengths() {
        assert_eq!(never_traps_from(&case.program), from, "{}", case.name);
    }
}

#[test]
fn the_corpus_covers_the_language() {
    let cases = corpus();
    let names: HashSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    for document in [
        include_str!("../../../README.md"),
        include_str!("../../../docs/language.md"),
    ] {
        let of_the_corpus = document.lines().filter(|line| line.contains("orpus"));
        let said: usize = of_the_corpus
            .flat_map(|line| line.split("some ").skip(1))
            .find_map(|after| {
                after
                    .split(|c: char| !c.is_ascii_digit())
                    .next()?
                    .parse()
                    .ok()
            })
            .expect("it says how many");
        assert!(
            said.abs_diff(names.len()) * 10 <= names.len(),
            "{said}, not {}",
            names.len()
        );
    }
    let (mut builtins, mut operators) = (HashSet::new(), HashSet::new());
    for case in &cases {
        expressions(case, |e| match &e.kind {
            ExprKind::Builtin(builtin, ..) => {
                builtins.insert(*builtin);
            }
            ExprKind::Binary(op, ..) => {
                operators.insert(op.symbol());
            }
            _ => {}
        });
    }
    for builtin in Builtin::ALL {
        // Elementary functions are functions of the program, but with `fast_math`: those of the dialects are tested by
        // `skel-backends/tests/webgpu/transcendental.rs` and `skel-backends/tests/cuda_dialect/parts.rs`.
        assert!(
            builtins.contains(builtin) || builtin.is_transcendental(),
            "no function calls `{}`",
            builtin.name()
        );
    }
    let symbols = "+ - * / % & | ^ << >> == != < <= > >= && ||";
    for symbol in symbols.split(' ') {
        assert!(BinaryOp::from_symbol(symbol).is_some(), "{symbol}");
        assert!(operators.contains(symbol), "no function uses `{symbol}`");
    }
}

#[test]
fn traps_name_the_line() {
    let case = corpus()
        .into_iter()
        .find(|c| c.name == "traps_in_callee")
        .unwrap();
    let args = [Value::I32(1), Value::I32(4)];
    let stop = eval::call(&case.program, case.function, &args, MAX_STEPS).unwrap_err();
    let Stop::Trap(trap) = stop else {
        panic!("{stop:?}")
    };
    assert_eq!(trap.function, "ratio");
    // As `file!()` has it: from the root of the workspace.
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let source = std::fs::read_to_string(root.join(trap.file)).unwrap();
    let line = source.lines().nth(trap.line as usize - 1).unwrap();
    assert_eq!(line.trim(), "a / b");
}

#[test]
fn every_program_is_valid_and_every_statement_knows_its_line() {
    for case in corpus() {
        valid::check(&case.program).unwrap();
        // What generators do is written in IR, and comes from no line.
        let of_source = |f: &&Function| !f.file.replace('\\', "/").ends_with("random/ir.rs");
        for function in case.program.functions.iter().filter(of_source) {
            for stmt in &function.body {
                stmt.walk(&mut |s| assert!(s.line > 0, "{}: {:?}", function.name, s.kind));
            }
        }
    }
}

#[test]
fn printing_ignores_lines_and_tells_programs_apart() {
    let mut seen = HashSet::new();
    for case in corpus() {
        let mut moved = case.program.clone();
        for function in &mut moved.functions {
            function.file = "elsewhere.rs";
            for stmt in &mut function.body {
                stmt.line += 100;
            }
        }
        let text = print(&case.program);
        assert_eq!(text, print(&moved));
        assert!(
            seen.insert(text),
            "two functions print alike: {}",
            case.name
        );
    }
}

#[test]
fn a_step_limit_stops_what_does_not_end() {
    let case = corpus()
        .into_iter()
        .find(|c| c.name == "while_loop")
        .unwrap();
    let stop = eval::call(&case.program, case.function, &[Value::U32(26)], 20).unwrap_err();
    assert!(
        matches!(
            stop,
            Stop::StepLimit {
                function: "while_loop",
                ..
            }
        ),
        "{stop:?}"
    );
}

#[test]
fn nothing_is_evaluated_for_nothing() {
    for case in corpus() {
        for function in &case.program.functions {
            for stmt in &function.body {
                stmt.walk(&mut |s| {
                    if let StmtKind::Eval(e) = &s.kind {
                        assert!(!matches!(e.kind, ExprKind::Local(_) | ExprKind::Const(_)));
                    }
                });
            }
        }
    }
}
