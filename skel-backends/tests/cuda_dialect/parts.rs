//! IR by hand: data, places, calls.

use crate::ir::{FILE, binary, cast, constant, local, stmt};
use skel_core::ir::{
    Arg, BinaryOp, Block, Expr, ExprKind, FnId, Function, Local, LocalId, LoopId, Mode, Param,
    Place, Step, Stmt, StmtKind, Ty, Value,
};

pub(crate) fn part(whole: &Expr, position: usize) -> Expr {
    let Ty::Struct(s) = &whole.ty else {
        panic!("{} has no fields", whole.ty)
    };
    Expr {
        ty: s.fields[position].ty.clone(),
        kind: ExprKind::Field(Box::new(whole.clone()), position),
    }
}

pub(crate) fn make(ty: &Ty, fields: Vec<Expr>) -> Expr {
    Expr {
        ty: ty.clone(),
        kind: ExprKind::Struct(fields),
    }
}

pub(crate) fn list(elements: Vec<Expr>) -> Expr {
    Expr {
        ty: Ty::array(elements[0].ty.clone(), elements.len()),
        kind: ExprKind::Array(elements),
    }
}

pub(crate) fn repeat(element: Expr, len: usize) -> Expr {
    Expr {
        ty: Ty::array(element.ty.clone(), len),
        kind: ExprKind::Repeat(Box::new(element)),
    }
}

/// On line 13.
pub(crate) fn index(array: &Expr, at: Expr) -> Expr {
    let Ty::Array(a) = &array.ty else {
        panic!("{} has no elements", array.ty)
    };
    Expr {
        ty: a.elem.clone(),
        kind: ExprKind::Index(Box::new(array.clone()), Box::new(at), 13),
    }
}

/// On line 14.
pub(crate) fn at(view: &Expr, indices: Vec<Expr>) -> Expr {
    let Ty::View(v) = &view.ty else {
        panic!("{} is no view", view.ty)
    };
    Expr {
        ty: v.elem.clone(),
        kind: ExprKind::At(Box::new(view.clone()), indices, 14),
    }
}

pub(crate) fn extent(view: &Expr, dimension: usize) -> Expr {
    Expr {
        ty: Ty::Usize,
        kind: ExprKind::Extent(Box::new(view.clone()), dimension),
    }
}

pub(crate) fn number(n: usize) -> Expr {
    constant(Value::Usize(n))
}

pub(crate) fn int(n: i32) -> Expr {
    constant(Value::I32(n))
}

pub(crate) fn to_usize(e: Expr) -> Expr {
    cast(e, Ty::Usize)
}

pub(crate) fn field_of(id: u32, position: usize) -> Place {
    Place {
        local: LocalId(id),
        path: vec![Step::Field(position)],
    }
}

/// On line 15.
pub(crate) fn element_of(id: u32, index: Expr) -> Place {
    Place {
        local: LocalId(id),
        path: vec![Step::Index(index, 15)],
    }
}

pub(crate) fn assign(place: Place, e: Expr) -> Stmt {
    stmt(StmtKind::Assign(place, e))
}

pub(crate) fn declare(id: u32) -> Stmt {
    stmt(StmtKind::Let(LocalId(id), None))
}

pub(crate) fn invoke(result: Option<u32>, callee: usize, args: Vec<Arg>) -> Stmt {
    stmt(StmtKind::Call {
        result: result.map(LocalId),
        callee: FnId(callee),
        args,
    })
}

pub(crate) fn when(condition: Expr, yes: Block) -> Stmt {
    stmt(StmtKind::If(condition, yes, vec![]))
}

/// `for id in 0..end { body }`; the local `id` is a `usize`.
pub(crate) fn count_to(id: u32, end: Expr, body: Block) -> [Stmt; 2] {
    let i = local(id, Ty::Usize);
    let name = LoopId(id);
    let done = binary(BinaryOp::Ge, i.clone(), end);
    let mut round = vec![when(done, vec![stmt(StmtKind::Break(name))])];
    round.extend(body);
    let next = binary(BinaryOp::Add, i, number(1));
    [
        stmt(StmtKind::Let(LocalId(id), Some(number(0)))),
        stmt(StmtKind::Loop {
            id: name,
            body: round,
            step: vec![assign(Place::local(LocalId(id)), next)],
        }),
    ]
}

/// A function with parameters by value and by `&mut`, which are the first locals; more follow.
pub(crate) fn routine(
    name: &'static str,
    params: &[(Mode, Ty)],
    more: &[Ty],
    ret: Ty,
    body: Block,
) -> Function {
    let types = params.iter().map(|(_, ty)| ty).chain(more);
    Function {
        name,
        file: FILE,
        params: (0..)
            .zip(params)
            .map(|(k, (mode, _))| Param {
                local: LocalId(k),
                mode: *mode,
            })
            .collect(),
        ret,
        locals: types
            .map(|ty| Local {
                name: "v",
                ty: ty.clone(),
            })
            .collect(),
        body,
        fast_math: false,
        implied: Vec::new(),
    }
}
