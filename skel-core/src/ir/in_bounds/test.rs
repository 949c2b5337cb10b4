use super::*;
use crate::ir::Local;

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, line: 1 }
}

fn number(value: usize) -> Expr {
    Expr::constant(Value::Usize(value))
}

/// `for i in 0..4 { … for k in 0..4 { array[k] } … }`, so many loops deep.
fn nest(depth: u32) -> Program {
    let array = Ty::array(Ty::U32, 4);
    let counter = |k: u32| Expr::local(LocalId(k + 1), Ty::Usize);
    let element = ExprKind::Index(
        Box::new(Expr::local(LocalId(0), array.clone())),
        Box::new(counter(depth - 1)),
        1,
    );
    let (kind, ty) = (element, Ty::U32);
    let mut body = vec![stmt(StmtKind::Eval(Expr { kind, ty }))];
    for k in (0..depth).rev() {
        let id = LoopId(k);
        let ends = Expr::binary(BinaryOp::Ge, counter(k), number(4), 1);
        let leave = StmtKind::If(ends, vec![stmt(StmtKind::Break(id))], Vec::new());
        body.insert(0, stmt(leave));
        let next = Expr::binary(BinaryOp::Add, counter(k), number(1), 1);
        let step = vec![stmt(StmtKind::Assign(Place::local(LocalId(k + 1)), next))];
        body = vec![
            stmt(StmtKind::Let(LocalId(k + 1), Some(number(0)))),
            stmt(StmtKind::Loop { id, body, step }),
        ];
    }
    let local = |name, ty| Local { name, ty };
    let counters = (0..depth).map(|_| local("i", Ty::Usize));
    let function = Function {
        name: "nest",
        file: "here.rs",
        params: Vec::new(),
        ret: Ty::Unit,
        fast_math: false,
        implied: Vec::new(),
        locals: std::iter::once(local("array", array))
            .chain(counters)
            .collect(),
        body,
    };
    Program {
        functions: vec![function],
    }
}

#[test]
fn loops_in_loops_are_gone_through_until_it_takes_too_long() {
    assert_eq!(never_traps_from(&nest(1)), Some(0));
    assert_eq!(never_traps_from(&nest(5)), Some(0));
    // Two rounds at least of each: of forty, more than there is time for.
    assert_eq!(never_traps_from(&nest(40)), None);
}
