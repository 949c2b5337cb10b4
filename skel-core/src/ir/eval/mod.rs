//! Interprets a program: what a user function means, step by step.
//!
//! It says where a trap was, which a panic on the CPU does not, and it is the reference that devices
//! and the macros are tested against. It is slow.

mod method;
mod numeric;
mod overflow;

use super::{
    BinaryOp, Block, Expr, ExprKind, FnId, Function, LoopId, Mode, Place, Program, Stmt, StmtKind,
    TrapKind, Value,
};
use crate::Error;

/// What a call gave.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The result; [`Value::Unit`] for functions without one.
    pub result: Value,
    /// The final values of the [`Mode::InOut`] parameters, in order.
    pub inout: Vec<Value>,
}

/// Why and where a call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trap {
    /// Why.
    pub kind: TrapKind,
    /// The line, in `file`.
    pub line: u32,
    /// The user function: perhaps one that the called one calls.
    pub function: &'static str,
    /// Its source file.
    pub file: &'static str,
}

/// Why a call gave nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It trapped.
    Trap(Trap),
    /// It took more steps than it was given, and was here.
    StepLimit {
        /// The user function.
        function: &'static str,
        /// Its source file.
        file: &'static str,
        /// The line in it.
        line: u32,
    },
}

impl Stop {
    /// The error of a call that stopped so, at this element.
    #[must_use]
    pub fn into_error(self, index: Option<usize>) -> Error {
        let (function, file, line, message) = match self {
            Stop::Trap(Trap {
                kind,
                line,
                function,
                file,
            }) => (function, file, line, kind.message()),
            Stop::StepLimit {
                function,
                file,
                line,
            } => (
                function,
                file,
                line,
                "not understood: the search for the cause took too many steps",
            ),
        };
        let (function, file, message) = (function.into(), file.into(), message.into());
        Error::Trap {
            function,
            file,
            line,
            index,
            message,
        }
    }
}

/// Whether integer operators wrap, or trap where they would, as in builds that check for overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// They wrap.
    Wraps,
    /// They trap.
    Traps,
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
) -> Result<Outcome, Stop> {
    call_with(program, function, args, steps, Overflow::Wraps)
}

/// As [`call`], with a say about overflow.
///
/// # Errors
/// As [`call`].
///
/// # Panics
/// As [`call`].
pub fn call_with(
    program: &Program,
    function: FnId,
    args: &[Value],
    mut steps: u64,
    overflow: Overflow,
) -> Result<Outcome, Stop> {
    let function = program.function(function);
    run(program, function, args.to_vec(), &mut steps, overflow)
}

fn run(
    program: &Program,
    function: &Function,
    args: Vec<Value>,
    steps: &mut u64,
    overflow: Overflow,
) -> Result<Outcome, Stop> {
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
        program,
        function,
        locals,
        steps,
        overflow,
    };
    let result = match frame.block(&function.body)? {
        Next::Return(value) => value,
        Next::On | Next::Break(_) | Next::Continue(_) => Value::Unit,
    };
    let params = function.params.iter().filter(|p| p.mode == Mode::InOut);
    let inout = params
        .map(|p| frame.locals[p.local.0 as usize].clone())
        .collect();
    Ok(Outcome { result, inout })
}

/// Where control goes after a statement.
enum Next {
    On,
    Break(LoopId),
    Continue(LoopId),
    Return(Value),
}

struct Frame<'a> {
    program: &'a Program,
    function: &'a Function,
    locals: Vec<Value>,
    steps: &'a mut u64,
    overflow: Overflow,
}

impl Frame<'_> {
    fn block(&mut self, block: &Block) -> Result<Next, Stop> {
        for stmt in block {
            match self.stmt(stmt)? {
                Next::On => {}
                away => return Ok(away),
            }
        }
        Ok(Next::On)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<Next, Stop> {
        self.step(stmt.line)?;
        match &stmt.kind {
            StmtKind::Let(_, None) => {}
            StmtKind::Let(local, Some(value)) => {
                self.locals[local.0 as usize] = self.expr(value, stmt.line)?;
            }
            StmtKind::Assign(place, value) => {
                let value = self.expr(value, stmt.line)?;
                *self.place(place) = value;
            }
            StmtKind::Eval(e) => {
                self.expr(e, stmt.line)?;
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
        let left = self.steps.checked_sub(1).ok_or(Stop::StepLimit {
            function,
            file,
            line,
        })?;
        *self.steps = left;
        Ok(())
    }

    fn place(&mut self, place: &Place) -> &mut Value {
        let mut target = &mut self.locals[place.local.0 as usize];
        for field in &place.fields {
            match target {
                Value::Struct(_, fields) => target = &mut fields[*field],
                other => unreachable!("a field of {other:?} in a valid program"),
            }
        }
        target
    }

    fn truth(&mut self, e: &Expr, line: u32) -> Result<bool, Stop> {
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

    fn all(&mut self, exprs: &[Expr], line: u32) -> Result<Vec<Value>, Stop> {
        exprs.iter().map(|e| self.expr(e, line)).collect()
    }

    fn expr(&mut self, e: &Expr, line: u32) -> Result<Value, Stop> {
        Ok(match &e.kind {
            ExprKind::Const(value) => value.clone(),
            ExprKind::Local(local) => self.locals[local.0 as usize].clone(),
            ExprKind::Field(base, field) => match self.expr(base, line)? {
                Value::Struct(_, fields) => fields[*field].clone(),
                other => unreachable!("a field of {other:?} in a valid program"),
            },
            ExprKind::Struct(fields) => match &e.ty {
                super::Ty::Struct(ty) => Value::Struct(ty.clone(), self.all(fields, line)?),
                other => unreachable!("`{other}` made from fields in a valid program"),
            },
            ExprKind::Unary(op, x) => {
                let x = self.expr(x, line)?;
                if self.overflow == Overflow::Traps && overflow::of_unary(*op, &x) {
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
                if self.overflow == Overflow::Traps
                    && let Some(message) = overflow::of_binary(*op, &a, &b)
                {
                    let at = if *at == 0 { line } else { *at };
                    return Err(self.trap(TrapKind::Overflow(message), at));
                }
                numeric::binary(*op, a, b).map_err(|kind| self.trap(kind, *at))?
            }
            ExprKind::Cast(x) => numeric::cast(&self.expr(x, line)?, &e.ty),
            ExprKind::Builtin(builtin, args, at) => {
                let args = self.all(args, line)?;
                if self.overflow == Overflow::Traps
                    && let Some(message) = method::overflow(*builtin, &args)
                {
                    return Err(self.trap(TrapKind::Overflow(message), *at));
                }
                numeric::builtin(*builtin, &args).map_err(|kind| self.trap(kind, *at))?
            }
            ExprKind::Call(id, args) => {
                let args = self.all(args, line)?;
                let callee = self.program.function(*id);
                run(self.program, callee, args, self.steps, self.overflow)?.result
            }
        })
    }
}
