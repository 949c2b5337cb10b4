//! Statements.

use super::{Generator, scope::{Target, Var}};
use crate::fuzz::{
    tree::{Node, Sort, node},
    types::{Scalar, Ty},
};

#[derive(Clone, Copy)]
enum Way {
    Let,
    LetLater,
    LetOpen,
    LetIgnored,
    Assign,
    Compound,
    If,
    Jump,
    While,
    For,
    Loop,
    Block,
}

const WAYS: [(usize, Way); 12] = [
    (10, Way::Let),
    (1, Way::LetLater),
    (2, Way::LetOpen),
    (1, Way::LetIgnored),
    (7, Way::Assign),
    (7, Way::Compound),
    (5, Way::If),
    (2, Way::Jump),
    (2, Way::While),
    (3, Way::For),
    (1, Way::Loop),
    (1, Way::Block),
];

impl Generator {
    /// So many statements, or fewer.
    pub(super) fn statements(&mut self, count: usize, depth: usize) -> Vec<Node> {
        let mut all = Vec::new();
        for _ in 0..count {
            if depth == 0 || !self.body.affords(4) {
                break;
            }
            all.extend(self.statement(depth));
        }
        all
    }

    fn statement(&mut self, depth: usize) -> Option<Node> {
        self.body.pay();
        match self.dice.weighted(&WAYS) {
            Way::Let => Some(self.declaration(depth)),
            Way::LetLater => Some(self.later(depth)),
            Way::LetOpen => Some(self.open(depth)),
            Way::LetIgnored => {
                let ty = self.any_ty();
                let value = self.expr(&ty, depth, false);
                Some(node!(Sort::Stmt, "let _", "let _ = $;", value))
            }
            Way::Assign => self.assignment(depth),
            Way::Compound => self.compound(depth),
            Way::If => Some(self.branch(depth)),
            Way::Jump => {
                let condition = self.condition(depth);
                let jump = self.jump(depth)?;
                Some(node!(Sort::Stmt, "if jump", "if $ { $; }", condition, jump))
            }
            Way::While => Some(self.while_loop(depth)),
            Way::For => Some(self.for_loop(depth)),
            Way::Loop => Some(self.endless(depth)),
            Way::Block => {
                let inner = self.nested(depth);
                Some(node!(Sort::Stmt, "block", "{ $ }", inner))
            }
        }
    }

    /// Statements in a scope of their own.
    fn nested(&mut self, depth: usize) -> Vec<Node> {
        let outer = self.body.vars.len();
        let count = self.dice.range(1, 3);
        let inner = self.statements(count, depth.saturating_sub(1));
        self.body.vars.truncate(outer);
        inner
    }

    /// A name for a new variable: often one that another variable has.
    fn name(&mut self) -> (&'static str, String) {
        let taken: Vec<String> = self
            .body
            .visible()
            .filter(|var| !var.counter)
            .map(|var| var.name.clone())
            .collect();
        match !taken.is_empty() && self.dice.percent(15) {
            true => ("shadowing", self.dice.pick(&taken).clone()),
            false => ("let", self.fresh("v")),
        }
    }

    fn declaration(&mut self, depth: usize) -> Node {
        let ty = self.any_ty();
        let typed = self.dice.percent(40);
        let value = self.expr(&ty, depth, typed);
        let mutable = self.dice.percent(60);
        let (construct, name) = self.name();
        self.body.declare(&name, &ty, mutable);
        let mutable = if mutable { "mut " } else { "" };
        match typed {
            true => node!(Sort::Stmt, "typed let", &format!("let {mutable}{name}: {ty} = $;"), value),
            false => node!(Sort::Stmt, construct, &format!("let {mutable}{name} = $;"), value),
        }
    }

    /// `let x; if … { x = a } else { x = b }`.
    fn later(&mut self, depth: usize) -> Node {
        let ty = self.any_ty();
        let condition = self.condition(depth);
        let one = self.expr(&ty, depth - 1, false);
        let two = self.expr(&ty, depth - 1, true);
        let name = self.fresh("v");
        let mutable = self.dice.percent(50);
        self.body.declare(&name, &ty, mutable);
        let mutable = if mutable { "mut " } else { "" };
        let typed = match self.dice.percent(50) {
            true => format!(": {ty}"),
            false => String::new(),
        };
        let template = format!(
            "let {mutable}{name}{typed}; if $ {{ {name} = $; }} else {{ {name} = $; }}"
        );
        node!(Sort::Stmt, "late let", &template, condition, one, two)
    }

    /// `let mut x = 0; x = value;`: a literal whose type comes later.
    fn open(&mut self, depth: usize) -> Node {
        let ty = self.any_number();
        let value = self.expr(&ty, depth - 1, false);
        let name = self.fresh("v");
        self.body.declare(&name, &ty, true);
        let zero = match ty {
            Ty::Generic(_) => "T::ZERO",
            ref ty if super::is_float(ty) => "0.0",
            _ => "0",
        };
        // The value must say its type even if it is nothing but a literal.
        let typed = self.fresh("t");
        let template = format!("let mut {name} = {zero}; {{ let {typed}: {ty} = $; {name} = {typed}; }}");
        node!(Sort::Stmt, "open let", &template, value)
    }

    /// A variable that can be changed, and whose type is wanted.
    fn changeable(&mut self, wanted: impl Fn(&Ty) -> bool) -> Option<Var> {
        let found: Vec<Var> = self
            .body
            .visible()
            .filter(|var| var.mutable && wanted(&var.ty))
            .cloned()
            .collect();
        match found.is_empty() {
            true => None,
            false => Some(self.dice.pick(&found).clone()),
        }
    }

    fn assignment(&mut self, depth: usize) -> Option<Node> {
        let Var { place, ty, .. } = self.changeable(|_| true)?;
        let value = self.expr(&ty, depth, true);
        Some(node!(Sort::Stmt, "assignment", &format!("{place} = $;"), value))
    }

    fn compound(&mut self, depth: usize) -> Option<Node> {
        let Var { place, ty, .. } = self.changeable(|ty| matches!(ty, Ty::Scalar(_) | Ty::Generic(_)))?;
        let is_bool = ty == Ty::Scalar(Scalar::Bool);
        let is_integer = ty.scalar().is_some_and(Scalar::is_integer);
        let mut operators = Vec::new();
        if !is_bool {
            operators.extend([(4, "+="), (3, "-="), (3, "*="), (1, "/="), (1, "%=")]);
        }
        if is_integer || is_bool {
            operators.extend([(1, "&="), (1, "|="), (2, "^=")]);
        }
        if is_integer {
            operators.extend([(1, "<<="), (1, ">>=")]);
        }
        let operator = self.dice.weighted(&operators);
        let operand = match operator {
            "<<=" | ">>=" => self.any_integer().into(),
            _ => ty.clone(),
        };
        let mut value = self.expr(&operand, depth, operand == ty);
        if matches!(operator, "/=" | "%=") && is_integer && self.dice.percent(80) {
            value = node!(Sort::Expr(ty.clone()), "|", "($ | 1)", value);
        }
        if matches!(operator, "/=" | "%=") && matches!(ty, Ty::Generic(_)) {
            value = node!(Sort::Expr(ty.clone()), "generic constant", "(T::ONE + T::ONE)");
        }
        Some(node!(Sort::Stmt, operator, &format!("{place} {operator} $;"), value))
    }

    fn branch(&mut self, depth: usize) -> Node {
        let condition = self.condition(depth);
        let yes = self.nested(depth);
        if self.dice.percent(50) {
            return node!(Sort::Stmt, "if", "if $ { $ }", condition, yes);
        }
        let no = self.nested(depth);
        node!(Sort::Stmt, "if else", "if $ { $ } else { $ }", condition, yes, no)
    }

    /// Statements of a loop's body, run so often.
    fn in_loop(&mut self, rounds: usize, counter: &str, ty: &Ty, depth: usize) -> Vec<Node> {
        let (outer, before) = (self.body.vars.len(), self.body.rounds);
        self.body.declare_counter(counter, ty);
        self.body.rounds *= rounds.max(1) as u64;
        self.body.targets.push(Target {
            value: None,
            is_loop: true,
            label: None,
            needs_label: false,
        });
        let count = self.dice.range(1, 3);
        let inner = self.statements(count, depth.saturating_sub(1));
        self.body.targets.pop();
        self.body.rounds = before;
        self.body.vars.truncate(outer);
        inner
    }

    fn while_loop(&mut self, depth: usize) -> Node {
        let counter = self.fresh("n");
        let limit = self.dice.range(1, 6);
        // A condition is no place for `break`, and is evaluated in each round.
        let targets = std::mem::take(&mut self.body.targets);
        self.body.rounds *= limit as u64 + 1;
        let condition = self.condition(depth.min(2));
        self.body.rounds /= limit as u64 + 1;
        self.body.targets = targets;
        let inner = self.in_loop(limit, &counter, &Scalar::U32.into(), depth);
        let template = format!(
            "let mut {counter} = 0_u32; while {counter} < {limit} && $ {{ {counter} += 1; $ }}"
        );
        node!(Sort::Stmt, "while", &template, condition, inner)
    }

    fn endless(&mut self, depth: usize) -> Node {
        let counter = self.fresh("n");
        let limit = self.dice.range(1, 5);
        let inner = self.in_loop(limit, &counter, &Scalar::I32.into(), depth);
        let template = format!(
            "let mut {counter} = 0_i32; loop {{ {counter} += 1; if {counter} > {limit} {{ break; }} $ }}"
        );
        node!(Sort::Stmt, "loop", &template, inner)
    }

    /// `for` over a range, with bounds that may be computed.
    fn for_loop(&mut self, depth: usize) -> Node {
        let scalar = *self.dice.pick(&super::methods::INTEGERS);
        let ty = Ty::from(scalar);
        let counter = self.fresh("i");
        let rounds = self.dice.range(1, 6);
        let name = scalar.name();
        let (construct, range) = match self.dice.below(5) {
            0 => ("for", format!("0..{rounds}_{name}")),
            1 => ("for", format!("{rounds}..{}_{name}", 2 * rounds)),
            2 => ("for to the end", format!("{name}::MAX - {}..={name}::MAX", rounds - 1)),
            3 => ("for inclusive", format!("1..={rounds}_{name}")),
            _ => ("for computed", String::new()),
        };
        let range = match construct {
            "for to the end" if scalar == Scalar::Usize => "0..=2_usize".into(),
            _ => range,
        };
        if construct == "for computed" {
            let end = self.expr(&ty, depth.min(2) - 1, false);
            let inner = self.in_loop(rounds, &counter, &ty, depth);
            let template = format!("for {counter} in 0..(($) & 3) {{ $ }}");
            return node!(Sort::Stmt, construct, &template, end, inner);
        }
        let inner = self.in_loop(rounds, &counter, &ty, depth);
        let template = format!("for {counter} in {range} {{ $ }}");
        node!(Sort::Stmt, construct, &template, inner)
    }
}
