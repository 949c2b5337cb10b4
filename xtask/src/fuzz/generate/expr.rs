//! Expressions.

use super::{
    Callable, Generator, composite,
    function::{Form, Pass, names},
    is_float, methods,
};
use crate::fuzz::{
    tree::{Node, Part, Sort, node},
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
    Part,
    Build,
    Matches,
    Length,
    Operator,
}

use Way::*;

/// Ways to a value of the type, with how often they are taken.
fn ways(ty: &Ty) -> Vec<(usize, Way)> {
    let mut ways = vec![(4, Leaf), (4, Call), (5, Flow), (4, Part)];
    match ty {
        Ty::Scalar(Scalar::Bool) => ways.extend([
            (9, Compare),
            (6, Logic),
            (2, Unary),
            (2, Bits),
            (2, Method),
            (1, Matches),
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
            (usize::from(*s == Scalar::Usize), Length),
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
        _ => ways.extend([(8, Build), (2, Operator)]),
    }
    ways
}

impl Generator {
    /// A value of this type. `forced`: what is around it says its type, so that literals may go
    /// without a suffix. Otherwise its own text says it; one way out of it at least is no jump.
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
            Part => self.part(ty, depth),
            Build => self.built(ty, depth),
            Matches => Some(self.matches(depth)),
            Length => self.length(),
            Operator => self.own_operator(ty, depth),
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
            (true, true) => *self.dice.pick(&[("negation", "(-$)"), ("not", "(!$)")]),
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
        let enums: Vec<Ty> = self
            .pool
            .iter()
            .filter(|ty| matches!(ty, Ty::Enum(_)))
            .cloned()
            .collect();
        if !enums.is_empty() && to.is_integer() && self.dice.percent(40) {
            let of = self.dice.pick(&enums).clone();
            let operand = self.expr(&of, depth - 1, false);
            let template = format!("($ as {ty})");
            return Some(node!(
                Sort::Expr(ty.clone()),
                "cast of an enum",
                &template,
                operand
            ));
        }
        let from: Ty = (*self.dice.pick(&from)).into();
        let operand = self.expr(&from, depth - 1, false);
        let template = match to {
            // Devices have 32 bits there, and say so beyond.
            Scalar::Usize | Scalar::Isize if self.dice.percent(90) => format!("($ as u16 as {ty})"),
            _ => format!("($ as {ty})"),
        };
        let sort = Sort::Expr(ty.clone());
        let operand = match from {
            // `bool` becomes nothing narrower than an integer.
            Ty::Scalar(Scalar::Bool) => {
                return Some(node!(sort, "cast", &template, operand));
            }
            _ => operand,
        };
        Some(
            match self.dice.percent(20) && !matches!(to, Scalar::Usize | Scalar::Isize) {
                // In two steps, as one writes where the value must be cut.
                true => {
                    let mut between = self.any_integer();
                    if matches!(between, Scalar::Usize | Scalar::Isize) {
                        between = Scalar::U8;
                    }
                    let template = format!("($ as {} as {ty})", between.name());
                    node!(sort, "cast", &template, operand)
                }
                false => node!(sort, "cast", &template, operand),
            },
        )
    }

    fn lossless(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        let known =
            |s: &&Scalar| **s == Scalar::Bool || s.is_float() || methods::INTEGERS.contains(s);
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
        let equality: Vec<Ty> = self
            .pool
            .iter()
            .filter(|ty| composite::comparable(ty))
            .cloned()
            .collect();
        if self.dice.percent(20) && !equality.is_empty() {
            let ty = self.dice.pick(&equality).clone();
            let construct = *self.dice.pick(&["==", "!="]);
            return self.compared(&ty, construct, depth);
        }
        let ty = self.any_number();
        let construct = *self.dice.pick(&["<", "<=", ">", ">=", "==", "!="]);
        self.compared(&ty, construct, depth)
    }

    fn compared(&mut self, ty: &Ty, construct: &'static str, depth: usize) -> Node {
        let left = self.expr(ty, depth - 1, false);
        let right = self.expr(ty, depth - 1, true);
        // Comparison borrows: what stands left must not be a variable that the right side changes.
        let left_hole = if right.text().contains('{') {
            "{ $ }"
        } else {
            "$"
        };
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
            _ if c.params.iter().any(Callable::changes) => false,
            Ty::Generic(_) => c.of_t(ty),
            ret => ret == ty,
        };
        let found: Vec<Callable> = self
            .callables
            .iter()
            .filter(fits)
            .filter(|c| self.body.affords(c.cost))
            .filter(|c| c.params.iter().all(|(ty, _)| self.has_view(ty)))
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
        let vars = self.body.vars.clone();
        for (param, pass) in &callee.params {
            let ty = match param {
                Ty::Generic(_) if !callee.instances.is_empty() => &instance,
                ty => ty,
            };
            if let Ty::View(_) = ty {
                let views = self.body.visible().filter(|var| var.ty == *ty);
                let names: Vec<String> = views.map(|var| var.name.clone()).collect();
                let name = self.dice.pick(&names).clone();
                holes.push(node!(Sort::Expr(ty.clone()), "view passed on", &name).into());
                continue;
            }
            if let Ty::Line(..) = ty {
                holes.push(self.line_passed_on(ty)?.into());
                continue;
            }
            // A literal for a `T`, or before a method, would be one for any type.
            let arg = match pass {
                Pass::Inferred => self.expr(ty, depth - 1, false),
                Pass::Value | Pass::Mutable => self.expr(ty, depth - 1, true),
            };
            holes.push(arg.into());
        }
        self.body.vars = vars;
        let (construct, path) = self.path(&callee, &instance)?;
        let template = match callee.form {
            Form::Path => format!("{path}({})", vec!["$"; holes.len()].join(", ")),
            Form::Method => {
                let args = vec!["$"; holes.len() - 1].join(", ");
                // What a receiver borrows cannot be changed by an argument: a copy is borrowed.
                let receiver = if lent(&holes) { "({ $ })" } else { "($)" };
                format!("{receiver}.{path}({args})")
            }
        };
        Some(Node::new(
            Sort::Expr(ty.clone()),
            construct,
            &template,
            holes,
        ))
    }

    /// Whether an argument of this type can be had here: views and lines are not made, but passed on.
    fn has_view(&self, ty: &Ty) -> bool {
        match ty {
            Ty::View(_) => self.body.visible().any(|var| var.ty == *ty),
            Ty::Line(..) => !self.lines_for(ty).is_empty(),
            _ => true,
        }
    }

    /// How the callee is named, with its generics where they must be or may be told.
    fn path(&mut self, callee: &Callable, instance: &Ty) -> Option<(&'static str, String)> {
        let name = &callee.name;
        if let Some((param, ret)) = &callee.function {
            let fits: Vec<String> = self
                .callables
                .iter()
                .filter(|c| {
                    c.form == Form::Path
                        && c.plain
                        && c.params == [(param.clone(), Pass::Value)]
                        && c.ret == *ret
                        && c.cost <= super::function::PASSED_COST
                })
                .map(|c| c.name.clone())
                .collect();
            if fits.is_empty() {
                return None;
            }
            let passed = self.dice.pick(&fits);
            return Some(("call with a function", format!("{name}::<{passed}>")));
        }
        if let Some(scalar) = callee.constant {
            let value = match scalar {
                Scalar::Bool => (*self.dice.pick(&["true", "false"])).into(),
                _ => self.dice.below(5).to_string(),
            };
            return Some(("call with a constant", format!("{name}::<{value}>")));
        }
        if callee.instances.is_empty() {
            return Some((callee.construct, name.clone()));
        }
        let told = callee.params.iter().any(|p| matches!(p.0, Ty::Generic(_)));
        Some(match told && self.dice.percent(50) {
            true => ("generic call", name.clone()),
            false => ("generic call", format!("{name}::<{instance}>")),
        })
    }

    /// An operator that a user type has.
    fn own_operator(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        let found: Vec<_> = self
            .operators
            .iter()
            .filter(|o| o.ret == *ty)
            .cloned()
            .collect();
        if found.is_empty() {
            return None;
        }
        let operator = self.dice.pick(&found).clone();
        if !self.body.affords(operator.cost) {
            return None;
        }
        self.body.cost += self.body.rounds * operator.cost;
        let left = self.expr(&operator.left, depth - 1, false);
        let sort = Sort::Expr(ty.clone());
        Some(match &operator.right {
            None => node!(
                sort,
                "own unary operator",
                &format!("({}$)", operator.symbol),
                left
            ),
            Some(right) => {
                let right = self.expr(right, depth - 1, false);
                let template = format!("($ {} $)", operator.symbol);
                node!(sort, "own operator", &template, left, right)
            }
        })
    }

    /// `a.len()`.
    fn length(&mut self) -> Option<Node> {
        let arrays: Vec<String> = self
            .body
            .visible()
            .filter(|var| matches!(var.ty, Ty::Array(..) | Ty::View(_) | Ty::Line(..)))
            .map(|var| var.place.clone())
            .collect();
        if arrays.is_empty() {
            return None;
        }
        let text = format!("({}).len()", self.dice.pick(&arrays));
        Some(node!(Sort::Expr(Scalar::Usize.into()), "len", &text))
    }
}

/// Whether one of the later parts, which are arguments, has statements and names what the first one, a receiver, is.
fn lent(parts: &[Part]) -> bool {
    let [Part::Node(receiver), args @ ..] = parts else {
        return false;
    };
    let receiver = receiver.text();
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut variables = receiver.split(|c| !word(c)).filter(|name| !name.is_empty());
    let changes = |arg: &Part, name: &str| {
        let Part::Node(arg) = arg else { return false };
        let arg = arg.text();
        arg.contains(';') && names(&arg, name)
    };
    variables.any(|name| args.iter().any(|arg| changes(arg, name)))
}
