//! A loop, round by round or as it is.

use super::{End, Known, Loop, MOST_NODES, MOST_ROUNDS, Pass, Refused, changed, pays};
use crate::ir::{Block, LocalId, LoopId, Stmt, StmtKind};
use std::collections::HashMap;

/// A local or a loop as it was before a round, to be put back behind it.
struct Names {
    renamed: HashMap<LocalId, LocalId>,
    loops: HashMap<LoopId, Loop>,
}

impl Pass {
    /// A loop: round by round, if that pays and can be done.
    pub(super) fn repeat(
        &mut self,
        stmt: &Stmt,
        id: LoopId,
        body: &Block,
        step: &Block,
        known: &mut Known,
        out: &mut Block,
    ) -> Result<End, Refused> {
        if pays::off(body, step) {
            let (mut then, mut rounds) = (known.clone(), Block::new());
            let budget = self.nodes_left;
            if self.depth == 0 {
                self.nodes_left = budget.min(MOST_NODES);
            }
            let given = self.nodes_left;
            self.depth += 1;
            let names = self.names();
            let locals = self.function.locals.len();
            let end = self.rounds(id, body, step, &mut then, &mut rounds);
            self.put_back(names);
            self.depth -= 1;
            match end {
                Ok(end) => {
                    if self.depth == 0 {
                        self.nodes_left = budget - (given - self.nodes_left);
                    }
                    *known = then;
                    out.append(&mut rounds);
                    return Ok(end);
                }
                Err(Refused::Nodes) if self.depth > 0 => return Err(Refused::Nodes),
                Err(_) => {
                    self.function.locals.truncate(locals);
                    self.nodes_left = budget;
                }
            }
        }
        let names = self.names();
        let kept = LoopId(self.next_loop);
        self.next_loop += 1;
        self.loops.insert(id, Loop::Kept(kept));
        // What a round changes is known in none.
        for local in changed(body).chain(changed(step)) {
            known.remove(&self.name(local));
        }
        let (mut body_out, mut step_out) = (Block::new(), Block::new());
        let mut within = known.clone();
        let end = self.block(body, &mut within, &mut body_out)?;
        if matches!(end, End::Break(_) | End::Continue(_)) {
            return Err(Refused::Rounds);
        }
        self.block(step, &mut known.clone(), &mut step_out)?;
        self.put_back(names);
        out.push(Stmt {
            kind: StmtKind::Loop {
                id: kept,
                body: body_out,
                step: step_out,
            },
            line: stmt.line,
        });
        Ok(End::On)
    }

    /// All rounds of a loop, one behind the other.
    fn rounds(
        &mut self,
        id: LoopId,
        body: &Block,
        step: &Block,
        known: &mut Known,
        out: &mut Block,
    ) -> Result<End, Refused> {
        self.loops.insert(id, Loop::Apart);
        // One more, which only finds that there is none.
        for _ in 0..=MOST_ROUNDS {
            self.rename(body);
            match self.block(body, known, out)? {
                End::Break(of) if of == id => return Ok(End::On),
                End::Continue(of) if of == id => {}
                End::On => {}
                away => return Ok(away),
            }
            self.block(step, known, out)?;
        }
        Err(Refused::Rounds)
    }

    fn names(&self) -> Names {
        Names {
            renamed: self.renamed.clone(),
            loops: self.loops.clone(),
        }
    }

    fn put_back(&mut self, names: Names) {
        Names {
            renamed: self.renamed,
            loops: self.loops,
        } = names;
    }

    /// Gives the locals that a round declares names of its own.
    fn rename(&mut self, body: &Block) {
        for stmt in body {
            stmt.walk(&mut |s| {
                if let StmtKind::Let(local, _) = &s.kind {
                    let id = LocalId(self.function.locals.len() as u32);
                    let same = self.function.locals[local.0 as usize].clone();
                    self.function.locals.push(same);
                    self.renamed.insert(*local, id);
                }
            });
        }
    }
}
