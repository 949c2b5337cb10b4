use super::*;
use crate::ir::{BinaryOp, Local, Mode, Param, Value};

fn local(k: u32, ty: Ty) -> Expr {
    Expr {
        kind: ExprKind::Local(LocalId(k)),
        ty,
    }
}

fn binary(op: BinaryOp, a: Expr, b: Expr, ty: Ty) -> Expr {
    let kind = ExprKind::Binary(op, Box::new(a), Box::new(b), 1);
    Expr { kind, ty }
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, line: 7 }
}

fn one() -> Expr {
    Expr::constant(Value::U32(1))
}

/// `fn half(n: u32) -> u32 { n / 2 }` and
/// `fn count(n: u32) -> u32 { let k = 0; loop { if k >= half(n) { break } } step { k = k + 1 } return k }`.
fn program() -> Program {
    let n = || local(0, Ty::U32);
    let k = || local(1, Ty::U32);
    let two = Expr::constant(Value::U32(2));
    let half = Function {
        name: "half",
        file: "here.rs",
        params: vec![Param {
            local: LocalId(0),
            mode: Mode::In,
        }],
        ret: Ty::U32,
        fast_math: false,
        implied: Vec::new(),
        locals: vec![Local {
            name: "n",
            ty: Ty::U32,
        }],
        body: vec![stmt(StmtKind::Return(Some(binary(
            BinaryOp::Div,
            n(),
            two,
            Ty::U32,
        ))))],
    };
    let call = Expr {
        kind: ExprKind::Call(FnId(0), vec![n()]),
        ty: Ty::U32,
    };
    let done = binary(BinaryOp::Ge, k(), call, Ty::Bool);
    let next = binary(BinaryOp::Add, k(), one(), Ty::U32);
    let count = Function {
        name: "count",
        file: "here.rs",
        params: vec![Param {
            local: LocalId(0),
            mode: Mode::In,
        }],
        ret: Ty::U32,
        fast_math: false,
        implied: Vec::new(),
        locals: vec![
            Local {
                name: "n",
                ty: Ty::U32,
            },
            Local {
                name: "k",
                ty: Ty::U32,
            },
        ],
        body: vec![
            stmt(StmtKind::Let(
                LocalId(1),
                Some(Expr::constant(Value::U32(0))),
            )),
            stmt(StmtKind::Loop {
                id: LoopId(0),
                body: vec![stmt(StmtKind::If(
                    done,
                    vec![stmt(StmtKind::Break(LoopId(0)))],
                    vec![],
                ))],
                step: vec![stmt(StmtKind::Assign(Place::local(LocalId(1)), next))],
            }),
            stmt(StmtKind::Return(Some(k()))),
        ],
    };
    Program {
        functions: vec![half, count],
    }
}

/// The fault of the program after a change of `count`.
fn fault_of(change: impl FnOnce(&mut Function)) -> Fault {
    let mut program = program();
    change(&mut program.functions[1]);
    let invalid = check(&program).unwrap_err();
    assert_eq!(invalid.function, "count");
    invalid.fault
}

fn loop_parts(f: &mut Function) -> (&mut Block, &mut Block) {
    match &mut f.body[1].kind {
        StmtKind::Loop { body, step, .. } => (body, step),
        other => panic!("{other:?}"),
    }
}

fn wrong_type(fault: &Fault) -> bool {
    matches!(fault, Fault::Type { .. })
}

#[test]
fn the_unchanged_program_is_valid() {
    check(&program()).unwrap();
}

#[test]
fn every_path_returns() {
    assert_eq!(fault_of(|f| drop(f.body.pop())), Fault::NoReturn);
    // Without a `break`, the loop itself never ends, and what follows it is dead.
    assert_eq!(fault_of(|f| loop_parts(f).0.clear()), Fault::Unreachable);
}

#[test]
fn a_loop_without_break_ends_a_path() {
    let mut program = program();
    let f = &mut program.functions[1];
    loop_parts(f).0.clear();
    f.body.pop();
    check(&program).unwrap();
}

#[test]
fn types_are_exact() {
    let float = || Expr::constant(Value::F32(1.0));
    assert!(wrong_type(&fault_of(
        |f| f.body[0].kind = StmtKind::Let(LocalId(1), Some(float()))
    )));
    assert!(wrong_type(&fault_of(
        |f| f.body[2].kind = StmtKind::Return(Some(float()))
    )));
    assert!(wrong_type(&fault_of(
        |f| f.body[2].kind = StmtKind::Return(None)
    )));
    let mixed = binary(BinaryOp::Add, one(), float(), Ty::U32);
    assert!(wrong_type(&fault_of(
        |f| f.body[2].kind = StmtKind::Return(Some(mixed))
    )));
    let lying = Expr {
        ty: Ty::U32,
        ..float()
    };
    assert!(wrong_type(&fault_of(
        |f| f.body[2].kind = StmtKind::Return(Some(lying))
    )));
}

#[test]
fn conditions_are_bool() {
    let fault = fault_of(|f| f.body[1].kind = StmtKind::If(one(), vec![], vec![]));
    assert!(wrong_type(&fault));
}

#[test]
fn operators_and_methods_fit_their_operands() {
    let negated = Expr {
        kind: ExprKind::Unary(UnaryOp::Neg, Box::new(one())),
        ty: Ty::U32,
    };
    let root = Expr {
        kind: ExprKind::Builtin(Builtin::Sqrt, vec![one()], 7),
        ty: Ty::U32,
    };
    let truth = Expr {
        kind: ExprKind::Cast(Box::new(one())),
        ty: Ty::Bool,
    };
    for e in [negated, root, truth] {
        let fault = fault_of(|f| f.body[1].kind = StmtKind::Eval(e));
        assert!(matches!(fault, Fault::Undefined(..)), "{fault:?}");
    }
}

#[test]
fn locals_are_declared_once_and_before_use() {
    assert_eq!(fault_of(|f| drop(f.body.remove(0))), Fault::Undeclared(1));
    assert_eq!(fault_of(|f| drop(f.locals.pop())), Fault::Undeclared(1));
    assert_eq!(
        fault_of(|f| f.body.insert(1, f.body[0].clone())),
        Fault::Redeclared(1)
    );
    assert_eq!(fault_of(|f| f.locals[1].ty = Ty::Unit), Fault::UnitLocal(1));
}

#[test]
fn a_local_ends_with_its_block() {
    let fault = fault_of(|f| {
        let declaration = f.body.remove(0);
        let both = StmtKind::If(Expr::constant(Value::Bool(true)), vec![declaration], vec![]);
        f.body.insert(0, stmt(both));
    });
    assert_eq!(fault, Fault::Undeclared(1));
}

#[test]
fn jumps_stay_inside() {
    let stray = || stmt(StmtKind::Break(LoopId(3)));
    assert_eq!(
        fault_of(|f| loop_parts(f).0.push(stray())),
        Fault::NoLoop(3)
    );
    let jump = || stmt(StmtKind::Return(Some(one())));
    assert_eq!(
        fault_of(|f| loop_parts(f).1.push(jump())),
        Fault::JumpInStep
    );
    assert_eq!(fault_of(|f| f.body.push(jump())), Fault::Unreachable);
    let inner = || StmtKind::Loop {
        id: LoopId(0),
        body: vec![],
        step: vec![],
    };
    assert_eq!(
        fault_of(|f| loop_parts(f).0.push(stmt(inner()))),
        Fault::NestedName(0)
    );
}

#[test]
fn callees_come_first_and_get_what_they_want() {
    let call = |id, args| Expr {
        kind: ExprKind::Call(FnId(id), args),
        ty: Ty::U32,
    };
    let with = |e| fault_of(|f| f.body[1].kind = StmtKind::Eval(e));
    assert_eq!(with(call(1, vec![one()])), Fault::Forward(1));
    assert!(matches!(
        with(call(0, vec![])),
        Fault::Count {
            found: 0,
            expected: 1,
            ..
        }
    ));
    assert!(wrong_type(&with(call(
        0,
        vec![Expr::constant(Value::Bool(true))]
    ))));
}

#[test]
fn fields_exist() {
    let field = Expr {
        kind: ExprKind::Field(Box::new(one()), 0),
        ty: Ty::U32,
    };
    let fault = fault_of(|f| f.body[1].kind = StmtKind::Eval(field));
    assert_eq!(fault, Fault::NoField(Ty::U32, 0));
    let place = Place {
        local: LocalId(1),
        path: vec![super::super::Step::Field(2)],
    };
    let fault = fault_of(|f| f.body[1].kind = StmtKind::Assign(place, one()));
    assert_eq!(fault, Fault::NoField(Ty::U32, 2));
}
