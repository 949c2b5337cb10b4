//! Loops of few rounds, round by round, where they index local arrays.
//!
//! `for m in 0..5 { out[m] = a[m] + b[m] }` indexes by a local. Without registers to index, a compiler of shaders keeps
//! such an array in memory, or makes a branch for each element that it may be. Round by round the indices are constants,
//! and the elements are values.
//!
//! This is partial evaluation (Futamura, 1971): the locals that control such a loop are followed through its rounds, as
//! far as they are integers and flags that are known. So it does not matter which loop it was in the source: upwards,
//! downwards, by steps, in loops. A loop stays as it is where a jump out of it depends on what is not known, where there are
//! more than [`MOST_ROUNDS`], and where its rounds have more than [`MOST_NODES`] nodes together, or with those of the loops
//! before it more than [`MOST_OF_FUNCTION`].

mod fold;
mod pays;
mod rounds;
mod unused;

use super::{
    Arg, Block, Expr, ExprKind, Function, LocalId, LoopId, Place, Program, Step, Stmt, StmtKind,
    Value,
};
use std::collections::{HashMap, HashSet};

/// The rounds of a loop that is taken apart, at most.
const MOST_ROUNDS: usize = 16;

/// Nodes of statements and expressions in all rounds of a loop, at most.
const MOST_NODES: usize = 1 << 14;

/// The same of all such loops of a function together. Those that come later stay.
const MOST_OF_FUNCTION: usize = 1 << 16;

/// The same program, with such loops taken apart. It means the same, and traps at the same lines.
#[must_use]
pub fn unrolled(program: &Program) -> Program {
    let apart = |f| function(f, MOST_OF_FUNCTION);
    Program {
        functions: program.functions.iter().map(apart).collect(),
    }
}

fn function(function: &Function, most_nodes: usize) -> Function {
    let mut pass = Pass {
        function: function.clone(),
        next_loop: 0,
        renamed: HashMap::new(),
        loops: HashMap::new(),
        depth: 0,
        nodes_left: most_nodes,
    };
    for stmt in &function.body {
        stmt.walk(&mut |s| {
            if let StmtKind::Loop { id, .. } = &s.kind {
                pass.next_loop = pass.next_loop.max(id.0 + 1);
            }
        });
    }
    let mut body = Block::new();
    // Outside of loops that are taken apart nothing is refused.
    let end = pass.block(&function.body, &mut Known::new(), &mut body);
    debug_assert!(end.is_ok());
    if end.is_err() {
        return function.clone();
    }
    let mut done = pass.function;
    done.body = body;
    unused::remove(&mut done);
    done
}

/// The locals whose values are known.
type Known = HashMap<LocalId, Value>;

/// Where control goes behind a block.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// On.
    On,
    /// Out of a loop that is taken apart, or into its next round.
    Break(LoopId),
    Continue(LoopId),
    /// Elsewhere, as the statement says that was kept.
    Away,
}

/// Why a loop cannot be taken apart.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Refused {
    /// What it does next depends on what is not known, or there are too many rounds.
    Rounds,
    /// Its rounds come to too much. One around it would come to more.
    Nodes,
}

/// What became of a loop of the source.
#[derive(Clone, Copy)]
enum Loop {
    /// It is being taken apart.
    Apart,
    /// It is a loop of this name.
    Kept(LoopId),
}

struct Pass {
    /// As it was; its locals become more.
    function: Function,
    next_loop: u32,
    /// Locals that have other names in this round.
    renamed: HashMap<LocalId, LocalId>,
    loops: HashMap<LoopId, Loop>,
    /// How many loops around here are taken apart.
    depth: usize,
    /// Of the loop that is taken apart, or, outside of one, of the function.
    nodes_left: usize,
}

impl Pass {
    /// Appends what becomes of a block.
    fn block(&mut self, block: &Block, known: &mut Known, out: &mut Block) -> Result<End, Refused> {
        for stmt in block {
            match self.stmt(stmt, known, out)? {
                End::On => {}
                away => return Ok(away),
            }
        }
        Ok(End::On)
    }

    fn stmt(&mut self, stmt: &Stmt, known: &mut Known, out: &mut Block) -> Result<End, Refused> {
        let mut keep = |kind| {
            let line = stmt.line;
            out.push(Stmt { kind, line });
        };
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let value = value.as_ref().map(|e| self.expr(e, known)).transpose()?;
                let local = self.name(*local);
                note(known, local, value.as_ref());
                keep(StmtKind::Let(local, value));
            }
            StmtKind::Assign(place, value) => {
                let value = self.expr(value, known)?;
                let place = self.place(place, known)?;
                match place.path.is_empty() {
                    true => note(known, place.local, Some(&value)),
                    false => drop(known.remove(&place.local)),
                }
                keep(StmtKind::Assign(place, value));
            }
            StmtKind::Eval(e) => {
                let e = self.expr(e, known)?;
                keep(StmtKind::Eval(e));
            }
            StmtKind::Call {
                result,
                callee,
                args,
            } => {
                let args = args.iter().map(|arg| match arg {
                    Arg::Value(e) => Ok(Arg::Value(self.expr(e, known)?)),
                    Arg::Place(place) => Ok(Arg::Place(self.place(place, known)?)),
                });
                let args = args.collect::<Result<Vec<Arg>, Refused>>()?;
                let result = result.map(|local| self.name(local));
                let kind = StmtKind::Call {
                    result,
                    callee: *callee,
                    args,
                };
                let line = stmt.line;
                let call = Stmt { kind, line };
                for place in call.written() {
                    known.remove(&place.local);
                }
                out.push(call);
            }
            StmtKind::If(condition, yes, no) => {
                return self.branch(stmt, condition, yes, no, known, out);
            }
            StmtKind::Loop { id, body, step } => {
                return self.repeat(stmt, *id, body, step, known, out);
            }
            StmtKind::Break(id) => match self.loops.get(id) {
                Some(Loop::Apart) => return Ok(End::Break(*id)),
                kept => {
                    keep(StmtKind::Break(kept_name(kept, *id)));
                    return Ok(End::Away);
                }
            },
            StmtKind::Continue(id) => match self.loops.get(id) {
                Some(Loop::Apart) => return Ok(End::Continue(*id)),
                kept => {
                    keep(StmtKind::Continue(kept_name(kept, *id)));
                    return Ok(End::Away);
                }
            },
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|e| self.expr(e, known)).transpose()?;
                keep(StmtKind::Return(value));
                return Ok(End::Away);
            }
            kind @ (StmtKind::Trap(_) | StmtKind::Foreign(_)) => {
                keep(kind.clone());
                return Ok(End::Away);
            }
        }
        Ok(End::On)
    }

    fn branch(
        &mut self,
        stmt: &Stmt,
        condition: &Expr,
        yes: &Block,
        no: &Block,
        known: &mut Known,
        out: &mut Block,
    ) -> Result<End, Refused> {
        let condition = self.expr(condition, known)?;
        if let ExprKind::Const(Value::Bool(taken)) = &condition.kind {
            let taken = if *taken { yes } else { no };
            return self.block(taken, known, out);
        }
        let mut each = |block: &Block| {
            let (mut known, mut out) = (known.clone(), Block::new());
            let end = self.block(block, &mut known, &mut out)?;
            // Which way it goes is not known, so no round can follow from it.
            match end {
                End::Break(_) | End::Continue(_) => Err(Refused::Rounds),
                end => Ok((end, known, out)),
            }
        };
        let (yes_end, yes_known, yes) = each(yes)?;
        let (no_end, no_known, no) = each(no)?;
        *known = match (yes_end, no_end) {
            (End::Away, _) => no_known,
            (_, End::Away) => yes_known,
            _ => both(yes_known, &no_known),
        };
        out.push(Stmt {
            kind: StmtKind::If(condition, yes, no),
            line: stmt.line,
        });
        match (yes_end, no_end) {
            (End::Away, End::Away) => Ok(End::Away),
            _ => Ok(End::On),
        }
    }

    fn name(&self, local: LocalId) -> LocalId {
        self.renamed.get(&local).copied().unwrap_or(local)
    }

    fn place(&mut self, place: &Place, known: &Known) -> Result<Place, Refused> {
        let path = place.path.iter().map(|step| match step {
            Step::Field(field) => Ok(Step::Field(*field)),
            Step::Index(index, line) => Ok(Step::Index(self.expr(index, known)?, *line)),
        });
        Ok(Place {
            path: path.collect::<Result<Vec<Step>, Refused>>()?,
            local: self.name(place.local),
        })
    }

    /// An expression with the names of this round, and, within a loop that is taken apart, with the values of locals that
    /// are known.
    fn expr(&mut self, e: &Expr, known: &Known) -> Result<Expr, Refused> {
        let mut nodes = 0;
        e.walk(&mut |_| nodes += 1);
        if self.depth > 0 {
            self.nodes_left = self
                .nodes_left
                .checked_sub(nodes + 1)
                .ok_or(Refused::Nodes)?;
        }
        let mut e = e.clone();
        self.rename_in(&mut e);
        // Elsewhere, `1 + A` of a constant `A` is still an index that is known.
        match self.depth {
            0 => fold::fold(&mut e, &Known::new()),
            _ => fold::fold(&mut e, known),
        }
        Ok(e)
    }

    fn rename_in(&self, e: &mut Expr) {
        if let ExprKind::Local(local) = &mut e.kind {
            *local = self.name(*local);
        }
        for part in e.parts_mut() {
            self.rename_in(part);
        }
    }
}

/// The name of a loop that is kept.
fn kept_name(kept: Option<&Loop>, id: LoopId) -> LoopId {
    match kept {
        Some(Loop::Kept(name)) => *name,
        _ => id,
    }
}

/// What is known of a local that has got a value.
fn note(known: &mut Known, local: LocalId, value: Option<&Expr>) {
    let value = value.filter(|e| fold::is_followed(&e.ty)).cloned();
    let value = value.map(|mut e| {
        fold::fold(&mut e, known);
        e.kind
    });
    match value {
        Some(ExprKind::Const(value)) => drop(known.insert(local, value)),
        _ => drop(known.remove(&local)),
    }
}

/// What is known where control comes from either place.
fn both(a: Known, b: &Known) -> Known {
    let same = |(local, value): &(LocalId, Value)| {
        let other = b.get(local);
        other.is_some_and(|other| fold::same(value, other))
    };
    a.into_iter().filter(same).collect()
}

/// The locals that a block declares or writes.
fn changed(block: &Block) -> impl Iterator<Item = LocalId> {
    let mut all = HashSet::new();
    for stmt in block {
        stmt.walk(&mut |s| {
            if let StmtKind::Let(local, _) = &s.kind {
                all.insert(*local);
            }
            all.extend(s.written().iter().map(|place| place.local));
        });
    }
    all.into_iter()
}

#[cfg(test)]
mod test;
