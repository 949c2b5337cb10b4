//! A function that computes elements of one colour, and keeps the others.

use super::Stencil;
use crate::{
    ir::{
        Arg, BinaryOp, Expr, ExprKind, FnId, Function, Imp, Local, LocalId, Mode, Param, Place,
        Stmt, StmtKind, Ty, Value, build::Cx,
    },
    param::{Index1, Index2, Index3, Index4, NeighbourhoodKind, Position, WithRandom},
    user_function::UserFunction,
};
use std::marker::PhantomData;

/// `f` where the sum of the indices is odd (or even, as `ODD` says); elsewhere the centre of the first
/// window. To units it is a function like any other.
pub(super) struct Parity<F, const ODD: bool>(PhantomData<fn() -> F>);

impl<F, P, const ODD: bool> UserFunction<P> for Parity<F, ODD>
where
    P: Stencil,
    F: UserFunction<P, Output = P::Elem, At: Coordinates>,
{
    type At = <F::At as Coordinates>::Full;
    type Output = P::Elem;
    const NAME: &'static str = F::NAME;

    #[inline(always)]
    fn call(at: Self::At, args: P::Args<'_>) -> P::Elem {
        let (sum, at) = F::At::of(at);
        if (sum % 2 == 1) == ODD {
            F::call(at, args)
        } else {
            P::centre(&args)
        }
    }

    fn ir(cx: &mut Cx) -> Imp {
        let inner = F::ir(cx);
        cx.wrap::<(Parity<F, ODD>, P)>(inner, |id, f| wrapper::<F::At, P>(id, f, ODD))
    }
}

/// What a function is given without its being passed, with the indices whose sum is an element's
/// colour.
pub trait Coordinates: Position {
    /// Itself, or, if it has no index, an [`Index4`] beside it.
    type Full: Position;
    /// How many dimensions the index has.
    const DIMENSIONS: usize;
    /// The type of the index, if the function itself has none.
    const ADDS_INDEX: bool = false;

    /// The sum of the indices, and what the function is given.
    fn of(full: Self::Full) -> (usize, Self);

    /// The type of the index in the IR.
    fn index_ty() -> Ty;
}

impl Coordinates for () {
    type Full = Index4;
    const DIMENSIONS: usize = 4;
    const ADDS_INDEX: bool = true;

    #[inline(always)]
    fn of(at: Index4) -> (usize, ()) {
        (Index4::of(at).0, ())
    }

    fn index_ty() -> Ty {
        Index4::ty()
    }
}

macro_rules! index {
    ($index:ident $dimensions:literal $($field:ident)*) => {
        impl Coordinates for $index {
            type Full = $index;
            const DIMENSIONS: usize = $dimensions;

            #[inline(always)]
            fn of(at: $index) -> (usize, $index) {
                (0_usize$(.wrapping_add(at.$field))*, at)
            }

            fn index_ty() -> Ty {
                $index::ty()
            }
        }
    };
}
index!(Index1 1 i);
index!(Index2 2 row col);
index!(Index3 3 plane row col);
index!(Index4 4 volume plane row col);

impl<A: Coordinates> Coordinates for WithRandom<A>
where
    WithRandom<A>: Position,
    WithRandom<A::Full>: Position,
{
    type Full = WithRandom<A::Full>;
    const DIMENSIONS: usize = A::DIMENSIONS;
    const ADDS_INDEX: bool = A::ADDS_INDEX;

    #[inline(always)]
    fn of(full: Self::Full) -> (usize, Self) {
        let (sum, at) = A::of(full.at);
        let random = full.random;
        (sum, WithRandom { at, random })
    }

    fn index_ty() -> Ty {
        A::index_ty()
    }
}

/// The function in the IR: the parameters of `f`, and an index if that has none.
fn wrapper<At: Coordinates, P: Stencil>(id: FnId, f: &Function, odd: bool) -> Function {
    let mut locals = Vec::new();
    let mut local = |name, ty: &Ty| {
        locals.push(Local {
            name,
            ty: ty.clone(),
        });
        LocalId(locals.len() as u32 - 1)
    };
    let mut params = Vec::new();
    for (k, param) in f.params.iter().enumerate() {
        let to = local(f.local(param.local).name, f.param_ty(k));
        params.push(Param {
            local: to,
            mode: param.mode,
        });
    }
    let passed = params.clone();
    let index_ty = At::index_ty();
    let at = match (0..passed.len()).find(|k| *f.param_ty(*k) == index_ty) {
        Some(k) if !At::ADDS_INDEX => passed[k].local,
        _ => {
            let at = local("at", &index_ty);
            params.push(Param {
                local: at,
                mode: Mode::In,
            });
            at
        }
    };
    let result = local("tmp", &f.ret);
    let read = |local: LocalId, ty: &Ty| Expr {
        kind: ExprKind::Local(local),
        ty: ty.clone(),
    };
    let window_ty = <P::First as crate::param::Param>::ty();
    let window = (0..passed.len()).find(|k| *f.param_ty(*k) == window_ty);
    let window = passed[window.unwrap_or(0)].local;
    let zeros = vec![Expr::constant(Value::Isize(0)); P::First::VIEW.rank()];
    let centre = Expr {
        kind: ExprKind::At(Box::new(read(window, &window_ty)), zeros, 0),
        ty: f.ret.clone(),
    };
    let stmt = |kind| Stmt { kind, line: 0 };
    let in_place = passed.iter().any(|param| param.mode == Mode::InOut);
    let args: Vec<Expr> = (passed.iter().enumerate())
        .map(|(k, param)| read(param.local, f.param_ty(k)))
        .collect();
    let compute = if in_place {
        let args = (passed.iter().zip(args))
            .map(|(param, value)| match param.mode {
                Mode::In => Arg::Value(value),
                Mode::InOut => Arg::Place(Place::local(param.local)),
            })
            .collect();
        vec![
            stmt(StmtKind::Let(result, None)),
            stmt(StmtKind::Call {
                result: Some(result),
                callee: id,
                args,
            }),
            stmt(StmtKind::Return(Some(read(result, &f.ret)))),
        ]
    } else {
        let call = Expr {
            kind: ExprKind::Call(id, args),
            ty: f.ret.clone(),
        };
        vec![stmt(StmtKind::Return(Some(call)))]
    };
    let keep = vec![stmt(StmtKind::Return(Some(centre)))];
    let (red, black) = if odd {
        (compute, keep)
    } else {
        (keep, compute)
    };
    Function {
        name: f.name,
        file: f.file,
        params,
        ret: f.ret.clone(),
        locals,
        body: vec![stmt(StmtKind::If(is_odd(read(at, &index_ty)), red, black))],
        fast_math: f.fast_math,
        implied: Vec::new(),
    }
}

/// Whether the sum of an index's fields is odd; in 32 bits, which wrap, since that changes no parity.
fn is_odd(index: Expr) -> Expr {
    let one = || Expr::constant(Value::U32(1));
    let binary = |op, a, b, ty| Expr {
        kind: ExprKind::Binary(op, Box::new(a), Box::new(b), 0),
        ty,
    };
    let Ty::Struct(fields) = &index.ty else {
        unreachable!("an index is a struct")
    };
    let sum = (0..fields.fields.len())
        .map(|k| {
            let field = Expr {
                kind: ExprKind::Field(Box::new(index.clone()), k),
                ty: Ty::Usize,
            };
            Expr {
                kind: ExprKind::Cast(Box::new(field)),
                ty: Ty::U32,
            }
        })
        .reduce(|a, b| binary(BinaryOp::Add, a, b, Ty::U32));
    let sum = sum.unwrap_or_else(one);
    let last = binary(BinaryOp::BitAnd, sum, one(), Ty::U32);
    binary(BinaryOp::Eq, last, one(), Ty::Bool)
}
