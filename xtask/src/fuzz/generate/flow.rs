//! Control flow that gives a value.

use super::{Generator, scope::Target};
use crate::fuzz::{
    tree::{Node, Sort, node},
    types::{Scalar, Ty},
};

#[derive(Clone, Copy)]
enum Way {
    If,
    ElseIf,
    Block,
    Loop,
    Jump,
}

const WAYS: [(usize, Way); 5] = [
    (5, Way::If),
    (1, Way::ElseIf),
    (3, Way::Block),
    (1, Way::Loop),
    (1, Way::Jump),
];

impl Generator {
    pub(super) fn flow(&mut self, ty: &Ty, depth: usize, forced: bool) -> Option<Node> {
        let sort = Sort::Expr(ty.clone());
        Some(match self.dice.weighted(&WAYS) {
            Way::If => {
                let condition = self.condition(depth);
                let yes = self.block(ty, depth, forced);
                let no = self.block(ty, depth, forced);
                node!(sort, "if value", "(if $ $ else $)", condition, yes, no)
            }
            Way::ElseIf => {
                let first = self.condition(depth);
                let one = self.block(ty, depth, forced);
                let second = self.condition(depth);
                let two = self.block(ty, depth, forced);
                let three = self.block(ty, depth, forced);
                let template = "(if $ $ else if $ $ else $)";
                node!(sort, "else if value", template, first, one, second, two, three)
            }
            Way::Block => self.block(ty, depth, forced),
            Way::Loop => self.loop_value(ty, depth, forced),
            Way::Jump => self.jump_or_value(ty, depth)?,
        })
    }

    pub(super) fn condition(&mut self, depth: usize) -> Node {
        match self.dice.percent(50) {
            true => self.compare(depth.max(1)),
            false => self.expr(&Scalar::Bool.into(), depth - 1, false),
        }
    }

    /// `{ …; value }`.
    pub(super) fn block(&mut self, ty: &Ty, depth: usize, forced: bool) -> Node {
        let outer = self.body.vars.len();
        let count = self.dice.weighted(&[(6, 0), (3, 1), (2, 2)]);
        let statements = self.statements(count, depth - 1);
        let tail = self.expr(ty, depth - 1, forced);
        self.body.vars.truncate(outer);
        node!(Sort::Expr(ty.clone()), "block value", "{ $$ }", statements, tail)
    }

    /// `loop` that ends by `break value`.
    fn loop_value(&mut self, ty: &Ty, depth: usize, forced: bool) -> Node {
        let (outer, rounds) = (self.body.vars.len(), self.body.rounds);
        let limit = self.dice.range(1, 5) as u64;
        let counter = self.fresh("n");
        // A `continue` in what is given in the end would go round for ever.
        let targets = std::mem::take(&mut self.body.targets);
        let last = self.expr(ty, depth - 1, forced);
        self.body.targets = targets;
        self.body.declare_counter(&counter, &Scalar::U32.into());
        self.body.rounds *= limit;
        self.body.targets.push(Target {
            value: Some(ty.clone()),
            is_loop: true,
            label: None,
            needs_label: false,
        });
        let count = self.dice.below(3);
        let statements = self.statements(count, depth - 1);
        self.body.targets.pop();
        self.body.rounds = rounds;
        self.body.vars.truncate(outer);
        let template = format!(
            "{{ let mut {counter} = 0_u32; loop {{ {counter} += 1; if {counter} > {limit} {{ break $; }} $ }} }}"
        );
        node!(Sort::Expr(ty.clone()), "loop value", &template, last, statements)
    }

    /// A value on one way, a jump on the other.
    fn jump_or_value(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        let condition = self.condition(depth);
        let jump = self.jump(depth)?;
        let value = self.expr(ty, depth - 1, false);
        let sort = Sort::Expr(ty.clone());
        Some(match self.dice.percent(50) {
            true => node!(sort, "jump or value", "(if $ { $ } else { $ })", condition, jump, value),
            false => node!(sort, "value or jump", "(if $ { $ } else { $ })", condition, value, jump),
        })
    }

    /// `return`, `break` or `continue`, with the value that belongs there.
    pub(super) fn jump(&mut self, depth: usize) -> Option<Node> {
        let target = self.body.targets.last().cloned();
        let sort = Sort::Fixed;
        Some(match target {
            Some(target) if self.dice.percent(75) => match (target.value, self.dice.percent(40)) {
                (_, true) if target.is_loop => node!(sort, "continue", "continue"),
                (None, _) => node!(sort, "break", "break"),
                (Some(ty), _) => {
                    let value = self.expr(&ty, depth - 1, true);
                    node!(sort, "break value", "break $", value)
                }
            },
            _ => match self.body.ret.clone()? {
                Ty::Unit => node!(sort, "return", "return"),
                ty => {
                    let value = self.expr(&ty, depth - 1, true);
                    node!(sort, "return value", "return $", value)
                }
            },
        })
    }
}
