//! `match`, `let` in conditions, and values that are taken apart.

use super::{
    lower::{Dest, Flow, Lower, Malformed, Result, has_effect},
    pattern::{Alternative, not, part_of},
    text::Node,
};
use crate::ir::{Block, Expr, Place, StmtKind, Ty, Value};

/// An arm of a `match`.
struct Arm<'n> {
    line: u32,
    pat: &'n Node,
    guard: Option<&'n Node>,
    body: &'n Node,
}

impl Lower<'_> {
    /// `(match value (arm pattern guard? body) …)`: a chain of `if`.
    pub(super) fn matching(&mut self, node: &Node, dest: Dest, out: &mut Block) -> Result<bool> {
        let mut arms = Vec::new();
        for arm in node.rest().iter().skip(1) {
            let guard = arm.part(1)?;
            arms.push(Arm {
                line: arm.line,
                pat: arm.part(0)?,
                guard: (guard.atom() != "-").then_some(guard),
                body: arm.part(2)?,
            });
        }
        // rustc has seen that the arms without a guard take everything. So the last of them needs no
        // test, and what follows it is never reached.
        let last = arms.iter().rposition(|arm| arm.guard.is_none());
        let last = last.ok_or_else(|| Malformed("a `match` without an arm for the rest".into()))?;
        arms.truncate(last + 1);
        // A guard cannot change the place that is matched, but what a value was made from.
        let value = node.part(0)?;
        let place = matches!(value.head(), "v" | "f");
        let own = !place && arms.iter().any(|arm| arm.guard.is_some());
        match self.matched(value, None, own, out)? {
            Some(subject) => self.arms(&subject, &arms, dest, out),
            None => Ok(false),
        }
    }

    fn arms(
        &mut self,
        subject: &Expr,
        arms: &[Arm<'_>],
        dest: Dest,
        out: &mut Block,
    ) -> Result<bool> {
        let Some((arm, others)) = arms.split_first() else {
            return Err(Malformed("a `match` without arms".into()));
        };
        self.line = arm.line;
        let alternatives = self.alternatives(arm.pat, subject, false)?;
        let test = match arm.guard {
            _ if others.is_empty() => None,
            None => self.any(&alternatives),
            Some(guard) => {
                return self.guarded_arm(subject, arm, guard, alternatives, others, dest, out);
            }
        };
        let Some(test) = test else {
            self.choose(alternatives, out);
            return self.send(arm.body, dest, out);
        };
        let (mut yes, mut no) = (Block::new(), Block::new());
        self.choose(alternatives, &mut yes);
        let yes_falls = self.send(arm.body, dest, &mut yes)?;
        let no_falls = self.arms(subject, others, dest, &mut no)?;
        self.line = arm.line;
        self.push(StmtKind::If(test, yes, no), out);
        Ok(yes_falls || no_falls)
    }

    #[expect(clippy::too_many_arguments, reason = "the state of one recursion")]
    fn guarded_arm(
        &mut self,
        subject: &Expr,
        arm: &Arm<'_>,
        guard: &Node,
        alternatives: Vec<Alternative>,
        others: &[Arm<'_>],
        dest: Dest,
        out: &mut Block,
    ) -> Result<bool> {
        let each = self.alternatives(arm.pat, subject, true)?;
        let found = match <[Alternative; 1]>::try_from(each) {
            Ok([only]) => self.only_guard(arm, only, guard, out)?,
            Err(each) => match self.plain_guard(guard, alternatives, out)? {
                Some(taken) => Some(taken),
                None => self.tried_guard(arm, each, guard, out)?,
            },
        };
        let Some(taken) = found else {
            return Ok(false);
        };
        let (mut yes, mut no) = (Block::new(), Block::new());
        let yes_falls = self.send(arm.body, dest, &mut yes)?;
        let no_falls = self.arms(subject, others, dest, &mut no)?;
        self.line = arm.line;
        self.push(StmtKind::If(taken, yes, no), out);
        Ok(yes_falls || no_falls)
    }

    /// The guard of a pattern that matches in one way: whether the arm is taken, as an expression. Its
    /// bindings are made in any case; nothing, if control does not come back.
    fn only_guard(
        &mut self,
        arm: &Arm<'_>,
        only: Alternative,
        guard: &Node,
        out: &mut Block,
    ) -> Result<Option<Expr>> {
        let test = only.test.clone();
        self.choose(vec![only], out);
        let mut tried = Block::new();
        let condition = self.condition(guard, &mut tried)?;
        self.line = arm.line;
        let Some(condition) = condition else {
            let Some(test) = test else {
                out.append(&mut tried);
                return Ok(None);
            };
            self.push(StmtKind::If(test, tried, Block::new()), out);
            return Ok(Some(Expr::constant(Value::Bool(false))));
        };
        if tried.is_empty() && !has_effect(&condition) {
            return Ok(self.both(test, Some(condition)));
        }
        let Some(test) = test else {
            out.append(&mut tried);
            return Ok(Some(condition));
        };
        let taken = self.declare_as("taken", Expr::constant(Value::Bool(false)), out);
        self.push(StmtKind::Assign(Place::local(taken), condition), &mut tried);
        self.push(StmtKind::If(test, tried, Block::new()), out);
        Ok(Some(self.read(taken)))
    }

    /// A guard that is an expression without effects, behind alternatives that bind the same: the
    /// condition as an expression. Nothing, if it is not so simple; then nothing has happened.
    fn plain_guard(
        &mut self,
        guard: &Node,
        alternatives: Vec<Alternative>,
        out: &mut Block,
    ) -> Result<Option<Expr>> {
        if alternatives.len() != 1 {
            return Ok(None);
        }
        let test = alternatives[0].test.clone();
        let (locals, loops, line) = (self.locals.len(), self.loop_count, self.line);
        let (pending, variables) = (self.pending.clone(), self.variables.clone());
        let left: Vec<bool> = self.loops.iter().map(|open| open.left).collect();
        let mut prepared = Block::new();
        self.choose(alternatives, &mut prepared);
        let bound = prepared.len();
        let condition = self.condition(guard, &mut prepared)?;
        self.line = line;
        match condition {
            Some(condition) if prepared.len() == bound && !has_effect(&condition) => {
                out.append(&mut prepared);
                Ok(self.both(test, Some(condition)))
            }
            _ => {
                self.locals.truncate(locals);
                self.loop_count = loops;
                (self.pending, self.variables) = (pending, variables);
                for (open, left) in self.loops.iter_mut().zip(left) {
                    open.left = left;
                }
                Ok(None)
            }
        }
    }

    /// Any guard: whether the arm is taken, in a local. The alternatives of the pattern are tried one by
    /// one, each with the guard, as Rust does.
    fn tried_guard(
        &mut self,
        arm: &Arm<'_>,
        alternatives: Vec<Alternative>,
        guard: &Node,
        out: &mut Block,
    ) -> Result<Option<Expr>> {
        let locals = match alternatives.first() {
            Some(first) => self.declare_bindings(&first.bindings, out),
            None => Vec::new(),
        };
        let taken = self.declare_as("taken", Expr::constant(Value::Bool(false)), out);
        for (k, Alternative { test, bindings }) in alternatives.into_iter().enumerate() {
            let mut tried = Block::new();
            self.assign_bindings(&bindings, &locals, &mut tried);
            let condition = self.condition(guard, &mut tried)?;
            self.line = arm.line;
            let comes_back = condition.is_some();
            if let Some(condition) = condition {
                self.push(StmtKind::Assign(Place::local(taken), condition), &mut tried);
            }
            let open = (k > 0).then(|| not(self.read(taken)));
            match self.both(open, test) {
                Some(test) => self.push(StmtKind::If(test, tried, Block::new()), out),
                None => {
                    out.append(&mut tried);
                    if !comes_back {
                        return Ok(None);
                    }
                }
            }
        }
        Ok(Some(self.read(taken)))
    }

    /// `(is pattern value)`: whether the value matches. Binds the names of the pattern.
    pub(super) fn is(&mut self, node: &Node, out: &mut Block) -> Result<Flow> {
        let line = self.line;
        let Some(subject) = self.matched(node.part(1)?, None, false, out)? else {
            return Ok(Flow::Never);
        };
        self.line = line;
        let alternatives = self.alternatives(node.part(0)?, &subject, false)?;
        let test = self.any(&alternatives);
        self.choose(alternatives, out);
        let test = test.unwrap_or_else(|| Expr::constant(Value::Bool(true)));
        Ok(Flow::Value(test))
    }

    /// `(unpack pattern type? value)`: a `let` whose pattern always matches.
    pub(super) fn unpack(&mut self, node: &Node, out: &mut Block) -> Result<bool> {
        let line = self.line;
        let ty = self.written_ty(node, 1)?;
        let Some(subject) = self.matched(node.part(2)?, ty.as_ref(), false, out)? else {
            return Ok(false);
        };
        self.line = line;
        let alternatives = self.alternatives(node.part(0)?, &subject, false)?;
        self.choose(alternatives, out);
        Ok(true)
    }

    /// `(unless pattern type? value otherwise)`: `let … else`.
    pub(super) fn unless(&mut self, node: &Node, out: &mut Block) -> Result<bool> {
        let line = self.line;
        let ty = self.written_ty(node, 1)?;
        let Some(subject) = self.matched(node.part(2)?, ty.as_ref(), false, out)? else {
            return Ok(false);
        };
        self.line = line;
        let alternatives = self.alternatives(node.part(0)?, &subject, false)?;
        if let Some(test) = self.any(&alternatives) {
            let mut otherwise = Block::new();
            if self.send(node.part(3)?, Dest::Discard, &mut otherwise)? {
                return Err(Malformed("the `else` of a `let` comes back".into()));
            }
            self.line = line;
            self.push(StmtKind::If(not(test), otherwise, Block::new()), out);
        }
        self.choose(alternatives, out);
        Ok(true)
    }

    fn written_ty(&self, node: &Node, k: usize) -> Result<Option<Ty>> {
        if node.part(k)?.atom() == "-" {
            Ok(None)
        } else {
            self.ty(node, k).map(Some)
        }
    }

    /// `(unpack-to target value)`: all parts of the value are known before the first is stored.
    pub(super) fn unpack_to(&mut self, node: &Node, out: &mut Block) -> Result<bool> {
        let line = self.line;
        let Some(subject) = self.matched(node.part(1)?, None, true, out)? else {
            return Ok(false);
        };
        self.line = line;
        self.store_parts(node.part(0)?, subject, out)
    }

    fn store_parts(&mut self, target: &Node, value: Expr, out: &mut Block) -> Result<bool> {
        match target.head() {
            "_" => Ok(true),
            "to" => self.store_to(target.part(0)?, value, out),
            "of" => {
                for part in target.rest() {
                    let value = part_of(&value, part.head())?;
                    if !self.store_parts(part.part(0)?, value, out)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            other => Err(Malformed(format!("`{other}` cannot be assigned to"))),
        }
    }
}
