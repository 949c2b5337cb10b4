//! Loops in loops that are left in many ways, with a value that goes through them.

use super::{Generator, scope::Target};
use crate::fuzz::{
    tree::{Node, Sort, node},
    types::{Scalar, Ty},
};

impl Generator {
    /// A struct, tuple or array of the pool, or any type.
    fn composite(&mut self) -> Ty {
        let is_composite = |ty: &&Ty| {
            !matches!(
                ty,
                Ty::Scalar(_) | Ty::Generic(_) | Ty::View(_) | Ty::Line(..)
            )
        };
        let composites: Vec<Ty> = self.pool.iter().filter(is_composite).cloned().collect();
        match composites.is_empty() {
            true => self.any_ty(),
            false => self.dice.pick(&composites).clone(),
        }
    }

    /// A variable, and a loop with a label that changes it between jumps: out of this loop, to its next round, out of
    /// those around it, or out of the function.
    pub(super) fn loop_with_exits(&mut self, depth: usize) -> Node {
        let ty = self.composite();
        let value = self.expr(&ty, depth.saturating_sub(1), true);
        let name = self.fresh("v");
        self.body.declare(&name, &ty, true);
        let (outer, before) = (self.body.vars.len(), self.body.rounds);
        let (counter, limit) = (self.fresh("n"), self.dice.range(2, 6));
        let label = self.fresh("'l");
        self.body.declare_counter(&counter, &Scalar::U32.into());
        self.body.rounds *= limit as u64;
        self.body.targets.push(Target {
            value: None,
            is_loop: true,
            label: Some(label.clone()),
        });
        let mut inner = Vec::new();
        for _ in 0..self.dice.range(2, 4) {
            if !self.body.affords(8) {
                break;
            }
            inner.extend(self.statements(1, depth.min(2)));
            if depth > 2 && self.dice.percent(30) {
                self.body.pay();
                inner.push(self.loop_with_exits(depth - 2));
            }
            let condition = self.condition(depth.min(2));
            if let Some(jump) = self.jump(depth.min(2)) {
                inner.push(node!(Sort::Stmt, "if jump", "if $ { $; }", condition, jump));
            }
        }
        self.body.targets.pop();
        self.body.rounds = before;
        self.body.vars.truncate(outer);
        let template = format!(
            "let mut {name}: {ty} = $; let mut {counter} = 0_u32; \
             {label}: while {counter} < {limit} {{ {counter} += 1; $ }}"
        );
        node!(Sort::Stmt, "loop with exits", &template, value, inner)
    }
}
