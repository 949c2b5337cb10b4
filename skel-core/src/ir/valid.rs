//! Whether a program is what the other passes take for granted.
//!
//! After [`check`], evaluation and code generation give a value or a trap; they need no error paths
//! of their own. What rustc has proven of the source, as that a variable is assigned before it is
//! read, is not proven again.

mod fault;

pub use fault::{Fault, Invalid};

use super::{
    Arg, Block, Builtin, Expr, ExprKind, FieldTy, FnId, Function, LocalId, LoopId, Mode, Place,
    Program, Step, Stmt, StmtKind, Ty, UnaryOp, ViewKind,
};

/// Checks a program.
///
/// # Errors
/// The first fault.
pub fn check(program: &Program) -> Result<(), Invalid> {
    for (k, function) in program.functions.iter().enumerate() {
        let mut checker = Checker {
            program,
            own: k,
            function,
            declared: vec![false; function.locals.len()],
            visible: Vec::new(),
            loops: Vec::new(),
            in_step: false,
            line: 0,
        };
        if let Err(fault) = checker.function() {
            return Err(Invalid {
                function: function.name,
                line: checker.line,
                fault,
            });
        }
    }
    Ok(())
}

struct Checker<'a> {
    program: &'a Program,
    own: usize,
    function: &'a Function,
    /// Declared anywhere so far.
    declared: Vec<bool>,
    /// Declared here or in a block around here, innermost last.
    visible: Vec<LocalId>,
    loops: Vec<LoopId>,
    in_step: bool,
    line: u32,
}

type Checked = Result<(), Fault>;

impl Checker<'_> {
    fn function(&mut self) -> Checked {
        for (k, local) in self.function.locals.iter().enumerate() {
            if local.ty == Ty::Unit {
                return Err(Fault::UnitLocal(k as u32));
            }
            let mut own = self.function.params.iter();
            let mode = own.find(|p| p.local.0 as usize == k).map(|p| p.mode);
            let view = match (&local.ty, mode) {
                (Ty::View(view), Some(Mode::In)) => &view.elem,
                // Of views, lines are written.
                (Ty::View(view), Some(Mode::InOut)) if view.kind == ViewKind::Line => &view.elem,
                (other, _) => other,
            };
            no_view(view)?;
        }
        no_view(&self.function.ret)?;
        for param in &self.function.params {
            self.declare(param.local)?;
        }
        let ends = self.block(&self.function.body)?;
        if !ends && self.function.ret != Ty::Unit {
            self.line = 0;
            return Err(Fault::NoReturn);
        }
        Ok(())
    }

    fn declare(&mut self, local: LocalId) -> Checked {
        match self.declared.get_mut(local.0 as usize) {
            None => Err(Fault::Undeclared(local.0)),
            Some(true) => Err(Fault::Redeclared(local.0)),
            Some(unseen) => {
                *unseen = true;
                self.visible.push(local);
                Ok(())
            }
        }
    }

    fn use_of(&self, local: LocalId) -> Result<&Ty, Fault> {
        if self.visible.contains(&local) {
            Ok(&self.function.local(local).ty)
        } else {
            Err(Fault::Undeclared(local.0))
        }
    }

    /// Whether control never reaches the end of the block.
    fn block(&mut self, block: &Block) -> Result<bool, Fault> {
        let outside = self.visible.len();
        let mut ended = false;
        for stmt in block {
            self.line = stmt.line;
            if ended {
                return Err(Fault::Unreachable);
            }
            ended = self.stmt(stmt)?;
        }
        self.visible.truncate(outside);
        Ok(ended)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<bool, Fault> {
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                if let Some(value) = value {
                    self.expr(value)?;
                    let declared = self.function.locals.get(local.0 as usize);
                    let declared = declared.ok_or(Fault::Undeclared(local.0))?;
                    same("the value of a local", &value.ty, &declared.ty)?;
                }
                self.declare(*local)?;
            }
            StmtKind::Assign(place, value) => {
                self.expr(value)?;
                no_view(&value.ty)?;
                same("an assigned value", &value.ty, &self.place(place)?)?;
            }
            StmtKind::Eval(e) => self.expr(e)?,
            StmtKind::Call {
                result,
                callee,
                args,
            } => self.call_statement(*result, *callee, args)?,
            StmtKind::Trap(_) | StmtKind::Foreign(_) => {
                // In a step it would be a jump like any other.
                self.jump()?;
                return Ok(true);
            }
            StmtKind::If(condition, yes, no) => {
                self.expr(condition)?;
                same("a condition", &condition.ty, &Ty::Bool)?;
                let yes_ends = self.block(yes)?;
                let no_ends = self.block(no)?;
                return Ok(yes_ends && no_ends);
            }
            StmtKind::Loop { id, body, step } => {
                if self.loops.contains(id) {
                    return Err(Fault::NestedName(id.0));
                }
                self.loops.push(*id);
                self.block(body)?;
                self.loops.pop();
                let outer = std::mem::replace(&mut self.in_step, true);
                self.block(step)?;
                self.in_step = outer;
                return Ok(!breaks_out(body, *id));
            }
            StmtKind::Break(id) | StmtKind::Continue(id) => {
                self.jump()?;
                if !self.loops.contains(id) {
                    return Err(Fault::NoLoop(id.0));
                }
                return Ok(true);
            }
            StmtKind::Return(value) => {
                self.jump()?;
                let found = match value {
                    None => Ty::Unit,
                    Some(value) => {
                        self.expr(value)?;
                        value.ty.clone()
                    }
                };
                same("the returned value", &found, &self.function.ret)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn jump(&self) -> Checked {
        if self.in_step {
            Err(Fault::JumpInStep)
        } else {
            Ok(())
        }
    }

    fn place(&self, place: &Place) -> Result<Ty, Fault> {
        let mut ty = self.use_of(place.local)?;
        for step in &place.path {
            ty = match (step, ty) {
                (Step::Field(field), ty) => &field_of(ty, *field)?.ty,
                (Step::Index(index, _), Ty::Array(array)) => {
                    self.expr(index)?;
                    same("an index", &index.ty, &Ty::Usize)?;
                    &array.elem
                }
                (Step::Index(index, _), Ty::View(view)) if self.is_written(place.local) => {
                    self.expr(index)?;
                    same("an index", &index.ty, &Ty::Usize)?;
                    &view.elem
                }
                (Step::Index(..), ty) => return Err(Fault::NotIndexed(ty.clone())),
            };
        }
        Ok(ty.clone())
    }

    /// Whether it is a parameter that is written.
    fn is_written(&self, local: LocalId) -> bool {
        let mut params = self.function.params.iter();
        params.any(|p| p.local == local && p.mode == Mode::InOut)
    }

    fn call_statement(&self, result: Option<LocalId>, id: FnId, args: &[Arg]) -> Checked {
        if id.0 >= self.own {
            return Err(Fault::Forward(id.0));
        }
        let callee = self.program.function(id);
        count(callee.name, args.len(), callee.params.len())?;
        let mut written = Vec::new();
        for (k, (arg, param)) in args.iter().zip(&callee.params).enumerate() {
            let ty = match (arg, param.mode) {
                (Arg::Value(e), Mode::In) => {
                    self.expr(e)?;
                    e.ty.clone()
                }
                (Arg::Place(place), Mode::InOut) => {
                    if overlaps(&written, place) {
                        return Err(Fault::Overlap(place.local.0));
                    }
                    written.push(place);
                    self.place(place)?
                }
                _ => return Err(Fault::Passed(k)),
            };
            same("an argument", &ty, callee.param_ty(k))?;
        }
        match result {
            None => Ok(()),
            Some(local) => same("a result", self.use_of(local)?, &callee.ret),
        }
    }

    fn expr(&self, e: &Expr) -> Checked {
        match &e.kind {
            ExprKind::Const(value) => same("a constant", &e.ty, &value.ty()),
            ExprKind::Local(local) => same("a local", &e.ty, self.use_of(*local)?),
            ExprKind::Field(base, field) => {
                self.expr(base)?;
                same("a field", &e.ty, &field_of(&base.ty, *field)?.ty)
            }
            ExprKind::Struct(parts) => {
                let Ty::Struct(ty) = &e.ty else {
                    return Err(Fault::NoField(e.ty.clone(), 0));
                };
                count("a struct", parts.len(), ty.fields.len())?;
                for (part, field) in parts.iter().zip(&ty.fields) {
                    self.expr(part)?;
                    same("a field's value", &part.ty, &field.ty)?;
                }
                Ok(())
            }
            ExprKind::Array(parts) => {
                let Ty::Array(array) = &e.ty else {
                    return Err(Fault::NotIndexed(e.ty.clone()));
                };
                count("an array", parts.len(), array.len)?;
                for part in parts {
                    self.expr(part)?;
                    same("an element", &part.ty, &array.elem)?;
                }
                Ok(())
            }
            ExprKind::Repeat(part) => {
                let Ty::Array(array) = &e.ty else {
                    return Err(Fault::NotIndexed(e.ty.clone()));
                };
                self.expr(part)?;
                same("an element", &part.ty, &array.elem)
            }
            ExprKind::Index(base, index, _) => {
                self.expr(base)?;
                self.expr(index)?;
                same("an index", &index.ty, &Ty::Usize)?;
                match &base.ty {
                    Ty::Array(array) => same("an element", &e.ty, &array.elem),
                    other => Err(Fault::NotIndexed(other.clone())),
                }
            }
            ExprKind::At(base, indices, _) => {
                self.expr(base)?;
                let Ty::View(view) = &base.ty else {
                    return Err(Fault::NotIndexed(base.ty.clone()));
                };
                count("the indices of a view", indices.len(), view.kind.rank())?;
                for index in indices {
                    self.expr(index)?;
                    same("an index", &index.ty, &view.kind.index_ty())?;
                }
                same("an element", &e.ty, &view.elem)
            }
            ExprKind::Extent(base, dimension) => {
                self.expr(base)?;
                match &base.ty {
                    Ty::View(view)
                        if *dimension < view.kind.rank()
                            && view.kind.reach(*dimension).is_none() =>
                    {
                        same("an extent", &e.ty, &Ty::Usize)
                    }
                    other => Err(Fault::NotIndexed(other.clone())),
                }
            }
            ExprKind::Unary(op, x) => {
                self.expr(x)?;
                let defined = match op {
                    UnaryOp::Neg => x.ty.is_float() || x.ty.is_signed(),
                    UnaryOp::Not => x.ty == Ty::Bool || x.ty.is_integer(),
                };
                defined_on(defined, op.symbol(), &x.ty)?;
                same("a result", &e.ty, &x.ty)
            }
            ExprKind::Binary(op, a, b, _) => {
                self.expr(a)?;
                self.expr(b)?;
                self.binary(*op, a, b)?;
                let result = if op.is_comparison() { &Ty::Bool } else { &a.ty };
                same("a result", &e.ty, result)
            }
            ExprKind::Cast(x) => {
                self.expr(x)?;
                let half = [&x.ty, &e.ty].contains(&&Ty::F16);
                let defined = if half {
                    [&x.ty, &e.ty].contains(&&Ty::F32)
                } else {
                    x.ty.is_scalar()
                        && (e.ty.is_integer()
                            || e.ty.is_float() && x.ty != Ty::Bool
                            || e.ty == x.ty)
                };
                defined_on(defined, "as", &x.ty)
            }
            ExprKind::Builtin(builtin, args, _) => self.builtin(*builtin, args, &e.ty),
            ExprKind::Call(id, args) => self.call(*id, args, &e.ty),
        }
    }

    fn binary(&self, op: super::BinaryOp, a: &Expr, b: &Expr) -> Checked {
        use super::BinaryOp as Op;
        let (ty, number) = (&a.ty, a.ty.is_integer() || a.ty.is_float());
        let defined = match op {
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem => number,
            Op::BitAnd | Op::BitOr | Op::BitXor => ty.is_integer() || *ty == Ty::Bool,
            Op::Shl | Op::Shr => ty.is_integer() && b.ty.is_integer(),
            Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => ty.is_scalar() && *ty != Ty::F16,
            Op::And | Op::Or => *ty == Ty::Bool,
        };
        defined_on(defined, op.symbol(), ty)?;
        if op.is_shift() {
            Ok(())
        } else {
            same("the right operand", &b.ty, ty)
        }
    }

    fn builtin(&self, builtin: Builtin, args: &[Expr], result: &Ty) -> Checked {
        count(builtin.name(), args.len(), builtin.arity())?;
        for arg in args {
            self.expr(arg)?;
        }
        let receiver = &args[0].ty;
        let defined = Builtin::of(builtin.name(), receiver) == Some(builtin);
        defined_on(defined, builtin.name(), receiver)?;
        for (k, arg) in args.iter().enumerate() {
            same("an argument", &arg.ty, &builtin.argument(k, receiver))?;
        }
        same("a result", result, &builtin.result(receiver))
    }

    fn call(&self, id: FnId, args: &[Expr], result: &Ty) -> Checked {
        if id.0 >= self.own {
            return Err(Fault::Forward(id.0));
        }
        let callee = self.program.function(id);
        count(callee.name, args.len(), callee.params.len())?;
        for (k, arg) in args.iter().enumerate() {
            if callee.params[k].mode != Mode::In {
                return Err(Fault::Passed(k));
            }
            self.expr(arg)?;
            same("an argument", &arg.ty, callee.param_ty(k))?;
        }
        same("a result", result, &callee.ret)
    }
}

/// Whether the place may share memory with one of the others.
fn overlaps(others: &[&Place], place: &Place) -> bool {
    others.iter().any(|other| {
        let apart =
            |(a, b): (&Step, &Step)| matches!((a, b), (Step::Field(a), Step::Field(b)) if a != b);
        other.local == place.local && !other.path.iter().zip(&place.path).any(apart)
    })
}

fn no_view(ty: &Ty) -> Checked {
    if ty.mentions(&|part| matches!(part, Ty::View(_))) {
        Err(Fault::MisplacedView(ty.clone()))
    } else {
        Ok(())
    }
}

/// Whether some statement of the body leaves the loop `id`.
fn breaks_out(body: &Block, id: LoopId) -> bool {
    let mut found = false;
    for stmt in body {
        stmt.walk(&mut |s| found |= matches!(s.kind, StmtKind::Break(target) if target == id));
    }
    found
}

fn same(what: &'static str, found: &Ty, expected: &Ty) -> Checked {
    if found == expected {
        return Ok(());
    }
    Err(Fault::Type {
        what,
        found: found.clone(),
        expected: expected.clone(),
    })
}

fn defined_on(defined: bool, what: &'static str, ty: &Ty) -> Checked {
    if defined {
        Ok(())
    } else {
        Err(Fault::Undefined(what, ty.clone()))
    }
}

fn count(what: &'static str, found: usize, expected: usize) -> Checked {
    if found == expected {
        Ok(())
    } else {
        Err(Fault::Count {
            what,
            found,
            expected,
        })
    }
}

fn field_of(ty: &Ty, field: usize) -> Result<&FieldTy, Fault> {
    let fields = match ty {
        Ty::Struct(s) => s.fields.as_slice(),
        _ => &[],
    };
    fields
        .get(field)
        .ok_or_else(|| Fault::NoField(ty.clone(), field))
}

#[cfg(test)]
mod test;
