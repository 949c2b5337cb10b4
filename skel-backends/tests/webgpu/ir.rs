//! IR by hand, for kernels that no macro wrote.

use skel_core::{
    ir::{
        BinaryOp, Block, Builtin, Expr, ExprKind, FnId, Function, Local, LocalId, Mode, Param,
        Place, Program, Step, Stmt, StmtKind, Ty, UnaryOp, Value,
    },
    plan::{Argument, Emission, IndexKind, Kernel, Pattern, Role},
};
use std::sync::Arc;

pub(crate) const FILE: &str = "src/user.rs";

pub(crate) fn constant(value: Value) -> Expr {
    Expr::constant(value)
}

pub(crate) fn local(id: u32, ty: Ty) -> Expr {
    Expr::local(LocalId(id), ty)
}

pub(crate) fn field(whole: Expr, position: usize, ty: Ty) -> Expr {
    Expr {
        kind: ExprKind::Field(Box::new(whole), position),
        ty,
    }
}

/// On line 7.
pub(crate) fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    binary_at(7, op, a, b)
}

pub(crate) fn binary_at(line: u32, op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::binary(op, a, b, line)
}

pub(crate) fn unary(op: UnaryOp, a: Expr) -> Expr {
    Expr::unary(op, a)
}

pub(crate) fn cast(a: Expr, ty: Ty) -> Expr {
    Expr::cast(a, ty)
}

/// On line 9.
pub(crate) fn builtin(builtin: Builtin, args: Vec<Expr>) -> Expr {
    Expr::builtin(builtin, args, 9)
}

pub(crate) fn call(callee: usize, args: Vec<Expr>, ty: Ty) -> Expr {
    Expr {
        kind: ExprKind::Call(FnId(callee), args),
        ty,
    }
}

pub(crate) fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, line: 5 }
}

pub(crate) fn give(e: Expr) -> Stmt {
    stmt(StmtKind::Return(Some(e)))
}

pub(crate) fn set(id: u32, e: Expr) -> Stmt {
    stmt(StmtKind::Assign(Place::local(LocalId(id)), e))
}

pub(crate) fn init(id: u32, e: Expr) -> Stmt {
    stmt(StmtKind::Let(LocalId(id), Some(e)))
}

/// A function whose parameters are the first locals; more locals follow them.
pub(crate) fn function(
    name: &'static str,
    params: &[Ty],
    more: &[Ty],
    ret: Ty,
    body: Block,
) -> Function {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let locals = params
        .iter()
        .chain(more)
        .enumerate()
        .map(|(k, ty)| Local {
            name: names[k % names.len()],
            ty: ty.clone(),
        })
        .collect();
    let params = (0..)
        .zip(params)
        .map(|(k, _)| Param {
            local: LocalId(k),
            mode: Mode::In,
        })
        .collect();
    Function {
        name,
        file: FILE,
        params,
        ret,
        locals,
        body,
        fast_math: false,
        implied: Vec::new(),
    }
}

/// A function that gives one expression of its parameters.
pub(crate) fn formula(name: &'static str, params: &[Ty], e: Expr) -> Function {
    let ret = e.ty.clone();
    function(name, params, &[], ret, vec![give(e)])
}

pub(crate) fn arguments(list: &[(Role, Ty)]) -> Vec<Argument> {
    list.iter()
        .map(|(role, ty)| Argument {
            role: *role,
            ty: ty.clone(),
        })
        .collect()
}

/// A map: the last function is applied.
pub(crate) fn map(
    functions: Vec<Function>,
    index: Option<(usize, IndexKind)>,
    args: &[(Role, Ty)],
) -> Arc<Kernel> {
    let entry = FnId(functions.len() - 1);
    let program = Program { functions };
    Arc::new(Kernel::new(
        Pattern::Elementwise,
        program,
        entry,
        None,
        index,
        arguments(args),
    ))
}

/// A map of one expression over inputs of these types.
pub(crate) fn map_of(name: &'static str, params: &[Ty], e: Expr) -> Arc<Kernel> {
    let mut args: Vec<(Role, Ty)> = params.iter().map(|ty| (Role::In, ty.clone())).collect();
    args.push((Role::Out, e.ty.clone()));
    map(vec![formula(name, params, e)], None, &args)
}

/// A reduction: `operator` after `map`.
pub(crate) fn fold(
    map: Function,
    operator: Function,
    commutative: bool,
    index: Option<(usize, IndexKind)>,
    args: &[(Role, Ty)],
) -> Arc<Kernel> {
    let program = Program {
        functions: vec![map, operator],
    };
    let operator = Some((FnId(1), commutative));
    let args = arguments(args);
    combining(Kernel::new(
        Pattern::Fold,
        program,
        FnId(0),
        operator,
        index,
        args,
    ))
}

/// Grouped as one of a skeleton.
fn combining(kernel: Kernel) -> Arc<Kernel> {
    let value_bytes = kernel.result_ty().size_bytes();
    Arc::new(kernel.combining(value_bytes))
}

/// A scan, of which `emission` says what is written.
pub(crate) fn scan(
    map: Function,
    operator: Function,
    emission: Function,
    exclusive: bool,
    args: &[(Role, Ty)],
) -> Arc<Kernel> {
    let program = Program {
        functions: vec![map, operator, emission],
    };
    let operator = Some((FnId(1), false));
    let kernel = Kernel::new(
        Pattern::Scan,
        program,
        FnId(0),
        operator,
        None,
        arguments(args),
    );
    let function = FnId(2);
    combining(kernel.with_emission(Emission {
        function,
        exclusive,
    }))
}

/// A fold of each row or column: `operator`, and whether it commutes, after `map`; argument `initial` precedes every
/// one, if that is given.
pub(crate) fn along(
    map: Function,
    (operator, commutative): (Function, bool),
    index: Option<(usize, IndexKind)>,
    args: &[(Role, Ty)],
    initial: Option<usize>,
) -> Arc<Kernel> {
    let program = Program {
        functions: vec![map, operator],
    };
    let operator = Some((FnId(1), commutative));
    let (entry, args) = (FnId(0), arguments(args));
    let kernel = Kernel::new(Pattern::Elementwise, program, entry, operator, index, args);
    combining(match initial {
        Some(at) => kernel.with_initial(at),
        None => kernel,
    })
}

pub(crate) fn index_ty(kind: IndexKind) -> Ty {
    match kind {
        IndexKind::Index1 => Ty::structure("Index1", &[("i", Ty::Usize)]),
        IndexKind::Index2 => Ty::structure("Index2", &[("row", Ty::Usize), ("col", Ty::Usize)]),
        IndexKind::Index3 => skel_core::param::Index3::ty(),
        IndexKind::Index4 => skel_core::param::Index4::ty(),
    }
}

/// An element of an array, on line 13.
pub(crate) fn index(array: Expr, at: Expr) -> Expr {
    let ty = match &array.ty {
        Ty::Array(a) => a.elem.clone(),
        other => unreachable!("{other} is no array"),
    };
    Expr {
        kind: ExprKind::Index(Box::new(array), Box::new(at), 13),
        ty,
    }
}

/// An element of a container, on line 14.
pub(crate) fn at(view: Expr, indices: Vec<Expr>) -> Expr {
    let ty = match &view.ty {
        Ty::View(v) => v.elem.clone(),
        other => unreachable!("{other} is no view"),
    };
    Expr {
        kind: ExprKind::At(Box::new(view), indices, 14),
        ty,
    }
}

pub(crate) fn extent(view: Expr, dimension: usize) -> Expr {
    Expr {
        kind: ExprKind::Extent(Box::new(view), dimension),
        ty: Ty::Usize,
    }
}

/// A struct or array from its parts.
pub(crate) fn made(ty: &Ty, parts: Vec<Expr>) -> Expr {
    let kind = match ty {
        Ty::Array(_) => ExprKind::Array(parts),
        _ => ExprKind::Struct(parts),
    };
    Expr {
        kind,
        ty: ty.clone(),
    }
}

pub(crate) fn repeated(ty: &Ty, part: Expr) -> Expr {
    Expr {
        kind: ExprKind::Repeat(Box::new(part)),
        ty: ty.clone(),
    }
}

/// Part of a local.
pub(crate) fn place(id: u32, path: Vec<Step>) -> Place {
    Place {
        local: LocalId(id),
        path,
    }
}

pub(crate) fn store(place: Place, e: Expr) -> Stmt {
    stmt(StmtKind::Assign(place, e))
}

/// Makes parameter `k` a `&mut`.
pub(crate) fn inout(mut f: Function, k: usize) -> Function {
    f.params[k].mode = Mode::InOut;
    f
}

pub(crate) fn size(x: usize) -> Expr {
    constant(Value::Usize(x))
}
