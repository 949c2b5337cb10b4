//! Branches, loops and jumps.

use super::{
    lower::{Dest, Flow, Lower, Malformed, OpenLoop, Result, has_effect},
    pattern::binds,
    text::Node,
};
use crate::ir::{BinaryOp, Block, Expr, ExprKind, LoopId, Place, Stmt, StmtKind, Ty};

/// A constant, or a part of a variable: taking it early costs nothing and traps nowhere. Arithmetic
/// may trap on a device whose `usize` is narrower.
fn is_part(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(_) | ExprKind::Local(_) => true,
        ExprKind::Field(whole, _) => is_part(whole),
        _ => false,
    }
}

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
    pub(super) fn condition(&mut self, node: &Node, out: &mut Block) -> Result<Option<Expr>> {
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
        if binds(node.part(1)?) {
            self.bind_outside(&mut rest, out);
        }
        let harmless = rest.is_empty() && right.as_ref().is_some_and(|e| !has_effect(e));
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

    /// What a `let` in a condition binds is used behind the condition, so it is declared outside of
    /// `rest`, which runs only if the conditions before hold. Parts of values are simply taken there.
    fn bind_outside(&self, rest: &mut Block, out: &mut Block) {
        let harmless = |stmt: &Stmt| match &stmt.kind {
            StmtKind::Let(_, value) => value.as_ref().is_none_or(is_part),
            _ => false,
        };
        if rest.iter().all(harmless) {
            out.append(rest);
            return;
        }
        for stmt in std::mem::take(rest) {
            let line = stmt.line;
            match stmt.kind {
                StmtKind::Let(local, value) => {
                    let kind = StmtKind::Let(local, None);
                    out.push(Stmt { kind, line });
                    if let Some(value) = value {
                        let kind = StmtKind::Assign(Place::local(local), value);
                        rest.push(Stmt { kind, line });
                    }
                }
                kind => rest.push(Stmt { kind, line }),
            }
        }
    }

    /// `(block 1 body)`: a block with a label is a loop of one round, if something jumps out of it.
    pub(super) fn labelled_block(
        &mut self,
        node: &Node,
        dest: Dest,
        out: &mut Block,
    ) -> Result<bool> {
        let line = self.line;
        let mut body = Block::new();
        let mut falls = false;
        let (id, left) = self.inside(node.number(0)?, dest, |lower, _| {
            falls = lower.send(node.part(1)?, dest, &mut body)?;
            Ok(())
        })?;
        if !left {
            out.append(&mut body);
            return Ok(falls);
        }
        self.line = line;
        if falls {
            self.push(StmtKind::Break(id), &mut body);
        }
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

    /// Runs `body` inside a new loop; whether something breaks out of it.
    pub(super) fn inside(
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
