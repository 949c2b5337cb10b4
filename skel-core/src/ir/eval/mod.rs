//! Interprets a program: what a user function means, step by step.
//!
//! It says where a trap was, which a panic on the CPU does not, and it is the reference that devices
//! and the macros are tested against. It is slow.

mod method;
mod numeric;
mod overflow;
mod place;
mod powi;
mod stop;

use super::{
    Arg, BinaryOp, Block, Expr, ExprKind, FnId, Function, LocalId, LoopId, Mode, Program, Stmt,
    StmtKind, TrapKind, Ty, Value,
};
pub(super) use numeric::{binary, builtin, cast, unary};
pub(crate) use powi::Powi;
pub use stop::{Stop, Trap};

/// What a call gave.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// The result; [`Value::Unit`] for functions without one.
    pub result: Value,
    /// The final values of the [`Mode::InOut`] parameters, in order.
    pub inout: Vec<Value>,
}

/// Whether integer operators wrap, or trap where they would, as in builds that check for overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// They wrap.
    Wraps,
    /// They trap.
    Traps,
}

/// A container that the interpreted function reads at random, or the neighbourhood of its element in
/// one: what a [`Value::View`] stands for.
pub trait View {
    /// How many elements there are in this dimension. Not asked of neighbourhoods, whose type says it.
    fn extent(&self, dimension: usize) -> usize;

    /// The element at these indices, as many as the view's kind has. Of a container, each is at least 0
    /// and less than its extent; of a neighbourhood, within its [`super::ViewKind::reach`].
    fn get(&self, indices: &[isize]) -> Value;

    /// Stores the element at these indices: of lines that are written.
    fn set(&self, indices: &[isize], value: Value) {
        let _ = value;
        unreachable!("an element {indices:?} of a view that is only read, in a valid program")
    }
}

/// What a call is given beside its arguments.
#[derive(Clone, Copy)]
pub struct Env<'a> {
    /// How many statements it may take.
    pub steps: u64,
    /// What overflow does.
    pub overflow: Overflow,
    /// What the numbers of its [`Value::View`]s mean.
    pub views: &'a [&'a dyn View],
}

impl Env<'_> {
    /// At most so many steps; integers wrap; no views.
    #[must_use]
    pub fn steps(steps: u64) -> Env<'static> {
        Env {
            steps,
            overflow: Overflow::Wraps,
            views: &[],
        }
    }
}

/// Calls a function, for at most `steps` statements. Integers wrap.
///
/// # Errors
/// The trap, or that the steps did not suffice.
///
/// # Panics
/// If [`super::valid::check`] rejects the program, or the arguments are not of the types of the
/// parameters.
pub fn call(
    program: &Program,
    function: FnId,
    args: &[Value],
    steps: u64,
) -> Result<Evaluated, Stop> {
    call_with(program, function, args, Env::steps(steps))
}

/// As [`call`], with a say about overflow, and with views.
///
/// # Errors
/// As [`call`].
///
/// # Panics
/// As [`call`]; and if a view has a number that `env` does not know.
pub fn call_with(
    program: &Program,
    function: FnId,
    args: &[Value],
    env: Env<'_>,
) -> Result<Evaluated, Stop> {
    let function = program.function(function);
    let mut machine = Machine {
        program,
        steps: env.steps,
        overflow: env.overflow,
        views: env.views,
    };
    run(&mut machine, function, args.to_vec())
}

/// What all frames share.
struct Machine<'a> {
    program: &'a Program,
    steps: u64,
    overflow: Overflow,
    views: &'a [&'a dyn View],
}

fn run<'a>(
    machine: &mut Machine<'a>,
    function: &'a Function,
    args: Vec<Value>,
) -> Result<Evaluated, Stop> {
    assert_eq!(
        args.len(),
        function.params.len(),
        "arguments of `{}`",
        function.name
    );
    let mut locals: Vec<Value> = function.locals.iter().map(|l| Value::zero(&l.ty)).collect();
    for (k, (param, arg)) in function.params.iter().zip(args).enumerate() {
        assert_eq!(
            &arg.ty(),
            function.param_ty(k),
            "argument {k} of `{}`",
            function.name
        );
        locals[param.local.0 as usize] = arg;
    }
    let mut frame = Frame {
        machine,
        function,
        locals,
    };
    let result = match frame.block(&function.body)? {
        Next::Return(value) => value,
        Next::On | Next::Break(_) | Next::Continue(_) => Value::Unit,
    };
    let params = function.params.iter().filter(|p| p.mode == Mode::InOut);
    let inout = params
        .map(|p| frame.locals[p.local.0 as usize].clone())
        .collect();
    Ok(Evaluated { result, inout })
}

/// Where control goes after a statement.
enum Next {
    On,
    Break(LoopId),
    Continue(LoopId),
    Return(Value),
}

struct Frame<'m, 'a> {
    machine: &'m mut Machine<'a>,
    function: &'a Function,
    locals: Vec<Value>,
}

impl<'a> Frame<'_, 'a> {
    fn block(&mut self, block: &'a Block) -> Result<Next, Stop> {
        for stmt in block {
            match self.stmt(stmt)? {
                Next::On => {}
                away => return Ok(away),
            }
        }
        Ok(Next::On)
    }

    fn stmt(&mut self, stmt: &'a Stmt) -> Result<Next, Stop> {
        self.step(stmt.line)?;
        match &stmt.kind {
            StmtKind::Let(_, None) => {}
            StmtKind::Let(local, Some(value)) => {
                self.locals[local.0 as usize] = self.expr(value, stmt.line)?;
            }
            StmtKind::Assign(place, value) => {
                let value = self.expr(value, stmt.line)?;
                self.store(place, value, stmt.line)?;
            }
            StmtKind::Eval(e) => {
                self.expr(e, stmt.line)?;
            }
            StmtKind::Call {
                result,
                callee,
                args,
            } => self.call(
                *result,
                self.machine.program.function(*callee),
                args,
                stmt.line,
            )?,
            StmtKind::Trap(kind) => return Err(self.trap(*kind, stmt.line)),
            StmtKind::Foreign(_) => {
                let (function, file) = (self.function.name, self.function.file);
                return Err(Stop::Foreign {
                    function,
                    file,
                    line: stmt.line,
                });
            }
            StmtKind::If(condition, yes, no) => {
                let taken = if self.truth(condition, stmt.line)? {
                    yes
                } else {
                    no
                };
                return self.block(taken);
            }
            StmtKind::Loop { id, body, step } => loop {
                // A loop whose round has no statement would otherwise never be stopped.
                self.step(stmt.line)?;
                match self.block(body)? {
                    Next::On => {}
                    Next::Continue(target) if target == *id => {}
                    Next::Break(target) if target == *id => break,
                    away => return Ok(away),
                }
                self.block(step)?;
            },
            StmtKind::Break(id) => return Ok(Next::Break(*id)),
            StmtKind::Continue(id) => return Ok(Next::Continue(*id)),
            StmtKind::Return(None) => return Ok(Next::Return(Value::Unit)),
            StmtKind::Return(Some(value)) => return Ok(Next::Return(self.expr(value, stmt.line)?)),
        }
        Ok(Next::On)
    }

    fn step(&mut self, line: u32) -> Result<(), Stop> {
        let (function, file) = (self.function.name, self.function.file);
        let left = self.machine.steps.checked_sub(1).ok_or(Stop::StepLimit {
            function,
            file,
            line,
        })?;
        self.machine.steps = left;
        Ok(())
    }

    /// Calls a function that writes through `&mut`: copies in, runs, copies out.
    fn call(
        &mut self,
        result: Option<LocalId>,
        callee: &'a Function,
        args: &'a [Arg],
        line: u32,
    ) -> Result<(), Stop> {
        let (mut values, mut places) = (Vec::with_capacity(args.len()), Vec::new());
        for arg in args {
            values.push(match arg {
                Arg::Value(e) => self.expr(e, line)?,
                Arg::Place(place) => {
                    let path = self.path(place, line)?;
                    let value = self.load(place.local, &path);
                    places.push((place.local, path));
                    value
                }
            });
        }
        let outcome = run(self.machine, callee, values)?;
        for ((local, path), value) in places.into_iter().zip(outcome.inout) {
            self.keep(local, &path, value);
        }
        if let Some(local) = result {
            self.locals[local.0 as usize] = outcome.result;
        }
        Ok(())
    }

    /// An index that is less than `len`.
    fn index(&mut self, e: &'a Expr, len: usize, line: u32, at: u32) -> Result<usize, Stop> {
        match self.expr(e, line)? {
            Value::Usize(i) if i < len => Ok(i),
            Value::Usize(_) => Err(self.trap(TrapKind::OutOfRange, or(at, line))),
            other => unreachable!("{other:?} as an index in a valid program"),
        }
    }

    fn truth(&mut self, e: &'a Expr, line: u32) -> Result<bool, Stop> {
        match self.expr(e, line)? {
            Value::Bool(b) => Ok(b),
            other => unreachable!("{other:?} as a condition in a valid program"),
        }
    }

    fn trap(&self, kind: TrapKind, line: u32) -> Stop {
        let (function, file) = (self.function.name, self.function.file);
        Stop::Trap(Trap {
            kind,
            line,
            function,
            file,
        })
    }

    fn all(&mut self, exprs: &'a [Expr], line: u32) -> Result<Vec<Value>, Stop> {
        exprs.iter().map(|e| self.expr(e, line)).collect()
    }

    fn expr(&mut self, e: &'a Expr, line: u32) -> Result<Value, Stop> {
        Ok(match &e.kind {
            ExprKind::Const(value) => value.clone(),
            ExprKind::Local(local) => self.locals[local.0 as usize].clone(),
            ExprKind::Field(base, field) => match self.expr(base, line)? {
                Value::Struct(_, fields) => fields[*field].clone(),
                other => unreachable!("a field of {other:?} in a valid program"),
            },
            ExprKind::Struct(fields) => Value::structure(&e.ty, self.all(fields, line)?),
            ExprKind::Array(elements) => Value::array(&e.ty, self.all(elements, line)?),
            ExprKind::Repeat(element) => {
                let element = self.expr(element, line)?;
                match &e.ty {
                    Ty::Array(a) => Value::Array(a.clone(), vec![element; a.len]),
                    other => unreachable!("`{other}` as an array in a valid program"),
                }
            }
            ExprKind::Index(array, index, at) => {
                let Value::Array(_, elements) = self.expr(array, line)? else {
                    unreachable!("an element of `{}` in a valid program", array.ty)
                };
                let i = self.index(index, elements.len(), line, *at)?;
                elements[i].clone()
            }
            ExprKind::At(view, indices, at) => {
                let Ty::View(ty) = &view.ty else {
                    unreachable!("`{}` read at random in a valid program", view.ty)
                };
                let view = self.view(view, line)?;
                let mut found = Vec::with_capacity(indices.len());
                for index in indices {
                    let index = self.expr(index, line)?.as_integer();
                    found.push(index.expect("an index is an integer in a valid program"));
                }
                // Rust's own bounds check comes after all indices have been evaluated.
                let inside = found.iter().enumerate().map(|(k, at)| {
                    let (first, end) = match ty.kind.reach(k) {
                        Some(reach) => (reach.start.into(), reach.end.into()),
                        None => (0, view.extent(k) as i128),
                    };
                    (first <= *at && *at < end).then_some(*at as isize)
                });
                let Some(inside) = inside.collect::<Option<Vec<isize>>>() else {
                    let kind = match ty.kind.reach(0) {
                        Some(_) => TrapKind::OutOfReach,
                        None => TrapKind::OutOfRange,
                    };
                    return Err(self.trap(kind, or(*at, line)));
                };
                view.get(&inside)
            }
            ExprKind::Extent(view, dimension) => {
                Value::Usize(self.view(view, line)?.extent(*dimension))
            }
            ExprKind::Unary(op, x) => {
                let x = self.expr(x, line)?;
                if self.machine.overflow == Overflow::Traps && overflow::of_unary(*op, &x) {
                    let kind = TrapKind::Overflow("attempt to negate with overflow");
                    return Err(self.trap(kind, line));
                }
                numeric::unary(*op, x)
            }
            ExprKind::Binary(BinaryOp::And, a, b, _) => {
                Value::Bool(self.truth(a, line)? && self.truth(b, line)?)
            }
            ExprKind::Binary(BinaryOp::Or, a, b, _) => {
                Value::Bool(self.truth(a, line)? || self.truth(b, line)?)
            }
            ExprKind::Binary(op, a, b, at) => {
                let (a, b) = (self.expr(a, line)?, self.expr(b, line)?);
                if self.machine.overflow == Overflow::Traps
                    && let Some(message) = overflow::of_binary(*op, &a, &b)
                {
                    return Err(self.trap(TrapKind::Overflow(message), or(*at, line)));
                }
                numeric::binary(*op, a, b).map_err(|kind| self.trap(kind, or(*at, line)))?
            }
            ExprKind::Cast(x) => numeric::cast(&self.expr(x, line)?, &e.ty),
            ExprKind::Builtin(builtin, args, at) => {
                let args = self.all(args, line)?;
                if self.machine.overflow == Overflow::Traps
                    && let Some(message) = method::overflow(*builtin, &args)
                {
                    return Err(self.trap(TrapKind::Overflow(message), or(*at, line)));
                }
                numeric::builtin(*builtin, &args).map_err(|kind| self.trap(kind, or(*at, line)))?
            }
            ExprKind::Call(id, args) => {
                let args = self.all(args, line)?;
                let callee = self.machine.program.function(*id);
                run(self.machine, callee, args)?.result
            }
        })
    }

    fn view(&mut self, e: &'a Expr, line: u32) -> Result<&'a dyn View, Stop> {
        match self.expr(e, line)? {
            Value::View(_, number) => Ok(self.machine.views[number]),
            other => unreachable!("{other:?} read at random in a valid program"),
        }
    }
}

/// The line of an expression; where it has none, that of its statement.
fn or(at: u32, line: u32) -> u32 {
    if at == 0 { line } else { at }
}
