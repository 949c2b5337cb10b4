//! Expressions.

use super::{Callable, Generator, is_float, methods};
use crate::fuzz::{
    tree::{Node, Sort, node},
    types::{Scalar, Ty},
};

/// Ways to make a value.
#[derive(Clone, Copy)]
enum Way {
    Leaf,
    Arithmetic,
    Division,
    Bits,
    Shift,
    Unary,
    Cast,
    Lossless,
    Method,
    Compare,
    Logic,
    Call,
    Flow,
}

use Way::*;

/// Ways to a value of the type, with how often they are taken.
fn ways(ty: &Ty) -> Vec<(usize, Way)> {
    let mut ways = vec![(4, Leaf), (4, Call), (5, Flow)];
    match ty {
        Ty::Scalar(Scalar::Bool) => ways.extend([
            (9, Compare),
            (6, Logic),
            (2, Unary),
            (2, Bits),
            (2, Method),
        ]),
        Ty::Scalar(s) if s.is_integer() => ways.extend([
            (9, Arithmetic),
            (3, Division),
            (4, Bits),
            (3, Shift),
            (2, Unary),
            (4, Cast),
            (1, Lossless),
            (5, Method),
        ]),
        Ty::Scalar(_) => ways.extend([
            (10, Arithmetic),
            (3, Division),
            (2, Unary),
            (4, Cast),
            (1, Lossless),
            (7, Method),
        ]),
        Ty::Generic(_) => ways.extend([(10, Arithmetic), (1, Division), (1, Unary), (4, Method)]),
        _ => {}
    }
    ways
}

impl Generator {
    /// A value of this type. `forced`: what is around it says its type, so that literals may go
    /// without a suffix.
    pub(super) fn expr(&mut self, ty: &Ty, depth: usize, forced: bool) -> Node {
        self.body.pay();
        if depth == 0 || !self.body.affords(1) {
            return self.leaf(ty, forced);
        }
        let way = self.dice.weighted(&ways(ty));
        let made = match way {
            Leaf => None,
            Arithmetic => Some(self.arithmetic(ty, depth, forced)),
            Division => Some(self.division(ty, depth)),
            Bits => Some(self.bits(ty, depth, forced)),
            Shift => Some(self.shift(ty, depth)),
            Unary => self.unary(ty, depth, forced),
            Cast => self.cast(ty, depth),
            Lossless => self.lossless(ty, depth),
            Method => self.method(ty, depth),
            Compare => Some(self.compare(depth)),
            Logic => Some(self.logic(depth)),
            Call => self.call(ty, depth),
            Flow => self.flow(ty, depth, forced),
        };
        made.unwrap_or_else(|| self.leaf(ty, forced))
    }

    fn arithmetic(&mut self, ty: &Ty, depth: usize, forced: bool) -> Node {
        let (construct, template) = *self.dice.pick(&[
            ("+", "($ + $)"),
            ("-", "($ - $)"),
            ("*", "($ * $)"),
            ("+", "($ + $)"),
        ]);
        // Of two literals one at least needs its type from elsewhere.
        let open_left = self.dice.percent(30);
        let left = self.expr(ty, depth - 1, forced || open_left);
        let right = self.expr(ty, depth - 1, forced || !open_left);
        node!(Sort::Expr(ty.clone()), construct, template, left, right)
    }

    fn division(&mut self, ty: &Ty, depth: usize) -> Node {
        let construct = *self.dice.pick(&["/", "%"]);
        let left = self.expr(ty, depth - 1, false);
        let right = self.expr(ty, depth - 1, true);
        let right = match is_float(ty) || self.dice.percent(15) {
            true => right,
            false => self.divisor(ty, right),
        };
        let template = format!("($ {construct} $)");
        node!(Sort::Expr(ty.clone()), construct, &template, left, right)
    }

    /// A divisor that is rarely zero.
    fn divisor(&mut self, ty: &Ty, divisor: Node) -> Node {
        let sort = Sort::Expr(ty.clone());
        match ty {
            Ty::Generic(_) => node!(sort, "generic constant", "(T::ONE + T::ONE)"),
            _ if self.dice.percent(40) => {
                let positive = self.dice.range(1, 100).to_string();
                node!(sort, "open literal", &positive)
            }
            _ => node!(sort, "|", "($ | 1)", divisor),
        }
    }

    fn bits(&mut self, ty: &Ty, depth: usize, forced: bool) -> Node {
        let construct = *self.dice.pick(&["&", "|", "^"]);
        let left = self.expr(ty, depth - 1, false);
        let right = self.expr(ty, depth - 1, forced || *ty != Ty::Scalar(Scalar::Bool));
        let template = format!("($ {construct} $)");
        node!(Sort::Expr(ty.clone()), construct, &template, left, right)
    }

    fn shift(&mut self, ty: &Ty, depth: usize) -> Node {
        let construct = *self.dice.pick(&["<<", ">>"]);
        let left = self.expr(ty, depth - 1, false);
        let amount: Ty = self.any_integer().into();
        let right = self.expr(&amount, depth - 1, false);
        let template = format!("($ {construct} $)");
        node!(Sort::Expr(ty.clone()), construct, &template, left, right)
    }

    fn unary(&mut self, ty: &Ty, depth: usize, forced: bool) -> Option<Node> {
        let sort = Sort::Expr(ty.clone());
        let negative = is_float(ty) || ty.scalar().is_some_and(Scalar::is_signed);
        let not = ty.scalar().is_some_and(|s| !s.is_float());
        let (construct, template) = match (negative, not) {
            (false, false) => return None,
            (true, false) => ("negation", "(-$)"),
            (false, true) => ("not", "(!$)"),
            (true, true) => *self
                .dice
                .pick(&[("negation", "(-$)"), ("not", "(!$)")]),
        };
        let operand = self.expr(ty, depth - 1, forced && construct == "negation");
        // `-128_i8` is one literal, `-(-5)` is not.
        Some(match operand.text().starts_with('-') {
            true => operand,
            false => node!(sort, construct, template, operand),
        })
    }

    fn cast(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        let to = ty.scalar()?;
        let mut from: Vec<Scalar> = self.pool.iter().filter_map(Ty::scalar).collect();
        from.retain(|from| !(to.is_float() && *from == Scalar::Bool));
        from.push(*self.dice.pick(&methods::INTEGERS));
        let from: Ty = (*self.dice.pick(&from)).into();
        let operand = self.expr(&from, depth - 1, false);
        let template = format!("($ as {ty})");
        let sort = Sort::Expr(ty.clone());
        Some(match self.dice.percent(20) {
            // In two steps, as one writes where the value must be cut.
            true => {
                let between = self.any_integer();
                let template = format!("($ as {} as {ty})", between.name());
                node!(sort, "cast", &template, operand)
            }
            false => node!(sort, "cast", &template, operand),
        })
    }

    fn lossless(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        let known = |s: &&Scalar| **s == Scalar::Bool || s.is_float() || methods::INTEGERS.contains(s);
        let from = ty.scalar()?.lossless();
        let from: Vec<Scalar> = from.iter().filter(known).copied().collect();
        if from.is_empty() {
            return None;
        }
        let from: Ty = (*self.dice.pick(&from)).into();
        let operand = self.expr(&from, depth - 1, false);
        let template = format!("{ty}::from($)");
        Some(node!(Sort::Expr(ty.clone()), "From", &template, operand))
    }

    pub(super) fn compare(&mut self, depth: usize) -> Node {
        let ty = match self.dice.percent(10) {
            true => Scalar::Bool.into(),
            false => self.any_number(),
        };
        let construct = *self.dice.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let left = self.expr(&ty, depth - 1, false);
        let right = self.expr(&ty, depth - 1, true);
        // Comparison borrows: what stands left must not be a variable that the right side changes.
        let left_hole = if right.text().contains('{') { "{ $ }" } else { "$" };
        let template = format!("({left_hole} {construct} $)");
        node!(
            Sort::Expr(Scalar::Bool.into()),
            construct,
            &template,
            left,
            right
        )
    }

    fn logic(&mut self, depth: usize) -> Node {
        let construct = *self.dice.pick(&["&&", "||"]);
        let ty = Ty::from(Scalar::Bool);
        let left = self.expr(&ty, depth - 1, false);
        let right = self.expr(&ty, depth - 1, false);
        let template = format!("($ {construct} $)");
        node!(Sort::Expr(ty), construct, &template, left, right)
    }

    /// A call of another user function that gives `ty`.
    pub(super) fn call(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        let fits = |c: &&Callable| match &c.ret {
            Ty::Generic(_) => ty.scalar().is_some_and(|s| c.instances.contains(&s)),
            ret => ret == ty,
        };
        let found: Vec<Callable> = self
            .callables
            .iter()
            .filter(fits)
            .filter(|c| self.body.affords(c.cost))
            .cloned()
            .collect();
        if found.is_empty() {
            return None;
        }
        let callee = self.dice.pick(&found).clone();
        self.body.cost += self.body.rounds * callee.cost;
        let instance = match (&callee.ret, ty) {
            (Ty::Generic(_), ty) => ty.clone(),
            _ if callee.instances.is_empty() => Ty::Unit,
            _ => (*self.dice.pick(&callee.instances)).into(),
        };
        let mut holes = Vec::new();
        for param in &callee.params {
            let ty = match param {
                Ty::Generic(_) => &instance,
                ty => ty,
            };
            // A literal for a `T` would be one for any type.
            let forced = !matches!(param, Ty::Generic(_));
            holes.push(self.expr(ty, depth - 1, forced).into());
        }
        let (construct, turbofish) = self.turbofish(&callee, &instance);
        let args = vec!["$"; holes.len()].join(", ");
        let template = format!("{}{turbofish}({args})", callee.name);
        Some(Node::new(Sort::Expr(ty.clone()), construct, &template, holes))
    }

    fn turbofish(&mut self, callee: &Callable, instance: &Ty) -> (&'static str, String) {
        if let Some(scalar) = callee.constant {
            let value = match scalar {
                Scalar::Bool => (*self.dice.pick(&["true", "false"])).into(),
                _ => self.dice.below(5).to_string(),
            };
            return ("call with a constant", format!("::<{value}>"));
        }
        if callee.instances.is_empty() {
            return ("call", String::new());
        }
        let told = callee.params.iter().any(|p| matches!(p, Ty::Generic(_)));
        match told && self.dice.percent(50) {
            true => ("generic call", String::new()),
            false => ("generic call", format!("::<{instance}>")),
        }
    }
}
