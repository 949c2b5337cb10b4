//! Control flow that gives a value, and jumps.

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
    Labelled,
    Loop,
    Jump,
    Match,
    IfLet,
    Panic,
}

const WAYS: [(usize, Way); 9] = [
    (50, Way::If),
    (10, Way::ElseIf),
    (25, Way::Block),
    (10, Way::Labelled),
    (12, Way::Loop),
    (10, Way::Jump),
    (30, Way::Match),
    (12, Way::IfLet),
    (2, Way::Panic),
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
                node!(
                    sort,
                    "else if value",
                    template,
                    first,
                    one,
                    second,
                    two,
                    three
                )
            }
            Way::Block => self.block(ty, depth, forced),
            Way::Labelled => self.labelled_block(ty, depth, forced),
            Way::Loop => self.loop_value(ty, depth, forced),
            Way::Jump => self.jump_or_value(ty, depth)?,
            Way::Match => self.match_value(ty, depth, forced),
            Way::IfLet => self.if_let_value(ty, depth, forced),
            Way::Panic => {
                let condition = self.condition(depth);
                let value = self.expr(ty, depth - 1, forced);
                let panic = self.panic();
                let template = format!("(if $ {{ $ }} else {{ {panic} }})");
                node!(sort, "panic or value", &template, condition, value)
            }
        })
    }

    /// A panic with a message, or one that has its own.
    pub(super) fn panic(&mut self) -> &'static str {
        const ALL: [&str; 4] = [
            "panic!()",
            "panic!(\"so it goes\")",
            "unreachable!()",
            "unreachable!(\"not here\")",
        ];
        self.dice.pick::<&str>(&ALL)
    }

    pub(super) fn condition(&mut self, depth: usize) -> Node {
        match self.dice.percent(50) {
            true => self.compare(depth.max(1)),
            false => self.expr(&Scalar::Bool.into(), depth.saturating_sub(1), false),
        }
    }

    /// `{ …; value }`.
    pub(super) fn block(&mut self, ty: &Ty, depth: usize, forced: bool) -> Node {
        let outer = self.body.vars.len();
        let count = self.dice.weighted(&[(6, 0), (3, 1), (2, 2)]);
        let statements = self.statements(count, depth.saturating_sub(1));
        let tail = self.expr(ty, depth.saturating_sub(1), forced);
        self.body.vars.truncate(outer);
        node!(
            Sort::Expr(ty.clone()),
            "block value",
            "{ $$ }",
            statements,
            tail
        )
    }

    /// `'l: { …; value }`, with `break 'l value` inside.
    fn labelled_block(&mut self, ty: &Ty, depth: usize, forced: bool) -> Node {
        let label = self.fresh("'b");
        self.body.targets.push(Target {
            value: Some(ty.clone()),
            is_loop: false,
            label: Some(label.clone()),
        });
        let outer = self.body.vars.len();
        let condition = self.condition(depth.min(2));
        let early = self.expr(ty, depth - 1, forced);
        let count = self.dice.range(1, 2);
        let statements = self.statements(count, depth - 1);
        let tail = self.expr(ty, depth - 1, forced);
        self.body.vars.truncate(outer);
        self.body.targets.pop();
        let template = format!("{label}: {{ if $ {{ break {label} $; }} $$ }}");
        let sort = Sort::Expr(ty.clone());
        let block = node!(
            sort.clone(),
            "labelled block",
            &template,
            condition,
            early,
            statements,
            tail
        );
        node!(sort, "block value", "({ $ })", block)
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
        let label = self.label();
        self.body.targets.push(Target {
            value: Some(ty.clone()),
            is_loop: true,
            label: label.clone(),
        });
        let count = self.dice.below(3);
        let statements = self.statements(count, depth - 1);
        self.body.targets.pop();
        self.body.rounds = rounds;
        self.body.vars.truncate(outer);
        let label = colon(label.as_deref());
        let template = format!(
            "{{ let mut {counter} = 0_u32; {label}loop {{ {counter} += 1; if {counter} > {limit} {{ break $; }} $ }} }}"
        );
        node!(
            Sort::Expr(ty.clone()),
            "loop value",
            &template,
            last,
            statements
        )
    }

    /// A label for a loop, sometimes.
    pub(super) fn label(&mut self) -> Option<String> {
        self.dice.percent(35).then(|| self.fresh("'l"))
    }

    /// A value on one way, a jump on the other.
    fn jump_or_value(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        let condition = self.condition(depth);
        let jump = self.jump(depth)?;
        let value = self.expr(ty, depth - 1, false);
        let sort = Sort::Expr(ty.clone());
        let template = "(if $ { $ } else { $ })";
        Some(match self.dice.percent(50) {
            true => node!(sort, "jump or value", template, condition, jump, value),
            false => node!(sort, "value or jump", template, condition, value, jump),
        })
    }

    /// `return`, `break` or `continue`, with the value that belongs there.
    pub(super) fn jump(&mut self, depth: usize) -> Option<Node> {
        let innermost = self.body.targets.len().checked_sub(1);
        // Without a label a jump means the innermost loop, and is not allowed in a labelled block.
        let reachable: Vec<Target> = self
            .body
            .targets
            .iter()
            .enumerate()
            .filter(|(k, target)| target.label.is_some() || Some(*k) == innermost && target.is_loop)
            .map(|(_, target)| target.clone())
            .collect();
        if reachable.is_empty() || self.dice.percent(25) {
            return self.give_back(depth);
        }
        let target = self.dice.pick(&reachable).clone();
        let must = innermost.map(|k| &self.body.targets[k].label) != Some(&target.label)
            || !target.is_loop;
        let label = match &target.label {
            Some(label) if must || self.dice.percent(50) => format!(" {label}"),
            _ => String::new(),
        };
        let labelled = !label.is_empty();
        let sort = Sort::Fixed;
        Some(match (target.value, self.dice.percent(40)) {
            (_, true) if target.is_loop => {
                let construct = if labelled {
                    "continue label"
                } else {
                    "continue"
                };
                node!(sort, construct, &format!("continue{label}"))
            }
            (None, _) => {
                let construct = if labelled { "break label" } else { "break" };
                node!(sort, construct, &format!("break{label}"))
            }
            (Some(ty), _) => {
                let construct = if labelled {
                    "break label value"
                } else {
                    "break value"
                };
                let value = self.expr(&ty, depth.saturating_sub(1), true);
                node!(sort, construct, &format!("break{label} ($)"), value)
            }
        })
    }

    fn give_back(&mut self, depth: usize) -> Option<Node> {
        Some(match self.body.ret.clone()? {
            Ty::Unit => node!(Sort::Fixed, "return", "return"),
            ty => {
                let value = self.expr(&ty, depth.saturating_sub(1), true);
                node!(Sort::Fixed, "return value", "return $", value)
            }
        })
    }
}

/// A label where a loop begins.
pub(super) fn colon(label: Option<&str>) -> String {
    label.map_or_else(String::new, |label| format!("{label}: "))
}
