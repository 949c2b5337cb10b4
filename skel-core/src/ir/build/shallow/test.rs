use super::*;
use crate::ir::{
    FnId, Mode, Program, Ty, Value,
    build::{Source, build_chosen},
    eval::{self, Stop},
    print,
};

/// A function of two `i32` that returns one.
fn built(text: String) -> (Program, FnId) {
    struct Key;
    let source = Source {
        file: "here.rs",
        params: vec![(Ty::I32, Mode::In), (Ty::I32, Mode::In)],
        ret: Ty::I32,
        fast_math: false,
        mathematics: crate::ir::build::NO_MATHEMATICS,
        text: text.leak(),
        types: Vec::new(),
        constants: Vec::new(),
        imps: Vec::new(),
        messages: Vec::new(),
    };
    build_chosen(|cx| cx.define::<Key>("f", |_| source)).unwrap()
}

fn call((program, function): &(Program, FnId), a: i32, b: i32) -> Result<i32, Stop> {
    let args = [Value::I32(a), Value::I32(b)];
    match eval::call(program, *function, &args, 100_000)?.result {
        Value::I32(x) => Ok(x),
        other => panic!("{other:?}"),
    }
}

/// How deep expressions, and blocks, lie in each other.
fn depths(program: &Program) -> (usize, usize) {
    fn blocks(block: &Block) -> usize {
        let inner = block.iter().map(|stmt| match &stmt.kind {
            StmtKind::If(_, yes, no) => blocks(yes).max(blocks(no)),
            StmtKind::Loop { body, step, .. } => blocks(body).max(blocks(step)),
            _ => 0,
        });
        1 + inner.max().unwrap_or(0)
    }
    let mut deepest = 0;
    for stmt in program.functions.iter().flat_map(|f| &f.body) {
        stmt.walk(&mut |s| {
            for e in s.exprs() {
                deepest = deepest.max(depth_up_to(e, 1 << 20));
            }
        });
    }
    let inner = program.functions.iter().map(|f| blocks(&f.body));
    (deepest, inner.max().unwrap_or(0))
}

/// `f(f(… f(x)))`, where `wrap` gives what stands before and behind.
fn nest(n: usize, wrap: (&str, &str), inner: &str) -> String {
    let (before, behind) = wrap;
    let e = format!("{}{inner}{}", before.repeat(n), behind.repeat(n));
    format!("(fn (a b) (bl (tail {e})))")
}

#[test]
fn sums_of_any_length_are_shallow_and_the_same() {
    for n in [1, MAX_DEPTH, MAX_DEPTH + 1, 3 * MAX_DEPTH, 900] {
        let left = built(nest(n, ("(b + - ", " (v 1))"), "(v 0)"));
        let right = built(nest(n, ("(b + - (v 1) ", ")"), "(v 0)"));
        for f in [&left, &right] {
            assert!(depths(&f.0).0 <= MAX_DEPTH, "{n}");
            assert_eq!(call(f, 7, 3).unwrap(), 7 + 3 * n as i32);
        }
        let touched = print(&left.0).contains("tmp");
        assert_eq!(touched, n > MAX_DEPTH, "{n}");
    }
}

#[test]
fn what_traps_first_is_what_trapped_first() {
    // (a / b) + ((… (1 % b) …)): the division comes first, wherever the rest is computed.
    for n in (MAX_DEPTH - 4..MAX_DEPTH + 4).chain([100]) {
        let deep = format!(
            "{}(b % - (lit ^ 1) (v 1)){}",
            "(b + - (v 0) ".repeat(n),
            ")".repeat(n)
        );
        let f = built(format!(
            "(fn (a b) (bl (tail @7 (b + - @3 (b / - (v 0) (v 1)) @5 {deep}))))"
        ));
        assert!(depths(&f.0).0 <= MAX_DEPTH);
        assert_eq!(call(&f, 6, 2).unwrap(), 3 + 6 * n as i32 + 1);
        match call(&f, 6, 0) {
            Err(Stop::Trap(trap)) => assert_eq!(trap.line, 3, "{n}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_right_side_of_and_is_not_evaluated_in_vain() {
    let deep = |inner: &str| format!("{}{inner}{}", "(u ! - ".repeat(80), ")".repeat(80));
    for (op, zero) in [("&&", "!="), ("||", "==")] {
        let right = deep("(b == - (b / - (v 0) (v 1)) (lit ^ 3))");
        let test = format!("({op} (b {zero} - (v 1) (lit ^ 0)) {right})");
        let f = built(format!(
            "(fn (a b) (bl (tail (if {test} (bl (tail (lit ^ 1))) (bl (tail (lit ^ 0)))))))"
        ));
        assert!(depths(&f.0).0 <= MAX_DEPTH);
        assert_eq!(call(&f, 6, 2).unwrap(), 1);
        assert_eq!(call(&f, 8, 2).unwrap(), 0);
        assert_eq!(call(&f, 6, 0).unwrap(), i32::from(op == "||"));
    }
}

/// `if a == 0 { 0 } else if a == 1 { 2 } else if a == 2 { 4 } …`.
fn chain(n: i32) -> String {
    let tests: String = (0..n)
        .map(|k| {
            format!(
                "(if (b == - (v 0) (lit ^ {k})) (bl (tail (lit ^ {}))) ",
                2 * k
            )
        })
        .collect();
    let ends = ")".repeat(n as usize);
    format!("(fn (a b) (bl (tail {tests}(bl (tail (lit ^ -1))){ends})))")
}

#[test]
fn long_chains_of_tests_are_flat_and_the_same() {
    for n in [1, MAX_CHAIN as i32, MAX_CHAIN as i32 + 1, 300] {
        let f = built(chain(n));
        let (_, blocks) = depths(&f.0);
        assert!(blocks <= MAX_CHAIN + 2, "{n}: {blocks}");
        for a in [0, n / 2, n - 1] {
            assert_eq!(call(&f, a, 0).unwrap(), 2 * a, "{n}");
        }
        assert_eq!(call(&f, n, 0).unwrap(), -1, "{n}");
    }
}

#[test]
fn branches_of_a_long_chain_go_on_behind_it_and_leave_loops_around_it() {
    // b counts rounds; a == 40 leaves the loop, a == 41 begins the next round without counting.
    let tests: String = (0..60)
        .map(|k| {
            let body = match k {
                40 => "(brk 1)".to_owned(),
                41 => "(cont 1)".to_owned(),
                _ => format!("(= (v 1) (b + - (v 1) (lit ^ {k})))"),
            };
            format!("(if (b == - (v 0) (lit ^ {k})) (bl {body}) ")
        })
        .collect();
    let ends = ")".repeat(60);
    let f = built(format!(
        "(fn (a b) (bl (while 1 (b > - (v 0) (lit ^ 38)) (bl (= (v 0) (b - - (v 0) (lit ^ 1))) \
         {tests}(bl){ends} (= (v 1) (b + - (v 1) (lit ^ 1000))))) (tail (v 1))))"
    ));
    // 43: round 42 counts, 41 does not, 40 leaves.
    assert_eq!(call(&f, 43, 0).unwrap(), 42 + 1000);
    assert_eq!(call(&f, 39, 0).unwrap(), 38 + 1000);
}
