//! Statements.

use super::{
    Generator,
    flow::colon,
    methods,
    scope::{Target, Var},
};
use crate::fuzz::{
    tree::{Node, Part, Sort, node},
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
    Exits,
    Block,
    Match,
    Apart,
    WhileLet,
    Assert,
    Swap,
    CallMut,
}

const WAYS: [(usize, Way); 19] = [
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
    (2, Way::Exits),
    (1, Way::Block),
    (3, Way::Match),
    (2, Way::Apart),
    (1, Way::WhileLet),
    (1, Way::Assert),
    (1, Way::Swap),
    (3, Way::CallMut),
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
            Way::Exits => Some(self.loop_with_exits(depth)),
            Way::Block => {
                let inner = self.nested(depth);
                Some(node!(Sort::Stmt, "block", "{ $ }", inner))
            }
            Way::Match => Some(self.match_statement(depth)),
            Way::Apart => self.taken_apart(depth),
            Way::WhileLet => Some(self.while_let(depth)),
            Way::Assert => Some(self.assertion(depth)),
            Way::Swap => self.swap(depth),
            Way::CallMut => match self.dice.percent(50) {
                true => self.call_with_line(depth),
                false => self.call_by_reference(depth),
            },
        }
    }

    /// Statements in a scope of their own.
    pub(super) fn nested(&mut self, depth: usize) -> Vec<Node> {
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
            true => node!(
                Sort::Stmt,
                "typed let",
                &format!("let {mutable}{name}: {ty} = $;"),
                value
            ),
            false => node!(
                Sort::Stmt,
                construct,
                &format!("let {mutable}{name} = $;"),
                value
            ),
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
        let template =
            format!("let {mutable}{name}{typed}; if $ {{ {name} = $; }} else {{ {name} = $; }}");
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
        let template =
            format!("let mut {name} = {zero}; {{ let {typed}: {ty} = $; {name} = {typed}; }}");
        node!(Sort::Stmt, "open let", &template, value)
    }

    /// A place that can be changed, and whose type is wanted: a template with holes for indices.
    pub(super) fn place(
        &mut self,
        wanted: &dyn Fn(&Ty) -> bool,
        depth: usize,
    ) -> Option<(Var, String, Vec<Part>, Ty)> {
        let mut found = Vec::new();
        for var in self.body.visible().filter(|var| var.mutable) {
            let ways = var.ty.ways_to(wanted).into_iter();
            // No line is assigned as a whole.
            let ways = ways.filter(|(_, ty)| !matches!(ty, Ty::Line(..)));
            found.extend(ways.map(|(way, ty)| (var.clone(), way, ty)));
        }
        if found.is_empty() {
            return None;
        }
        let (var, way, ty) = self.dice.pick(&found).clone();
        let (template, holes, _) = self.steps(&var.place, &way, depth);
        Some((var, template, holes, ty))
    }

    fn assignment(&mut self, depth: usize) -> Option<Node> {
        let (_, place, mut holes, ty) = self.place(&|_| true, depth)?;
        holes.push(self.expr(&ty, depth, true).into());
        let construct = match place.contains(['[', '.']) {
            true => "assignment to a part",
            false => "assignment",
        };
        Some(Node::new(
            Sort::Stmt,
            construct,
            &format!("{place} = $;"),
            holes,
        ))
    }

    fn compound(&mut self, depth: usize) -> Option<Node> {
        let scalar = |ty: &Ty| matches!(ty, Ty::Scalar(_) | Ty::Generic(_));
        let (held, place, mut holes, ty) = self.place(&scalar, depth)?;
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
        // An operator of a type parameter is a call, which holds the place while its operand is computed: so
        // the operand changes nothing of the variable.
        let before = self.body.vars.clone();
        if matches!(ty, Ty::Generic(_)) {
            for var in &mut self.body.vars {
                var.mutable &= var.name != held.name;
            }
        }
        let mut value = match place.contains('[') && self.is_generic() {
            // What is assigned to an element in a generic function must be a plain value there.
            true => super::plain(&operand)?,
            false => self.expr(&operand, depth, operand == ty),
        };
        for (var, before) in self.body.vars.iter_mut().zip(before) {
            var.mutable = before.mutable;
        }
        if matches!(operator, "/=" | "%=") && is_integer && self.dice.percent(85) {
            value = node!(Sort::Expr(ty.clone()), "|", "($ | 1)", value);
        }
        if matches!(operator, "/=" | "%=") && matches!(ty, Ty::Generic(_)) {
            value = node!(Sort::Expr(ty), "generic constant", "(T::ONE + T::ONE)");
        }
        holes.push(value.into());
        Some(Node::new(
            Sort::Stmt,
            operator,
            &format!("{place} {operator} $;"),
            holes,
        ))
    }

    /// `(a, b) = (…, …);`
    fn swap(&mut self, depth: usize) -> Option<Node> {
        let (_, one, mut holes, first) = self.place(&|_| true, depth.min(2))?;
        let (_, two, more, second) = self.place(&|_| true, depth.min(2))?;
        holes.extend(more);
        let both = Ty::Tuple([first, second].into());
        let value = match self.dice.percent(70) {
            true => self.built(&both, depth)?,
            false => self.expr(&both, depth, false),
        };
        holes.push(value.into());
        let template = format!("({one}, {two}) = $;");
        Some(Node::new(
            Sort::Stmt,
            "assignment to a tuple",
            &template,
            holes,
        ))
    }

    /// `assert!` and its like, which most often hold.
    fn assertion(&mut self, depth: usize) -> Node {
        let integer: Ty = self.any_integer().into();
        let left = self.expr(&integer, depth - 1, false);
        match self.dice.below(5) {
            0 => {
                let number = self.dice.range(0, 50);
                let template = format!("assert_ne!($, {number});");
                node!(Sort::Stmt, "assert_ne!", &template, left)
            }
            1 => {
                let right = self.expr(&integer, depth - 1, true);
                let template = "assert_eq!($ & 0, $ & 0, \"nothing is nothing\");";
                node!(Sort::Stmt, "assert_eq!", template, left, right)
            }
            2 => {
                let condition = self.condition(depth);
                let template = "assert!($ || $ != 7, \"neither\");";
                node!(Sort::Stmt, "assert!", template, condition, left)
            }
            3 => node!(Sort::Stmt, "debug_assert!", "debug_assert!($ != 3);", left),
            _ => node!(Sort::Stmt, "assert!", "assert!($ != 11);", left),
        }
    }

    fn branch(&mut self, depth: usize) -> Node {
        let condition = self.condition(depth);
        let yes = self.nested(depth);
        if self.dice.percent(50) {
            return node!(Sort::Stmt, "if", "if $ { $ }", condition, yes);
        }
        let no = self.nested(depth);
        node!(
            Sort::Stmt,
            "if else",
            "if $ { $ } else { $ }",
            condition,
            yes,
            no
        )
    }

    /// The label and the statements of a loop whose body runs so often.
    pub(super) fn in_loop(
        &mut self,
        rounds: usize,
        counter: &str,
        ty: &Ty,
        depth: usize,
    ) -> (String, Vec<Node>) {
        let (outer, before) = (self.body.vars.len(), self.body.rounds);
        self.body.declare_counter(counter, ty);
        self.body.rounds *= rounds.max(1) as u64;
        let label = self.label();
        self.body.targets.push(Target {
            value: None,
            is_loop: true,
            label: label.clone(),
        });
        let count = self.dice.range(1, 3);
        let inner = self.statements(count, depth.saturating_sub(1));
        self.body.targets.pop();
        self.body.rounds = before;
        self.body.vars.truncate(outer);
        (colon(label.as_deref()), inner)
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
        let (label, inner) = self.in_loop(limit, &counter, &Scalar::U32.into(), depth);
        let template = format!(
            "let mut {counter} = 0_u32; {label}while {counter} < {limit} && $ {{ {counter} += 1; $ }}"
        );
        node!(Sort::Stmt, "while", &template, condition, inner)
    }

    fn endless(&mut self, depth: usize) -> Node {
        let counter = self.fresh("n");
        let limit = self.dice.range(1, 5);
        let (label, inner) = self.in_loop(limit, &counter, &Scalar::I32.into(), depth);
        let template = format!(
            "let mut {counter} = 0_i32; {label}loop {{ {counter} += 1; if {counter} > {limit} {{ break; }} $ }}"
        );
        node!(Sort::Stmt, "loop", &template, inner)
    }

    /// `for` over a range, whose bounds may be computed, or over an array.
    fn for_loop(&mut self, depth: usize) -> Node {
        let arrays: Vec<Ty> = self
            .pool
            .iter()
            .filter(|ty| matches!(ty, Ty::Array(..)))
            .cloned()
            .collect();
        let lines = self.lines();
        if !lines.is_empty() && self.dice.percent(50) {
            return self.for_line(&lines, depth);
        }
        let views = self
            .body
            .visible()
            .filter(|var| matches!(var.ty, Ty::View(_)));
        let views: Vec<Var> = views.cloned().collect();
        if !views.is_empty() && self.dice.percent(40) {
            let view = self.dice.pick(&views).clone();
            return self.for_view(&view, depth);
        }
        if !arrays.is_empty() && self.dice.percent(30) {
            let of = self.dice.pick(&arrays).clone();
            return self.for_elements(&of, depth);
        }
        let scalar = *self.dice.pick(&methods::INTEGERS);
        let ty = Ty::from(scalar);
        let counter = self.fresh("i");
        let rounds = self.dice.range(1, 6);
        let name = scalar.name();
        let (construct, range) = match self.dice.below(8) {
            0 => ("for", format!("0..{rounds}_{name}")),
            1 => ("for", format!("{rounds}..{}_{name}", 2 * rounds)),
            2 if !matches!(scalar, Scalar::Usize | Scalar::Isize) => (
                "for to the end",
                format!("{name}::MAX - {}..={name}::MAX", rounds - 1),
            ),
            3 => ("for inclusive", format!("1..={rounds}_{name}")),
            4 => ("for reversed", format!("(0..{rounds}_{name}).rev()")),
            5 => (
                "for in steps",
                format!("(0..{}_{name}).step_by(3)", 3 * rounds),
            ),
            _ => ("for computed", String::new()),
        };
        if construct == "for computed" {
            let end = self.expr(&ty, depth.min(2) - 1, false);
            let (label, inner) = self.in_loop(rounds, &counter, &ty, depth);
            let template = format!("{label}for {counter} in 0..(($) & 3) {{ $ }}");
            return node!(Sort::Stmt, construct, &template, end, inner);
        }
        let (label, inner) = self.in_loop(rounds, &counter, &ty, depth);
        let template = format!("{label}for {counter} in {range} {{ $ }}");
        node!(Sort::Stmt, construct, &template, inner)
    }

    fn for_elements(&mut self, of: &Ty, depth: usize) -> Node {
        let Ty::Array(elem, len) = of else {
            return node!(Sort::Stmt, "block", "{}");
        };
        let element = self.fresh("x");
        let whole = self.expr(of, depth - 1, false);
        let (label, inner) = self.in_loop(*len, &element, elem, depth);
        let template = format!("{label}for {element} in $ {{ $ }}");
        node!(Sort::Stmt, "for elements", &template, whole, inner)
    }

    /// `for` over a slice, by value, perhaps with the index.
    fn for_view(&mut self, view: &Var, depth: usize) -> Node {
        let Ty::View(elem) = &view.ty else {
            return node!(Sort::Stmt, "block", "{}");
        };
        let (element, place) = (self.fresh("x"), &view.place);
        let (pattern, over, construct) = match self.dice.below(4) {
            0 => (format!("&{element}"), place.clone(), "for a view"),
            1 => (format!("&{element}"), format!("{place}.iter()"), "for iter"),
            2 => (
                element.clone(),
                format!("{place}.iter().copied()"),
                "for copied",
            ),
            _ => {
                let index = self.fresh("i");
                let pattern = format!("({index}, &{element})");
                (
                    pattern,
                    format!("{place}.iter().enumerate()"),
                    "for enumerate",
                )
            }
        };
        let (label, inner) = self.in_loop(7, &element, elem, depth);
        let template = format!("{label}for {pattern} in {over} {{ $ }}");
        node!(Sort::Stmt, construct, &template, inner)
    }
}
