//! Kernels whose sources are kept.

#[path = "lined.rs"]
mod lined;
#[path = "neighbourhoods.rs"]
pub(crate) mod neighbourhoods;
#[path = "swept.rs"]
mod swept;

use crate::ir::*;
use skel_core::{
    ir::{
        Arg, BinaryOp, Builtin, Expr, ExprKind, FnId, LocalId, LoopId, Mode, Param, Place, Step,
        Stmt, StmtKind, TrapKind, Ty, Value, ViewKind,
    },
    plan::{IndexKind, Kernel, Role},
};
use std::sync::Arc;

/// Name and kernel.
pub(crate) fn all() -> Vec<(&'static str, Arc<Kernel>)> {
    let mut all = vec![
        ("saxpy", saxpy()),
        ("in_place", in_place()),
        ("indexed", indexed()),
        ("trapping_map", trapping_map()),
        ("trapping_fold", trapping_fold()),
        ("dot", dot()),
        ("prefixes", prefixes()),
        ("quotients", quotients()),
        ("loops", loops()),
        ("power", power()),
        ("particles", particles()),
        ("matvec", matvec()),
        ("mutable", mutable()),
        ("narrow", narrow()),
        ("dice", dice()),
        ("strided", strided()),
        ("along", along_rows()),
        ("along_lanes", along_lanes()),
        ("along_heavy", along_heavy()),
    ];
    all.extend(neighbourhoods::all());
    all.extend(swept::all());
    all.extend(lined::all());
    all
}

/// Inclusive, of structs: `|(a, b), (c, d)| (a * c, b * c + d)`.
fn prefixes() -> Arc<Kernel> {
    let ty = Ty::structure("Affine", &[("a", Ty::U32), ("b", Ty::U32)]);
    let (f, g) = (local(0, ty.clone()), local(1, ty.clone()));
    let of = |value: &Expr, k| field(value.clone(), k, Ty::U32);
    let scaled = binary(BinaryOp::Mul, of(&f, 0), of(&g, 0));
    let shifted = binary(BinaryOp::Mul, of(&f, 1), of(&g, 0));
    let shifted = binary(BinaryOp::Add, shifted, of(&g, 1));
    let then = Expr {
        kind: ExprKind::Struct(vec![scaled, shifted]),
        ty: ty.clone(),
    };
    let two = [ty.clone(), ty.clone()];
    scan(
        formula("same", std::slice::from_ref(&ty), f.clone()),
        formula("then", &two, then),
        formula("prefix", &two, f),
        false,
        &[(Role::In, ty.clone()), (Role::Out, ty)],
    )
}

/// Exclusive, with an operator that traps, and a value for all that is written.
fn quotients() -> Arc<Kernel> {
    let i = || Ty::I32;
    let quotient = binary(BinaryOp::Div, local(0, i()), local(1, i()));
    let shown = binary(BinaryOp::Add, local(0, i()), local(2, i()));
    scan(
        formula("same", &[i(), i()], local(0, i())),
        formula("quotient", &[i(), i()], quotient),
        formula("shown", &[i(), i(), i()], shown),
        true,
        &[(Role::In, i()), (Role::Uniform, i()), (Role::Out, i())],
    )
}

/// The difference of an element at equal distances and one of three dimensions of its own.
fn strided() -> Arc<Kernel> {
    let i = || Ty::I32;
    let difference = binary(BinaryOp::Sub, local(0, i()), local(1, i()));
    map(
        vec![formula("difference", &[i(), i()], difference)],
        None,
        &[
            (Role::Strided(1), i()),
            (Role::Strided(3), i()),
            (Role::Out, i()),
        ],
    )
}

/// Sums of quotients: the function traps.
fn along_lanes() -> Arc<Kernel> {
    let i = || Ty::I32;
    let sum = binary(BinaryOp::Add, local(0, i()), local(1, i()));
    along(
        formula("ratio", &[i(), i()], ratio()),
        (formula("sum", &[i(), i()], sum), true),
        None,
        &[
            (Role::Strided(2), i()),
            (Role::Strided(2), i()),
            (Role::Out, i()),
        ],
        None,
    )
}

/// Sums of what takes loops.
fn along_heavy() -> Arc<Kernel> {
    let u = || Ty::U32;
    let pairs = loops().program.functions[0].clone();
    let sum = binary(BinaryOp::Add, local(0, u()), local(1, u()));
    along(
        pairs,
        (formula("sum", &[u(), u()], sum), true),
        None,
        &[(Role::Strided(2), u()), (Role::Out, u())],
        None,
    )
}

/// Remainders of quotients, folded by rows from a first value on; function and operator trap.
fn along_rows() -> Arc<Kernel> {
    let i = || Ty::I32;
    let rest = binary_at(21, BinaryOp::Rem, local(0, i()), local(1, i()));
    along(
        formula("ratio", &[i(), i()], ratio()),
        (formula("rest", &[i(), i()], rest), false),
        None,
        &[
            (Role::Strided(2), i()),
            (Role::Strided(2), i()),
            (Role::Uniform, i()),
            (Role::Out, i()),
        ],
        Some(2),
    )
}

/// `|k, x, y| k * x + y` with uniform `k`.
pub(crate) fn saxpy() -> Arc<Kernel> {
    let f = || Ty::F32;
    let product = binary(BinaryOp::Mul, local(0, f()), local(1, f()));
    let sum = binary(BinaryOp::Add, product, local(2, f()));
    map(
        vec![formula("saxpy", &[f(), f(), f()], sum)],
        None,
        &[
            (Role::Uniform, f()),
            (Role::In, f()),
            (Role::In, f()),
            (Role::Out, f()),
        ],
    )
}

/// `|a: &mut i32, b| { let before = *a; *a = b - before; before }`
pub(crate) fn in_place() -> Arc<Kernel> {
    let i = || Ty::I32;
    let body = vec![
        init(2, local(0, i())),
        set(0, binary(BinaryOp::Sub, local(1, i()), local(2, i()))),
        give(local(2, i())),
    ];
    let mut f = function("swap", &[i(), i()], &[i()], i(), body);
    f.params[0] = Param {
        local: LocalId(0),
        mode: Mode::InOut,
    };
    map(
        vec![f],
        None,
        &[(Role::InOut, i()), (Role::In, i()), (Role::Out, i())],
    )
}

/// `|at: Index2| at.row * 1000 + at.col`, in `u32`: it cannot trap.
pub(crate) fn indexed() -> Arc<Kernel> {
    let at = index_ty(IndexKind::Index2);
    let [row, col] = [0, 1].map(|k| cast(field(local(0, at.clone()), k, Ty::Usize), Ty::U32));
    let thousand = constant(Value::U32(1000));
    let e = binary(BinaryOp::Add, binary(BinaryOp::Mul, row, thousand), col);
    map(
        vec![formula("place", &[at], e)],
        Some((0, IndexKind::Index2)),
        &[(Role::Out, Ty::U32)],
    )
}

fn ratio() -> Expr {
    binary_at(11, BinaryOp::Div, local(0, Ty::I32), local(1, Ty::I32))
}

/// A division in a callee, looked at by the caller.
fn trapping_map() -> Arc<Kernel> {
    let i = || Ty::I32;
    let callee = formula("ratio", &[i(), i()], ratio());
    let quotient = call(0, vec![local(0, i()), local(1, i())], i());
    let body = vec![
        init(2, quotient),
        stmt(StmtKind::If(
            binary(BinaryOp::Lt, local(2, i()), constant(Value::I32(0))),
            vec![set(0, constant(Value::I32(i32::MIN)))],
            vec![],
        )),
        give(binary(BinaryOp::Add, local(0, i()), local(2, i()))),
    ];
    let caller = function("caller", &[i(), i()], &[i()], i(), body);
    map(
        vec![callee, caller],
        None,
        &[(Role::In, i()), (Role::In, i()), (Role::Out, i())],
    )
}

/// Traps in the element function and in the operator.
fn trapping_fold() -> Arc<Kernel> {
    let i = || Ty::I32;
    let rest = binary_at(21, BinaryOp::Rem, local(0, i()), local(1, i()));
    let operator = formula("rest", &[i(), i()], rest);
    let element = formula("ratio", &[i(), i()], ratio());
    fold(
        element,
        operator,
        false,
        None,
        &[(Role::In, i()), (Role::In, i())],
    )
}

/// The sum of products.
fn dot() -> Arc<Kernel> {
    let f = || Ty::F32;
    let product = formula(
        "mult",
        &[f(), f()],
        binary(BinaryOp::Mul, local(0, f()), local(1, f())),
    );
    let sum = formula(
        "add",
        &[f(), f()],
        binary(BinaryOp::Add, local(0, f()), local(1, f())),
    );
    fold(
        product,
        sum,
        true,
        None,
        &[(Role::In, f()), (Role::In, f())],
    )
}

/// `powf`, which brings the most helpers with it.
fn power() -> Arc<Kernel> {
    let args = vec![local(0, Ty::F32), local(1, Ty::F32)];
    map_of("power", &[Ty::F32, Ty::F32], builtin(Builtin::Powf, args))
}

/// Counts pairs (i, j) below n until one multiplies to n, without rows that are multiples of 3:
/// `break` and `continue` of the outer loop, from the inner one.
pub(crate) fn loops() -> Arc<Kernel> {
    let u = || Ty::U32;
    let (n, count, i, j) = (local(0, u()), local(1, u()), local(2, u()), local(3, u()));
    let zero = || constant(Value::U32(0));
    let plus_one = |e: &Expr| binary(BinaryOp::Add, e.clone(), constant(Value::U32(1)));
    let when = |c, then: Vec<Stmt>| stmt(StmtKind::If(c, then, vec![]));
    let leave = |id| stmt(StmtKind::Break(LoopId(id)));
    let is_third = binary(
        BinaryOp::Eq,
        binary(BinaryOp::Rem, i.clone(), constant(Value::U32(3))),
        zero(),
    );
    let is_product = binary(
        BinaryOp::Eq,
        binary(BinaryOp::Mul, i.clone(), j.clone()),
        n.clone(),
    );
    let inner = vec![
        when(binary(BinaryOp::Ge, j.clone(), n.clone()), vec![leave(1)]),
        when(is_third, vec![stmt(StmtKind::Continue(LoopId(0)))]),
        when(is_product, vec![leave(0)]),
        set(1, plus_one(&count)),
    ];
    let next = stmt(StmtKind::Assign(Place::local(LocalId(3)), plus_one(&j)));
    let outer = vec![
        when(binary(BinaryOp::Ge, i.clone(), n), vec![leave(0)]),
        init(3, zero()),
        stmt(StmtKind::Loop {
            id: LoopId(1),
            body: inner,
            step: vec![next],
        }),
    ];
    let body = vec![
        init(1, zero()),
        init(2, zero()),
        stmt(StmtKind::Loop {
            id: LoopId(0),
            body: outer,
            step: vec![set(2, plus_one(&i))],
        }),
        give(count),
    ];
    let f = function("pairs", &[u()], &[u(), u(), u()], u(), body);
    map(vec![f], None, &[(Role::In, u()), (Role::Out, u())])
}

fn particle() -> Ty {
    let position = Ty::array(Ty::F32, 3);
    Ty::structure(
        "Particle",
        &[
            ("position", position),
            ("mass", Ty::F64),
            ("alive", Ty::Bool),
        ],
    )
}

/// `|p: &mut Particle, axis: usize, #[uniform] by: (f32, u8)| p.position[axis] += by.0 * TABLE[axis]`
fn particles() -> Arc<Kernel> {
    let (p, by) = (particle(), Ty::tuple([Ty::F32, Ty::U8]));
    let axis = || local(1, Ty::Usize);
    let position = field(local(0, p.clone()), 0, Ty::array(Ty::F32, 3));
    let table = [0.5, 1.0, 2.0].map(Value::F32).to_vec();
    let table = constant(Value::array(&Ty::array(Ty::F32, 3), table));
    let step = binary(
        BinaryOp::Mul,
        field(local(2, by.clone()), 0, Ty::F32),
        index(table, axis()),
    );
    let to = place(0, vec![Step::Field(0), Step::Index(axis(), 8)]);
    let body = vec![store(
        to,
        binary(BinaryOp::Add, index(position, axis()), step),
    )];
    let params = [p.clone(), Ty::Usize, by.clone()];
    let f = inout(function("drift", &params, &[], Ty::Unit, body), 0);
    let args = [(Role::InOut, p), (Role::In, Ty::Usize), (Role::Uniform, by)];
    map(vec![f], None, &args)
}

/// A row of a matrix times a vector, in two functions: one version each for what they read.
fn matvec() -> Arc<Kernel> {
    let row = || Ty::view(Ty::F32, ViewKind::Row);
    let slice = || Ty::view(Ty::F32, ViewKind::Whole { rank: 1 });
    let i = || local(2, Ty::Usize);
    let product = binary(
        BinaryOp::Mul,
        at(local(0, row()), vec![i()]),
        at(local(1, slice()), vec![i()]),
    );
    let term = formula("term", &[row(), slice(), Ty::Usize], product);
    let (total, i) = (|| local(2, Ty::F32), || local(3, Ty::Usize));
    let done = binary(BinaryOp::Ge, i(), extent(local(0, row()), 0));
    let term_of = call(0, vec![local(0, row()), local(1, slice()), i()], Ty::F32);
    let body = vec![
        init(2, constant(Value::F32(0.0))),
        init(3, size(0)),
        stmt(StmtKind::Loop {
            id: LoopId(0),
            body: vec![
                stmt(StmtKind::If(done, vec![give(total())], vec![])),
                set(2, binary(BinaryOp::Add, total(), term_of)),
            ],
            step: vec![set(3, binary(BinaryOp::Add, i(), size(1)))],
        }),
    ];
    let f = function(
        "matvec",
        &[row(), slice()],
        &[Ty::F32, Ty::Usize],
        Ty::F32,
        body,
    );
    let args = [
        (Role::View, row()),
        (Role::View, slice()),
        (Role::Out, Ty::F32),
    ];
    map(vec![term, f], None, &args)
}

/// A call that writes to a local and to an element, and a panic.
fn mutable() -> Arc<Kernel> {
    let u = || Ty::U32;
    let sum = binary(BinaryOp::Add, local(0, u()), local(1, u()));
    let swap = vec![set(1, sum), set(0, constant(Value::U32(0)))];
    let swap = function("move_all", &[u(), u()], &[], Ty::Unit, swap);
    let swap = inout(inout(swap, 0), 1);
    let pair = Ty::array(u(), 2);
    let at = cast(local(0, u()), Ty::Usize);
    let body = vec![
        stmt(StmtKind::If(
            binary(BinaryOp::Gt, local(0, u()), constant(Value::U32(1))),
            vec![stmt(StmtKind::Trap(TrapKind::Panic("no such side")))],
            vec![],
        )),
        init(1, repeated(&pair, local(0, u()))),
        init(2, constant(Value::U32(7))),
        stmt(StmtKind::Call {
            result: None,
            callee: FnId(0),
            args: vec![
                Arg::Place(place(2, vec![])),
                Arg::Place(place(1, vec![Step::Index(at, 12)])),
            ],
        }),
        give(local(1, pair.clone())),
    ];
    let f = function("sides", &[u()], &[pair.clone(), u()], pair.clone(), body);
    map(vec![swap, f], None, &[(Role::In, u()), (Role::Out, pair)])
}

/// Narrow and wide integers.
fn narrow() -> Arc<Kernel> {
    let (a, b) = (local(0, Ty::I8), local(1, Ty::I64));
    let wrapped = binary(BinaryOp::Mul, a.clone(), a);
    let e = binary(BinaryOp::Rem, cast(wrapped, Ty::I64), b);
    map_of("narrow", &[Ty::I8, Ty::I64], cast(e, Ty::U16))
}

/// One draw of a generator of three words; two outputs.
fn dice() -> Arc<Kernel> {
    let names = ["seed", "seed_high", "call", "index", "index_high"];
    let ty = Ty::structure("Random", &names.map(|name| (name, Ty::U32)));
    let result = Ty::tuple([Ty::U32, Ty::F32]);
    let word = |k| field(local(0, ty.clone()), k, Ty::U32);
    let mixed = binary(BinaryOp::BitXor, word(0), word(3));
    let e = made(&result, vec![mixed.clone(), cast(mixed, Ty::F32)]);
    let f = inout(formula("dice", std::slice::from_ref(&ty), e), 0);
    let kernel = map(vec![f], None, &[(Role::Out, Ty::U32), (Role::Out, Ty::F32)]);
    Arc::new(Kernel::clone(&kernel).with_random(0))
}
