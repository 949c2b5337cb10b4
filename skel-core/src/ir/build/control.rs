//! Branches, loops and jumps.

use super::{
    lower::{Dest, Flow, Lower, Malformed, OpenLoop, Result, Variable},
    text::Node,
};
use crate::ir::{
    BinaryOp, Block, Expr, ExprKind, LocalId, LoopId, Place, StmtKind, Ty, UnaryOp, Value,
};

impl Lower<'_> {
    /// `(if condition then else?)`.
    pub(super) fn branch(&mut self, node: &Node, dest: Dest, out: &mut Block) -> Result<bool> {
        let line = self.line;
        let Some(condition) = self.condition(node.part(0)?, out)? else {
            return Ok(false);
        };
        let (mut yes, mut no) = (Block::new(), Block::new());
        let yes_falls = self.send(node.part(1)?, dest, &mut yes)?;
        let no_falls = match node.rest().get(2) {
            Some(other) => self.send(other, dest, &mut no)?,
            None => true,
        };
        self.line = line;
        self.push(StmtKind::If(condition, yes, no), out);
        Ok(yes_falls || no_falls)
    }

    /// A `bool`, or nothing if control does not come back.
    fn condition(&mut self, node: &Node, out: &mut Block) -> Result<Option<Expr>> {
        match self.expr(node, out)? {
            Flow::Value(e) if e.ty == Ty::Bool => Ok(Some(e)),
            Flow::Value(e) => Err(Malformed(format!("a condition of type `{}`", e.ty))),
            Flow::Unit => Err(Malformed("a condition of type `()`".into())),
            Flow::Never => Ok(None),
        }
    }

    /// `(&& a b)`, `(|| a b)`.
    pub(super) fn short_circuit(&mut self, node: &Node, out: &mut Block) -> Result<Flow> {
        let op = if node.head() == "&&" {
            BinaryOp::And
        } else {
            BinaryOp::Or
        };
        let line = self.line;
        let Some(left) = self.condition(node.part(0)?, out)? else {
            return Ok(Flow::Never);
        };
        let mut rest = Block::new();
        let right = self.condition(node.part(1)?, &mut rest)?;
        self.line = line;
        let harmless =
            rest.is_empty() && right.as_ref().is_some_and(|e| !super::lower::has_effect(e));
        if let (true, Some(right)) = (harmless, &right) {
            let kind = ExprKind::Binary(op, Box::new(left), Box::new(right.clone()), line);
            return Ok(Flow::Value(Expr { kind, ty: Ty::Bool }));
        }
        let result = self.local("tmp", Ty::Bool);
        self.push(StmtKind::Let(result, Some(left)), out);
        if let Some(right) = right {
            self.push(StmtKind::Assign(Place::local(result), right), &mut rest);
        }
        let (yes, no) = if op == BinaryOp::And {
            (rest, Block::new())
        } else {
            (Block::new(), rest)
        };
        self.push(StmtKind::If(self.read(result), yes, no), out);
        Ok(Flow::Value(self.read(result)))
    }

    /// Runs `body` inside a new loop; whether something breaks out of it.
    fn inside(
        &mut self,
        number: usize,
        dest: Dest,
        body: impl FnOnce(&mut Self, LoopId) -> Result<()>,
    ) -> Result<(LoopId, bool)> {
        let id = LoopId(self.loop_count);
        self.loop_count += 1;
        self.loops.push(OpenLoop {
            number,
            id,
            dest,
            left: false,
        });
        body(self, id)?;
        let left = self.loops.pop().is_some_and(|open| open.left);
        Ok((id, left))
    }

    /// `(loop 1 body)`.
    pub(super) fn endless(&mut self, node: &Node, dest: Dest, out: &mut Block) -> Result<bool> {
        let line = self.line;
        let mut body = Block::new();
        let (id, left) = self.inside(node.number(0)?, dest, |lower, _| {
            lower
                .send(node.part(1)?, Dest::Discard, &mut body)
                .map(drop)
        })?;
        self.line = line;
        self.push(
            StmtKind::Loop {
                id,
                body,
                step: Block::new(),
            },
            out,
        );
        Ok(left)
    }

    /// `(while 1 condition body)`.
    pub(super) fn while_loop(&mut self, node: &Node, out: &mut Block) -> Result<bool> {
        let line = self.line;
        let mut body = Block::new();
        let (id, _) = self.inside(node.number(0)?, Dest::Discard, |lower, id| {
            if let Some(condition) = lower.condition(node.part(1)?, &mut body)? {
                lower.leave_unless(condition, id, &mut body);
                lower.send(node.part(2)?, Dest::Discard, &mut body)?;
            }
            Ok(())
        })?;
        self.line = line;
        self.push(
            StmtKind::Loop {
                id,
                body,
                step: Block::new(),
            },
            out,
        );
        Ok(true)
    }

    fn leave_unless(&self, condition: Expr, id: LoopId, out: &mut Block) {
        let kind = ExprKind::Unary(UnaryOp::Not, Box::new(condition));
        let mut leave = Block::new();
        self.push(StmtKind::Break(id), &mut leave);
        self.push(
            StmtKind::If(Expr { kind, ty: Ty::Bool }, leave, Block::new()),
            out,
        );
    }

    /// `(for 1 3 name mut? first last closed? body)`: over `first..last`, closed over `first..=last`.
    ///
    /// The counter never passes the last value, so that the extremes of the type are safe:
    ///
    /// ```text
    /// half open: loop { if !(i < last) { break } body } step { i = i + 1 }
    /// closed:    more = i <= last
    ///            loop { if !more { break } body } step { more = i < last; if more { i = i + 1 } }
    /// ```
    pub(super) fn for_loop(&mut self, node: &Node, out: &mut Block) -> Result<bool> {
        let line = self.line;
        let (variable, name) = (node.number(1)?, node.part(2)?.atom());
        let reassigned = node.part(3)?.atom() == "mut";
        let closed = node.part(6)?.atom() == "closed";
        let Some((first, last)) = self.pair(node.part(4)?, node.part(5)?, out)? else {
            return Ok(false);
        };
        self.line = line;
        let ty = first.ty.clone();
        let counter_name = if reassigned { "tmp" } else { name };
        let counter = self.declare_as(counter_name, first, out);
        let last = if matches!(last.kind, ExprKind::Const(_)) {
            last
        } else {
            let last = self.declare_as("tmp", last, out);
            self.read(last)
        };
        let more = closed.then(|| {
            let condition = self.compare(BinaryOp::Le, counter, &last);
            self.declare_as("tmp", condition, out)
        });

        let mut body = Block::new();
        let (id, _) = self.inside(node.number(0)?, Dest::Discard, |lower, id| {
            let condition = match more {
                Some(more) => lower.read(more),
                None => lower.compare(BinaryOp::Lt, counter, &last),
            };
            lower.leave_unless(condition, id, &mut body);
            let user = if reassigned {
                let value = lower.read(counter);
                lower.declare_as(name, value, &mut body)
            } else {
                counter
            };
            lower.variables.insert(variable, Variable::Local(user));
            lower
                .send(node.part(7)?, Dest::Discard, &mut body)
                .map(drop)
        })?;

        self.line = line;
        let mut advance = Block::new();
        let next = self.operation(BinaryOp::Add, self.read(counter), Expr::constant(one(&ty)?))?;
        self.push(StmtKind::Assign(Place::local(counter), next), &mut advance);
        let step = match more {
            None => advance,
            Some(more) => {
                let mut step = Block::new();
                let condition = self.compare(BinaryOp::Lt, counter, &last);
                self.push(StmtKind::Assign(Place::local(more), condition), &mut step);
                self.push(
                    StmtKind::If(self.read(more), advance, Block::new()),
                    &mut step,
                );
                step
            }
        };
        self.push(StmtKind::Loop { id, body, step }, out);
        Ok(true)
    }

    fn declare_as(&mut self, name: &'static str, value: Expr, out: &mut Block) -> LocalId {
        let local = self.local(name, value.ty.clone());
        self.push(StmtKind::Let(local, Some(value)), out);
        local
    }

    fn compare(&self, op: BinaryOp, left: LocalId, right: &Expr) -> Expr {
        let left = Box::new(self.read(left));
        let kind = ExprKind::Binary(op, left, Box::new(right.clone()), self.line);
        Expr { kind, ty: Ty::Bool }
    }

    fn open_loop(&mut self, node: &Node) -> Result<&mut OpenLoop> {
        let number = node.number(0)?;
        let found = self
            .loops
            .iter_mut()
            .rev()
            .find(|open| open.number == number);
        found.ok_or_else(|| Malformed(format!("`{}` outside of loop {number}", node.head())))
    }

    /// `(brk 1 value?)`.
    pub(super) fn leave(&mut self, node: &Node, out: &mut Block) -> Result<Flow> {
        let line = self.line;
        let dest = self.open_loop(node)?.dest;
        let falls = match node.rest().get(1) {
            Some(value) => self.send(value, dest, out)?,
            None => true,
        };
        if falls {
            let open = self.open_loop(node)?;
            open.left = true;
            let id = open.id;
            self.line = line;
            self.push(StmtKind::Break(id), out);
        }
        Ok(Flow::Never)
    }

    /// `(cont 1)`.
    pub(super) fn next_round(&mut self, node: &Node, out: &mut Block) -> Result<Flow> {
        let id = self.open_loop(node)?.id;
        self.push(StmtKind::Continue(id), out);
        Ok(Flow::Never)
    }

    /// `(ret value?)`.
    pub(super) fn give_back(&mut self, node: &Node, out: &mut Block) -> Result<Flow> {
        let line = self.line;
        let value = node.rest().first();
        if self.source.ret != Ty::Unit {
            let value = value.ok_or_else(|| Malformed("`return` without a value".into()))?;
            self.send(value, Dest::Return, out)?;
            return Ok(Flow::Never);
        }
        let falls = match value {
            Some(value) => self.send(value, Dest::Discard, out)?,
            None => true,
        };
        if falls {
            self.line = line;
            self.push(StmtKind::Return(None), out);
        }
        Ok(Flow::Never)
    }
}

fn one(ty: &Ty) -> Result<Value> {
    Ok(match ty {
        Ty::I8 => Value::I8(1),
        Ty::I16 => Value::I16(1),
        Ty::I32 => Value::I32(1),
        Ty::I64 => Value::I64(1),
        Ty::Isize => Value::Isize(1),
        Ty::U8 => Value::U8(1),
        Ty::U16 => Value::U16(1),
        Ty::U32 => Value::U32(1),
        Ty::U64 => Value::U64(1),
        Ty::Usize => Value::Usize(1),
        other => return Err(Malformed(format!("a range of `{other}`"))),
    })
}
