//! Checks as a kernel: each element says which of them it is about.

use super::{
    ask::Class,
    checks::{self, Check},
};
use skel_core::{
    ir::{
        BinaryOp, Expr, FnId, Function, Local, LocalId, Mode, Param, Place, Program, Stmt,
        StmtKind, Ty, Value,
    },
    plan::{Argument, Kernel, Pattern, Role},
};

/// `fn(check: u32, x: T, y: T) -> bits`.
pub(super) fn kernel(class: Class, checks: &[Check]) -> Kernel {
    let inputs = [Ty::U32, class.operand(), class.operand()];
    let stmt = |kind| Stmt { kind, line: 0 };
    let nothing = match class.result() {
        Ty::U64 => Value::U64(0),
        _ => Value::U32(0),
    };
    let answer = LocalId(3);
    let mut body = vec![stmt(StmtKind::Let(answer, Some(Expr::constant(nothing))))];
    for (number, check) in (0..).zip(checks) {
        let asked = Expr::binary(
            BinaryOp::Eq,
            Expr::local(LocalId(0), Ty::U32),
            Expr::constant(Value::U32(number)),
            0,
        );
        // No jump: compilers that mask lanes have room for few.
        let given = stmt(StmtKind::Assign(Place::local(answer), check.expr.clone()));
        body.push(stmt(StmtKind::If(asked, vec![given], Vec::new())));
    }
    let result = Expr::local(answer, class.result());
    body.push(stmt(StmtKind::Return(Some(result))));
    let names = ["check", "x", "y", "answer"];
    let function = Function {
        name: "arithmetic",
        file: file!(),
        params: (0..3)
            .map(|k| Param {
                local: LocalId(k),
                mode: Mode::In,
            })
            .collect(),
        ret: class.result(),
        locals: names
            .into_iter()
            .zip(inputs.iter().cloned().chain([class.result()]))
            .map(|(name, ty)| Local { name, ty })
            .collect(),
        body,
        fast_math: false,
        implied: Vec::new(),
    };
    let read = inputs.into_iter().map(|ty| Argument { role: Role::In, ty });
    let written = Argument {
        role: Role::Out,
        ty: class.result(),
    };
    let mut functions = checks::functions(class);
    let asking = FnId(functions.len());
    functions.push(function);
    let program = Program { functions };
    let arguments = read.chain([written]).collect();
    Kernel::new(Pattern::Elementwise, program, asking, None, None, arguments)
}
