//! Patterns, and what uses them.

use super::Generator;
use crate::fuzz::{
    tree::{Node, Part, Sort, node},
    types::{Scalar, Ty},
};

/// A pattern's text, and the variables that it binds.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    pub(super) text: String,
    bound: Vec<(String, Ty, bool)>,
}

impl Generator {
    /// A pattern for values of this type. `refutable`: not all values fit, perhaps.
    pub(super) fn pattern(&mut self, ty: &Ty, refutable: bool, depth: usize) -> Pattern {
        if depth == 0 || self.dice.percent(if refutable { 15 } else { 30 }) {
            return match self.dice.percent(60) {
                true => self.binding(ty),
                false => plain_text("_"),
            };
        }
        match ty {
            Ty::Scalar(scalar) if refutable => self.scalar_pattern(*scalar),
            Ty::Enum(e) if refutable => {
                let mut texts = vec![self.dice.pick(&e.variants).clone()];
                if self.dice.percent(30) {
                    texts.push(self.dice.pick(&e.variants).clone());
                }
                let texts: Vec<String> = texts.iter().map(|v| format!("{}::{v}", e.name)).collect();
                plain_text(&texts.join(" | "))
            }
            Ty::Scalar(_)
            | Ty::Enum(_)
            | Ty::Generic(_)
            | Ty::Unit
            | Ty::View(_)
            | Ty::Line(..) => self.binding(ty),
            Ty::Tuple(parts) => {
                let parts: Vec<Pattern> = parts
                    .iter()
                    .map(|ty| self.pattern(ty, refutable, depth - 1))
                    .collect();
                joined("(", parts, ",)")
            }
            Ty::Array(elem, len) => {
                let parts = (0..*len)
                    .map(|_| {
                        let mut part = self.pattern(elem, refutable, depth - 1);
                        if part.text.contains("..") {
                            part.text = format!("({})", part.text);
                        }
                        part
                    })
                    .collect();
                joined("[", parts, "]")
            }
            Ty::Struct(s) => {
                let mut parts: Vec<Pattern> = Vec::new();
                let leave_out = self.dice.percent(40) && !s.is_tuple;
                for (k, (name, ty)) in s.fields.iter().enumerate() {
                    if leave_out && k > 0 {
                        continue;
                    }
                    let mut part = self.pattern(ty, refutable, depth - 1);
                    if !s.is_tuple {
                        part.text = format!("{name}: {}", part.text);
                    }
                    parts.push(part);
                }
                if leave_out {
                    parts.push(plain_text(".."));
                }
                match s.is_tuple {
                    true => joined(&format!("{}(", s.name), parts, ")"),
                    false => joined(&format!("{} {{ ", s.name), parts, " }"),
                }
            }
        }
    }

    fn binding(&mut self, ty: &Ty) -> Pattern {
        let name = self.fresh("b");
        let mutable = self.dice.percent(20);
        Pattern {
            text: format!("{}{name}", if mutable { "mut " } else { "" }),
            bound: vec![(name, ty.clone(), mutable)],
        }
    }

    fn scalar_pattern(&mut self, scalar: Scalar) -> Pattern {
        if scalar == Scalar::Bool {
            let text = if self.dice.percent(50) {
                "true"
            } else {
                "false"
            };
            return plain_text(text);
        }
        let mut text = self.number_pattern(scalar);
        while self.dice.percent(25) {
            text = format!("{text} | {}", self.number_pattern(scalar));
        }
        if self.dice.percent(20) {
            let name = self.fresh("b");
            return Pattern {
                text: format!("{name} @ ({text})"),
                bound: vec![(name, scalar.into(), false)],
            };
        }
        match self.dice.percent(10) {
            true => plain_text(&format!("({text})")),
            false => plain_text(&text),
        }
    }

    fn number_pattern(&mut self, scalar: Scalar) -> String {
        let point = if scalar.is_float() { ".5" } else { "" };
        let (low, high) = (self.dice.range(1, 9), self.dice.range(10, 60));
        let minus = match scalar.is_float() || scalar.is_signed() {
            true if self.dice.percent(30) => "-",
            _ => "",
        };
        let named: Vec<String> = self
            .constants
            .iter()
            .filter(|(name, ty)| ty.scalar() == Some(scalar) && name != "N" && !name.contains("::"))
            .map(|(name, _)| name.clone())
            .collect();
        match self.dice.below(9) {
            0 | 1 => format!("{minus}{low}{point}..={high}{point}"),
            2 => format!("{minus}{low}{point}..{high}{point}"),
            3 => format!("..{low}{point}"),
            4 => format!("..={low}{point}"),
            5 => format!("{high}{point}.."),
            6 if !named.is_empty() => self.dice.pick(&named).clone(),
            7 if !scalar.is_float() => format!("{}::MAX", scalar.name()),
            _ => format!("{minus}{}{point}", self.dice.below(5)),
        }
    }

    /// Makes the variables of a pattern known.
    fn bind(&mut self, pattern: &Pattern) {
        for (name, ty, mutable) in &pattern.bound {
            self.body.declare(name, ty, *mutable);
        }
    }

    /// A type that patterns are worth it for.
    fn matched_ty(&mut self) -> Ty {
        let found: Vec<Ty> = self
            .pool
            .iter()
            .filter(|ty| !matches!(ty, Ty::Generic(_)))
            .cloned()
            .collect();
        if self.dice.percent(25) && !found.is_empty() {
            let parts = (0..2).map(|_| self.dice.pick(&found).clone()).collect();
            return Ty::Tuple(parts);
        }
        match found.is_empty() {
            true => Scalar::U32.into(),
            false => self.dice.pick(&found).clone(),
        }
    }

    /// What is matched: a guard must not change it, so it is a value of its own.
    fn scrutinee(&mut self, ty: &Ty, depth: usize) -> Node {
        let value = self.expr(ty, depth - 1, false);
        node!(Sort::Expr(ty.clone()), "block value", "{ $ }", value)
    }

    /// `match` that gives a value of `ty`.
    pub(super) fn match_value(&mut self, ty: &Ty, depth: usize, forced: bool) -> Node {
        let of = self.matched_ty();
        let scrutinee = self.scrutinee(&of, depth);
        let mut arms = Vec::new();
        for _ in 0..self.dice.range(1, 3) {
            arms.push(self.arm(&of, depth, true, &mut |g, depth| {
                g.arm_value(ty, depth, forced)
            }));
        }
        // Where all arms jump, the whole has no type, and no operator takes it.
        let (all, last) = self.last_arms(&of, depth, &mut |g, depth| g.expr(ty, depth, forced));
        let construct = match all {
            true => "match on all variants",
            false => "match value",
        };
        let template = "(match $ { $$ })";
        node!(
            Sort::Expr(ty.clone()),
            construct,
            template,
            scrutinee,
            arms,
            last
        )
    }

    fn arm_value(&mut self, ty: &Ty, depth: usize, forced: bool) -> Node {
        match self.dice.percent(8) {
            true => match self.jump(depth) {
                Some(jump) => jump,
                None => self.expr(ty, depth, forced),
            },
            false => self.expr(ty, depth, forced),
        }
    }

    /// `match` as a statement.
    pub(super) fn match_statement(&mut self, depth: usize) -> Node {
        let of = self.matched_ty();
        let scrutinee = self.scrutinee(&of, depth);
        let mut body = |g: &mut Generator, depth: usize| {
            let inner = g.nested(depth);
            node!(Sort::Fixed, "arm block", "{ $ }", inner)
        };
        let mut arms = Vec::new();
        for _ in 0..self.dice.range(1, 3) {
            arms.push(self.arm(&of, depth, true, &mut body));
        }
        let (_, last) = self.last_arms(&of, depth, &mut body);
        node!(Sort::Stmt, "match", "match $ { $$ }", scrutinee, arms, last)
    }

    fn arm(
        &mut self,
        of: &Ty,
        depth: usize,
        refutable: bool,
        body: &mut dyn FnMut(&mut Generator, usize) -> Node,
    ) -> Node {
        let outer = self.body.vars.len();
        let pattern = self.pattern(of, refutable, 2);
        self.bind(&pattern);
        let guard = (refutable && self.dice.percent(30)).then(|| {
            // Bindings cannot be changed in a guard.
            let before = self.body.vars.clone();
            let names: Vec<&String> = pattern.bound.iter().map(|(name, ..)| name).collect();
            for var in &mut self.body.vars {
                if names.contains(&&var.name) {
                    var.mutable = false;
                }
            }
            let guard = self.expr(&Scalar::Bool.into(), depth.saturating_sub(1), false);
            self.body.vars = before;
            guard
        });
        let value = body(self, depth.saturating_sub(1));
        self.body.vars.truncate(outer);
        let text = &pattern.text;
        match guard {
            Some(guard) => {
                let template = format!("{text} if $ => {{ $ }}");
                node!(Sort::Fixed, "guard", &template, guard, value)
            }
            None => node!(Sort::Fixed, "arm", &format!("{text} => {{ $ }}"), value),
        }
    }

    /// Arms that take whatever is left; `true` if each variant has its own.
    fn last_arms(
        &mut self,
        of: &Ty,
        depth: usize,
        body: &mut dyn FnMut(&mut Generator, usize) -> Node,
    ) -> (bool, Node) {
        let texts: Vec<String> = match of {
            Ty::Enum(e) if self.dice.percent(50) => e
                .variants
                .iter()
                .map(|v| format!("{}::{v}", e.name))
                .collect(),
            Ty::Scalar(Scalar::Bool) if self.dice.percent(50) => {
                vec!["false".into(), "true".into()]
            }
            of => {
                let arm = self.arm(of, depth, false, body);
                return (false, arm);
            }
        };
        let mut template = String::new();
        let mut values: Vec<Part> = Vec::new();
        for text in texts {
            values.push(body(self, depth.saturating_sub(1)).into());
            template.push_str(&format!("{text} => {{ $ }}\n"));
        }
        (true, Node::new(Sort::Fixed, "arms", &template, values))
    }

    /// `if let … else` that gives a value, perhaps with a condition before it.
    pub(super) fn if_let_value(&mut self, ty: &Ty, depth: usize, forced: bool) -> Node {
        let of = self.matched_ty();
        let chained = self.dice.percent(30);
        let condition = match chained {
            true => self.condition(depth.min(2)),
            false => node!(Sort::Fixed, "no condition", ""),
        };
        let scrutinee = self.scrutinee(&of, depth);
        let outer = self.body.vars.len();
        let pattern = self.pattern(&of, true, 2);
        self.bind(&pattern);
        let yes = self.block(ty, depth, forced);
        self.body.vars.truncate(outer);
        let no = self.block(ty, depth, forced);
        let (construct, and) = match chained {
            true => ("let chain", "$ && "),
            false => ("if let", "$"),
        };
        let template = format!("(if {and}let {} = $ $ else $)", pattern.text);
        let sort = Sort::Expr(ty.clone());
        node!(sort, construct, &template, condition, scrutinee, yes, no)
    }

    /// `matches!(…)`.
    pub(super) fn matches(&mut self, depth: usize) -> Node {
        let of = self.matched_ty();
        let value = self.scrutinee(&of, depth);
        let outer = self.body.vars.len();
        let mut pattern = self.pattern(&of, true, 2);
        // As the beginning of a macro's pattern `..` is not understood.
        if pattern.text.starts_with("..") {
            pattern.text = format!("({})", pattern.text);
        }
        let sort = Sort::Expr(Scalar::Bool.into());
        if self.dice.percent(70) {
            return node!(
                sort,
                "matches!",
                &format!("matches!($, {})", pattern.text),
                value
            );
        }
        for (name, ty, _) in &pattern.bound {
            self.body.declare(name, ty, false);
        }
        let guard = self.expr(&Scalar::Bool.into(), depth.min(2) - 1, false);
        self.body.vars.truncate(outer);
        let template = format!("matches!($, {} if $)", pattern.text);
        node!(sort, "matches!", &template, value, guard)
    }

    /// `let (a, b) = …`, or `let … else`.
    pub(super) fn taken_apart(&mut self, depth: usize) -> Option<Node> {
        let of = self.matched_ty();
        let value = self.expr(&of, depth - 1, false);
        if self.dice.percent(40) {
            let jump = self.jump(depth.min(2))?;
            let pattern = self.pattern(&of, true, 2);
            self.bind(&pattern);
            let template = format!("let {} = $ else {{ $ }};", or_in_parens(&pattern.text));
            let value = node!(Sort::Expr(of), "block value", "({ $ })", value);
            return Some(node!(Sort::Stmt, "let else", &template, value, jump));
        }
        if of.parts().is_empty() {
            return None;
        }
        let pattern = self.pattern(&of, false, 2);
        self.bind(&pattern);
        let template = format!("let {} = $;", pattern.text);
        Some(node!(Sort::Stmt, "let pattern", &template, value))
    }

    /// `while let`, as long as a counter allows.
    pub(super) fn while_let(&mut self, depth: usize) -> Node {
        let of = self.matched_ty();
        let (counter, limit) = (self.fresh("n"), self.dice.range(1, 4));
        let targets = std::mem::take(&mut self.body.targets);
        self.body.rounds *= limit as u64 + 1;
        let value = self.scrutinee(&of, depth.min(3));
        self.body.rounds /= limit as u64 + 1;
        self.body.targets = targets;
        let outer = self.body.vars.len();
        let pattern = self.pattern(&of, true, 2);
        self.bind(&pattern);
        let (label, inner) = self.in_loop(limit, &counter, &Scalar::U32.into(), depth);
        self.body.vars.truncate(outer);
        let template = format!(
            "let mut {counter} = 0_u32; {label}while {counter} < {limit} && let {} = $ {{ {counter} += 1; $ }}",
            pattern.text
        );
        node!(Sort::Stmt, "while let", &template, value, inner)
    }
}

fn or_in_parens(text: &str) -> String {
    match text.contains('|') && !text.starts_with('(') {
        true => format!("({text})"),
        false => text.to_owned(),
    }
}

fn plain_text(text: &str) -> Pattern {
    Pattern {
        text: text.into(),
        bound: Vec::new(),
    }
}

fn joined(open: &str, parts: Vec<Pattern>, close: &str) -> Pattern {
    let texts: Vec<&str> = parts.iter().map(|p| p.text.as_str()).collect();
    Pattern {
        text: format!("{open}{}{close}", texts.join(", ")),
        bound: parts.into_iter().flat_map(|p| p.bound).collect(),
    }
}
