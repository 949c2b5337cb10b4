//! Traps: the smallest element, the first one in Rust's order of evaluation, and nothing after it.
//!
//! The elements that trap lie within the middle of the index space, so that runs over a part of it
//! find the same.

use super::{Case, Expected, elements};
use crate::{
    ir::{
        binary, binary_at, builtin, call, constant, fold, formula, function, give, init, local,
        map, stmt,
    },
    launch::Column,
    parts::*,
};
use skel_core::{
    ir::{
        Arg, BinaryOp::*, Block, Builtin, Expr, Function, LoopId, Mode, StmtKind, TrapKind, Ty,
        Value, ViewKind,
    },
    plan::Role,
};

const N: usize = 500;
/// Elements that trap.
const AT: [usize; 4] = [345, 201, 333, 202];
const FIRST: Option<usize> = Some(201);

pub(super) fn cases() -> Vec<Case> {
    let mut all = vec![division(), callee_is_left(), argument_is_looked_at()];
    all.extend([
        left_operand_first(),
        right_operand_alone(),
        value_before_place(),
    ]);
    all.extend([
        array_index(),
        place_index(),
        view_index(),
        condition(),
        step(),
    ]);
    all.extend([
        explicit(),
        through_reference(),
        bounds(),
        in_a_fold(),
        in_an_operator(),
    ]);
    all
}

/// `b` is 0 at some elements, and 3 elsewhere; `a` is the element's number.
fn divided(name: &'static str, functions: Vec<Function>, line: u32) -> Case {
    let i = || Ty::I32;
    let b = |k: usize| if AT.contains(&k) { 0 } else { 3 };
    Case {
        name,
        kernel: map(
            functions,
            None,
            &[(Role::In, i()), (Role::In, i()), (Role::Out, i())],
        ),
        columns: vec![
            Column::Elements(elements(N, |k| k as i32, Value::I32)),
            Column::Elements(elements(N, b, Value::I32)),
            Column::Out,
        ],
        elems: N,
        cols: None,
        expected: Expected::Trap(FIRST, line, TrapKind::DivideByZero),
    }
}

fn a() -> Expr {
    local(0, Ty::I32)
}

fn b() -> Expr {
    local(1, Ty::I32)
}

fn two(name: &'static str, e: Expr) -> Function {
    formula(name, &[Ty::I32, Ty::I32], e)
}

fn block(name: &'static str, more: &[Ty], body: Block) -> Function {
    function(name, &[Ty::I32, Ty::I32], more, Ty::I32, body)
}

fn division() -> Case {
    divided(
        "division",
        vec![two("ratio", binary_at(11, Div, a(), b()))],
        11,
    )
}

/// A loop that would never end, were it reached with the result of a trap.
fn endless(id: u32) -> Block {
    let found = binary(Ne, local(id, Ty::I32), int(0));
    vec![stmt(StmtKind::Loop {
        id: LoopId(0),
        body: vec![when(found, vec![give(local(id, Ty::I32))])],
        step: vec![],
    })]
}

fn more_than_zero(e: Expr) -> Expr {
    binary(BitOr, e, int(1))
}

fn callee_is_left() -> Case {
    let ratio = two("ratio", more_than_zero(binary_at(11, Div, a(), b())));
    let mut body = vec![init(2, call(0, vec![a(), b()], Ty::I32))];
    body.extend(endless(2));
    divided(
        "callee_is_left",
        vec![ratio, block("caller", &[Ty::I32], body)],
        11,
    )
}

/// `spin((a + 3) / b)`: the callee must not begin. It never ends on 0, which a trap leaves.
fn argument_is_looked_at() -> Case {
    let spin = function("spin", &[Ty::I32], &[], Ty::I32, endless(0));
    let quotient = binary_at(11, Div, binary(Add, a(), int(3)), b());
    let e = call(0, vec![quotient], Ty::I32);
    divided("argument_is_looked_at", vec![spin, two("caller", e)], 11)
}

/// `a / b + rest(a, b)`, where the callee's trap has the smaller number.
fn left_operand_first() -> Case {
    let rest = two("rest", binary_at(12, Rem, a(), b()));
    let e = binary(
        Add,
        binary_at(11, Div, a(), b()),
        call(0, vec![a(), b()], Ty::I32),
    );
    divided("left_operand_first", vec![rest, two("caller", e)], 11)
}

/// `a / 7 + rest(a, b)`: only the right one can trap.
fn right_operand_alone() -> Case {
    let rest = two("rest", binary_at(12, Rem, a(), b()));
    let e = binary(
        Add,
        binary_at(11, Div, a(), int(7)),
        call(0, vec![a(), b()], Ty::I32),
    );
    divided("right_operand_alone", vec![rest, two("caller", e)], 12)
}

/// `all[a % b] = a / b`: the value first, then the index.
fn value_before_place() -> Case {
    let wrong = to_usize(binary_at(12, Rem, a(), b()));
    let body = vec![
        init(2, repeat(int(0), 3)),
        assign(element_of(2, wrong), binary_at(11, Div, a(), b())),
        give(index(&local(2, Ty::array(Ty::I32, 3)), number(0))),
    ];
    let f = block("store", &[Ty::array(Ty::I32, 3)], body);
    divided("value_before_place", vec![f], 11)
}

/// `a` is 3, but larger at some elements.
fn indexed(name: &'static str, function: Function, line: u32) -> Case {
    let at = |k: usize| if AT.contains(&k) { k } else { k % 4 };
    Case {
        name,
        kernel: map(
            vec![function],
            None,
            &[(Role::In, Ty::Usize), (Role::Out, Ty::I32)],
        ),
        columns: vec![Column::Elements(elements(N, at, Value::Usize)), Column::Out],
        elems: N,
        cols: None,
        expected: Expected::Trap(FIRST, line, TrapKind::OutOfRange),
    }
}

fn array_index() -> Case {
    let e = index(
        &list(vec![int(1), int(2), int(3), int(4)]),
        local(0, Ty::Usize),
    );
    indexed("array_index", formula("pick", &[Ty::Usize], e), 13)
}

fn place_index() -> Case {
    let ty = Ty::array(Ty::I32, 4);
    let body = vec![
        init(1, repeat(int(0), 4)),
        assign(element_of(1, local(0, Ty::Usize)), int(9)),
        give(index(&local(1, ty.clone()), number(2))),
    ];
    let f = function("put", &[Ty::Usize], &[ty], Ty::I32, body);
    indexed("place_index", f, 15)
}

fn view_index() -> Case {
    let view = Ty::view(Ty::I32, ViewKind::Whole { rank: 2 });
    let row = local(1, Ty::Usize);
    let e = at(&local(0, view.clone()), vec![row, number(1)]);
    let place = |k: usize| if AT.contains(&k) { 6 } else { k % 6 };
    Case {
        name: "view_index",
        kernel: map(
            vec![formula("look", &[view.clone(), Ty::Usize], e)],
            None,
            &[
                (Role::View, view),
                (Role::In, Ty::Usize),
                (Role::Out, Ty::I32),
            ],
        ),
        columns: vec![
            Column::View(elements(12, |k| k as i32, Value::I32), vec![6, 2]),
            Column::Elements(elements(N, place, Value::Usize)),
            Column::Out,
        ],
        elems: N,
        cols: None,
        expected: Expected::Trap(FIRST, 14, TrapKind::OutOfRange),
    }
}

/// `if a / b > 5 { spin }`: neither branch is taken.
fn condition() -> Case {
    let large = binary(Le, binary_at(11, Div, a(), b()), int(1 << 20));
    let forever = stmt(StmtKind::Loop {
        id: LoopId(0),
        body: vec![when(large.clone(), vec![stmt(StmtKind::Break(LoopId(0)))])],
        step: vec![],
    });
    let body = vec![when(large, vec![give(a())]), forever, give(b())];
    divided("condition", vec![block("judge", &[], body)], 11)
}

/// What a loop does between rounds traps.
fn step() -> Case {
    let id = LoopId(0);
    let next = binary(
        Add,
        local(2, Ty::I32),
        more_than_zero(binary_at(11, Div, a(), b())),
    );
    let done = binary(Gt, local(2, Ty::I32), int(100));
    let odd = binary(Eq, binary(BitAnd, local(2, Ty::I32), int(1)), int(1));
    let body = vec![
        init(2, int(1)),
        stmt(StmtKind::Loop {
            id,
            body: vec![
                when(done, vec![give(a())]),
                when(odd, vec![stmt(StmtKind::Continue(id))]),
            ],
            step: vec![assign(
                skel_core::ir::Place::local(skel_core::ir::LocalId(2)),
                next,
            )],
        }),
    ];
    divided("step", vec![block("advance", &[Ty::I32], body)], 11)
}

/// `assert!(b != 0, "…")`.
fn explicit() -> Case {
    let kind = TrapKind::Panic("b is zero");
    let none = binary(Eq, b(), int(0));
    let body = vec![when(none, vec![stmt(StmtKind::Trap(kind))]), give(a())];
    let mut case = divided("explicit", vec![block("check", &[], body)], 5);
    case.expected = Expected::Trap(FIRST, 5, kind);
    case
}

/// The callee traps after it has changed what it was passed: nothing is stored.
fn through_reference() -> Case {
    let body = vec![
        crate::ir::set(0, int(-1)),
        crate::ir::set(0, binary_at(11, Div, a(), b())),
    ];
    let params = [(Mode::InOut, Ty::I32), (Mode::In, Ty::I32)];
    let divide = routine("divide", &params, &[], Ty::Unit, body);
    let mut body = vec![
        init(2, a()),
        invoke(
            None,
            0,
            vec![
                Arg::Place(skel_core::ir::Place::local(skel_core::ir::LocalId(2))),
                Arg::Value(b()),
            ],
        ),
        init(3, more_than_zero(local(2, Ty::I32))),
    ];
    body.extend(endless(3));
    let f = block("caller", &[Ty::I32, Ty::I32], body);
    divided("through_reference", vec![divide, f], 11)
}

fn bounds() -> Case {
    let low = binary(Sub, int(2), b());
    let e = builtin(Builtin::Clamp, vec![a(), low, int(1)]);
    let mut case = divided("bounds", vec![two("keep", e)], 9);
    case.expected = Expected::Trap(FIRST, 9, TrapKind::ClampBounds);
    case
}

/// Elements of folds have an index.
fn in_a_fold() -> Case {
    let i = || Ty::I32;
    let add = two("add", binary(Add, a(), b()));
    let ratio = two("ratio", binary_at(11, Div, a(), b()));
    let mut case = divided("in_a_fold", vec![two("unused", a())], 11);
    case.kernel = fold(ratio, add, false, None, &[(Role::In, i()), (Role::In, i())]);
    case.columns.truncate(2);
    case
}

/// Operators have none.
fn in_an_operator() -> Case {
    // Keeps the left operand, and traps where the right one is 0.
    let rest = binary_at(21, Rem, a(), b());
    let keep = two(
        "keep",
        binary(BitOr, a(), binary(BitAnd, rest, constant(Value::I32(0)))),
    );
    let same = formula("same", &[Ty::I32], a());
    let mut case = divided("in_an_operator", vec![two("unused", a())], 21);
    case.kernel = fold(same, keep, false, None, &[(Role::In, Ty::I32)]);
    case.columns = vec![case.columns.swap_remove(1)];
    case.expected = Expected::Trap(None, 21, TrapKind::DivideByZero);
    case
}
