use super::*;
use crate::ir::print;

fn source(params: Vec<Ty>, ret: Ty, text: &'static str, types: Vec<Ty>, imps: Vec<Imp>) -> Source {
    Source {
        file: "here.rs",
        params: params.into_iter().map(|ty| (ty, Mode::In)).collect(),
        ret,
        fast_math: false,
        mathematics: crate::ir::build::NO_MATHEMATICS,
        text,
        types,
        constants: vec![Value::U32(7)],
        imps,
        messages: vec!["no"],
    }
}

/// One function of two `i32` that returns an `i32`.
fn built(text: &'static str) -> Result<(Program, FnId)> {
    struct Key;
    build_chosen(|cx| {
        let params = vec![Ty::I32, Ty::I32];
        cx.define::<Key>("f", |_| {
            source(params, Ty::I32, text, vec![Ty::Bool, Ty::F32], vec![])
        })
    })
}

fn body(text: &'static str) -> String {
    let printed = print(&built(text).unwrap().0);
    let lines: Vec<&str> = printed.lines().collect();
    lines[1..lines.len() - 1].join("\n")
}

#[test]
fn operands_are_kept_where_a_later_one_has_effects() {
    let assigned = body("(fn (a b) (bl (tail (b + - (v 0) (bl (= (v 0) (v 1)) (tail (v 0)))))))");
    assert_eq!(
        assigned,
        "    let tmp_2: i32 = a_0\n    a_0 = b_1\n    return (tmp_2 + a_0)"
    );
    let untouched = body("(fn (a b) (bl (tail (b + - (v 1) (bl (= (v 0) (v 1)) (tail (v 0)))))))");
    assert_eq!(untouched, "    a_0 = b_1\n    return (b_1 + a_0)");
}

#[test]
fn a_right_side_that_can_trap_becomes_a_statement() {
    let text = "(fn (a b) (bl (tail (if (&& (b != - (v 1) (lit ^ 0)) \
                (b > - (b / - (v 0) (v 1)) (lit ^ 1))) (bl (tail (lit ^ 1))) (bl (tail (lit ^ 0)))))))";
    assert_eq!(
        body(text),
        "    let tmp_2: bool = (b_1 != 0i32)\n    if tmp_2 {\n        tmp_2 = ((a_0 / b_1) > 1i32)\n    }\n    \
         if tmp_2 {\n        return 1i32\n    } else {\n        return 0i32\n    }"
    );
}

#[test]
fn a_variable_gets_its_value_from_the_branches() {
    let text = "(fn (a b) (bl (let 2 m - (if (b > - (v 0) (v 1)) (v 0) (v 1))) (tail (v 2))))";
    assert_eq!(
        body(text),
        "    let m_2: i32\n    if (a_0 > b_1) {\n        m_2 = a_0\n    } else {\n        m_2 = b_1\n    }\n    return m_2"
    );
}

#[test]
fn what_follows_a_jump_is_left_out() {
    assert_eq!(
        body("(fn (a b) (bl (ret (v 0)) (ret (v 1))))"),
        "    return a_0"
    );
    assert_eq!(
        body("(fn (a b) (bl (tail (b + - (v 0) (ret (v 1))))))"),
        "    return b_1"
    );
}

#[test]
fn a_circle_of_calls_is_named() {
    struct Even;
    struct Odd;
    fn even(cx: &mut Cx) -> Imp {
        cx.define::<Even>("even", |cx| {
            let odd = odd(cx);
            source(vec![], Ty::I32, "(fn () (c 0))", vec![], vec![odd])
        })
    }
    fn odd(cx: &mut Cx) -> Imp {
        cx.define::<Odd>("odd", |cx| {
            let even = even(cx);
            source(vec![], Ty::I32, "(fn () (c 0))", vec![], vec![even])
        })
    }
    match build(even) {
        Err(Error::Recursion { path }) => assert_eq!(path, "even -> odd -> even"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn two_functions_share_what_they_call() {
    struct Key<const N: u32>;
    fn constant(cx: &mut Cx) -> Imp {
        cx.define::<Key<0>>("seven", |_| {
            source(vec![], Ty::U32, "(fn () (k 0))", vec![], vec![])
        })
    }
    let caller = |cx: &mut Cx| {
        cx.define::<Key<1>>("caller", |cx| {
            let callee = constant(cx);
            source(vec![], Ty::U32, "(fn () (c 0))", vec![], vec![callee])
        })
    };
    let (program, [first, second]) = build_all([caller, constant]).unwrap();
    assert_eq!(program.functions.len(), 2);
    assert_eq!((first, second), (FnId(1), FnId(0)));
}

#[test]
fn a_text_that_makes_no_sense_is_an_error() {
    for text in [
        "",
        "(fn (a) (v 0))",
        "(fn (a b) (v 9))",
        "(fn (a b) (k 9))",
        "(fn (a b) (nonsense))",
        "(fn (a b) (bl))",
        "(fn (a b) (brk 0))",
        "(fn (a b) (c 0))",
        "(fn (a b) (m sqrt - (v 0)))",
        "(fn (a b) (b + - (v 0) (lit 1 2.0)))",
        "(fn (a b) (b + - (lit ^ 1) (lit ^ 2)))",
        "(fn (a b) (b ? - (v 0) (v 1)))",
        "(fn (a b) (lit 0 true))",
        "(fn (a b) (f x (v 0)))",
        "(fn (a b) (bl (= (lit ^ 1) (v 0)) (tail (v 0))))",
        "(fn (a b) (if (v 0) (v 0) (v 1)))",
        "(fn (a b) (bl (let 2 c - -) (tail (v 0))))",
        "(fn (a b) (u - - (lit 0 true)))",
        "(fn (a b) (trap 1))",
        "(fn (a b) (match (v 0)))",
        "(fn (a b) (match (v 0) (arm (lit 1) (lit 0 true) (v 0))))",
        "(fn (a b) (match (v 0) (arm (nonsense) - (v 0)) (arm _ - (v 1))))",
        "(fn (a b) (match (v 0) (arm (of (0 _)) - (v 0))))",
        "(fn (a b) (bl (unless (lit 1) - (v 0) (v 1)) (tail (v 0))))",
        "(fn (a b) (bl (for 0 (array (v 0) 0) _ - (bl)) (tail (v 0))))",
        "(fn (a b) (bl (for 0 (v 0) _ - (bl)) (tail (v 0))))",
        "(fn (a b) (bl (unpack-to (to (lit ^ 1)) (v 0)) (tail (v 0))))",
        "(fn (a b) (bl (debug 0 (v 0)) (tail (v 0))))",
    ] {
        match built(text) {
            Err(Error::Ir { function, .. }) => assert_eq!(function, "f", "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

/// One function of a tuple `(i32, i32)` and an array `[i32; 3]`.
fn taken_apart(text: &'static str) -> String {
    struct Key;
    let pair = Ty::tuple([Ty::I32, Ty::I32]);
    let params = vec![pair, Ty::array(Ty::I32, 3)];
    let (program, _) =
        build_chosen(|cx| cx.define::<Key>("f", |_| source(params, Ty::I32, text, vec![], vec![])))
            .unwrap();
    let printed = print(&program);
    let lines: Vec<&str> = printed
        .lines()
        .skip_while(|line| !line.starts_with("fn"))
        .collect();
    lines[1..lines.len() - 1].join("\n")
}

#[test]
fn the_last_arm_has_no_test() {
    let text = "(fn (a b) (bl (tail (match (v 0) (arm (lit 1) - (v 1)) (arm (bind 2 n -) - (v 2)) \
                (arm (lit 3) (lit 0 true) (v 0))))))";
    assert_eq!(
        body(text),
        "    if (a_0 == 1i32) {\n        return b_1\n    } else {\n        let n_2: i32 = a_0\n        \
         return n_2\n    }"
    );
}

#[test]
fn parts_are_compared_and_bound_where_they_are() {
    let text = "(fn (p t) (bl (tail (match (v 0) (arm (of (0 (lit 1)) (-1 (bind 2 x -))) - (v 2)) \
                (arm _ - (match (v 1) (arm (of (0 (bind 3 first -)) (.. 4 rest 1 0)) - (v 3))))))))";
    assert_eq!(
        taken_apart(text),
        "    if (p_0.0 == 1i32) {\n        let x_2: i32 = p_0.1\n        return x_2\n    } else {\n        \
         let first_3: i32 = t_1[0usize]\n        \
         let rest_4: [i32; 2] = [i32; 2](t_1[1usize], t_1[2usize])\n        return first_3\n    }"
    );
}

#[test]
fn alternatives_bind_the_same_variable() {
    let text = "(fn (p t) (bl (tail (match (v 0) \
                (arm (or (of (0 (bind 2 x -)) (1 (lit 1))) (of (0 (lit 1)) (1 (bind 2 x -)))) - (v 2)) \
                (arm _ - (lit ^ 0))))))";
    assert_eq!(
        taken_apart(text),
        "    if ((p_0.1 == 1i32) || (p_0.0 == 1i32)) {\n        let x_2: i32\n        \
         if (p_0.1 == 1i32) {\n            x_2 = p_0.0\n        } else {\n            x_2 = p_0.1\n        }\n        \
         return x_2\n    } else {\n        return 0i32\n    }"
    );
}
