//! Patterns: what to compare, and what to bind. Bindings are parts of the matched value, which can
//! always be taken, whether the pattern matches or not.

use super::{
    lower::{Flow, Lower, Malformed, Result, Variable},
    place::field_of,
    text::{Node, NodeKind},
};
use crate::ir::{BinaryOp, Block, Expr, ExprKind, LocalId, Place, StmtKind, Ty, UnaryOp, Value};

/// As many alternatives as a pattern may unfold to.
const MOST: usize = 256;

/// One way in which a pattern can match.
#[derive(Clone)]
pub(super) struct Alternative {
    /// When it matches; always, if there is no test.
    pub(super) test: Option<Expr>,
    pub(super) bindings: Vec<Binding>,
}

/// A variable of the text, and the part of the value that it gets.
#[derive(Clone)]
pub(super) struct Binding {
    number: usize,
    name: &'static str,
    value: Expr,
}

impl Lower<'_> {
    /// A value that can be read any number of times: parts of locals, constants, and what was kept in
    /// locals. With `own`, later changes of other variables do not reach it.
    pub(super) fn subject(&mut self, value: Expr, own: bool, out: &mut Block) -> Expr {
        let Expr { kind, ty } = value;
        let kind = match kind {
            ExprKind::Struct(parts) => {
                let parts = parts.into_iter().map(|p| self.subject(p, own, out));
                ExprKind::Struct(parts.collect())
            }
            ExprKind::Array(parts) => {
                let parts = parts.into_iter().map(|p| self.subject(p, own, out));
                ExprKind::Array(parts.collect())
            }
            kind => {
                let value = Expr { kind, ty };
                let constant = matches!(value.kind, ExprKind::Const(_));
                if constant || !own && rests(&value) {
                    return value;
                }
                let local = self.declare_as("tmp", value, out);
                return self.read(local);
            }
        };
        Expr { kind, ty }
    }

    /// Evaluates what a pattern is compared with. Nothing, if control does not come back.
    pub(super) fn matched(
        &mut self,
        node: &Node,
        ty: Option<&Ty>,
        own: bool,
        out: &mut Block,
    ) -> Result<Option<Expr>> {
        let flow = match ty {
            Some(ty) => self.typed(node, ty, out)?,
            None => self.expr(node, out)?,
        };
        Ok(match flow {
            Flow::Value(value) => Some(self.subject(value, own, out)),
            Flow::Unit => Some(Expr::constant(Value::Unit)),
            Flow::Never => None,
        })
    }

    /// The ways in which a pattern matches, in order. Those that bind the same parts become one, unless
    /// `each` is wanted.
    pub(super) fn alternatives(
        &mut self,
        pat: &Node,
        subject: &Expr,
        each: bool,
    ) -> Result<Vec<Alternative>> {
        let only = |test: Option<Expr>| {
            vec![Alternative {
                test,
                bindings: Vec::new(),
            }]
        };
        Ok(match pat.head() {
            "_" => only(None),
            "lit" => {
                let value = self.literal_of(pat, &subject.ty)?;
                only(self.equals(subject, &value)?)
            }
            "k" => {
                let value = self.constant_of(pat)?;
                only(self.equals(subject, &value)?)
            }
            "range" => only(self.in_range(pat, subject)?),
            "bind" => {
                let binding = Binding {
                    number: pat.number(0)?,
                    name: pat.part(1)?.atom(),
                    value: subject.clone(),
                };
                let sub = pat.part(2)?;
                let mut found = if sub.atom() == "-" {
                    only(None)
                } else {
                    self.alternatives(sub, subject, each)?
                };
                for alternative in &mut found {
                    alternative.bindings.push(binding.clone());
                }
                found
            }
            "or" => {
                let mut found = Vec::new();
                for case in pat.rest() {
                    found.extend(self.alternatives(case, subject, each)?);
                }
                if each { found } else { self.merged(found) }
            }
            "of" => {
                let mut found = only(None);
                for part in pat.rest() {
                    let next = self.alternatives_of_part(part, subject, each)?;
                    if found.len() * next.len() > MOST {
                        return Err(Malformed(format!(
                            "a pattern with more than {MOST} alternatives"
                        )));
                    }
                    let mut product = Vec::with_capacity(found.len() * next.len());
                    for left in &found {
                        for right in &next {
                            let mut bindings = left.bindings.clone();
                            bindings.extend(right.bindings.iter().cloned());
                            let test = self.both(left.test.clone(), right.test.clone());
                            product.push(Alternative { test, bindings });
                        }
                    }
                    found = product;
                }
                found
            }
            other => return Err(Malformed(format!("`{other}` is no pattern"))),
        })
    }

    /// `(key pattern)`, or `(.. number name front back)`, of a tuple, struct or array.
    fn alternatives_of_part(
        &mut self,
        part: &Node,
        whole: &Expr,
        each: bool,
    ) -> Result<Vec<Alternative>> {
        let key = part.head();
        if key == ".." {
            let (front, back) = (part.number(2)?, part.number(3)?);
            let binding = Binding {
                number: part.number(0)?,
                name: part.part(1)?.atom(),
                value: middle(whole, front, back)?,
            };
            return Ok(vec![Alternative {
                test: None,
                bindings: vec![binding],
            }]);
        }
        let inner = part_of(whole, key)?;
        self.alternatives(part.part(0)?, &inner, each)
    }

    /// Alternatives that bind the same become one.
    fn merged(&self, alternatives: Vec<Alternative>) -> Vec<Alternative> {
        let print = |bindings: &[Binding]| {
            let mut all: Vec<String> = bindings
                .iter()
                .map(|b| format!("{} {:?}", b.number, b.value.kind))
                .collect();
            all.sort();
            all
        };
        let mut found: Vec<Alternative> = Vec::new();
        for next in alternatives {
            match found.last_mut() {
                Some(last) if print(&last.bindings) == print(&next.bindings) => {
                    last.test = self.either(last.test.take(), next.test);
                }
                _ => found.push(next),
            }
        }
        found
    }

    /// When any of them matches; always, if there is no test.
    pub(super) fn any(&self, alternatives: &[Alternative]) -> Option<Expr> {
        let mut tests = alternatives.iter().map(|a| a.test.clone());
        let first = tests.next().flatten();
        tests.fold(first, |all, test| self.either(all, test))
    }

    /// Declares the variables of a pattern, and gives them the parts of the first alternative that
    /// matches; of the last one, if it is known that one does.
    pub(super) fn choose(&mut self, alternatives: Vec<Alternative>, out: &mut Block) {
        let mut alternatives = alternatives;
        let Some(last) = alternatives.pop() else {
            return;
        };
        if alternatives.is_empty() {
            for Binding {
                number,
                name,
                value,
            } in last.bindings
            {
                let variable = match value.ty {
                    Ty::Unit => Variable::Unit,
                    _ => Variable::Local(self.declare_as(name, value, out)),
                };
                self.variables.insert(number, variable);
            }
            return;
        }
        let locals = self.declare_bindings(&last.bindings, out);
        let mut chain = Block::new();
        self.assign_bindings(&last.bindings, &locals, &mut chain);
        for alternative in alternatives.into_iter().rev() {
            let mut yes = Block::new();
            self.assign_bindings(&alternative.bindings, &locals, &mut yes);
            chain = match alternative.test {
                None => yes,
                Some(test) => {
                    let mut choice = Block::new();
                    self.push(StmtKind::If(test, yes, chain), &mut choice);
                    choice
                }
            };
        }
        out.append(&mut chain);
    }

    /// Declares the variables of an alternative without values: their numbers and locals.
    pub(super) fn declare_bindings(
        &mut self,
        bindings: &[Binding],
        out: &mut Block,
    ) -> Vec<(usize, LocalId)> {
        let mut locals = Vec::new();
        for binding in bindings {
            if binding.value.ty == Ty::Unit {
                self.variables.insert(binding.number, Variable::Unit);
                continue;
            }
            let local = self.local(binding.name, binding.value.ty.clone());
            self.push(StmtKind::Let(local, None), out);
            self.variables
                .insert(binding.number, Variable::Local(local));
            locals.push((binding.number, local));
        }
        locals
    }

    pub(super) fn assign_bindings(
        &self,
        bindings: &[Binding],
        locals: &[(usize, LocalId)],
        out: &mut Block,
    ) {
        for binding in bindings {
            let local = locals.iter().find(|(number, _)| *number == binding.number);
            if let Some((_, local)) = local {
                let kind = StmtKind::Assign(Place::local(*local), binding.value.clone());
                self.push(kind, out);
            }
        }
    }

    fn literal_of(&mut self, node: &Node, ty: &Ty) -> Result<Value> {
        match self.literal(node.part(0)?.atom(), ty)? {
            Flow::Value(Expr {
                kind: ExprKind::Const(value),
                ..
            }) => Ok(value),
            _ => Err(Malformed("a literal that is no constant".into())),
        }
    }

    fn constant_of(&mut self, node: &Node) -> Result<Value> {
        match self.constant(node)? {
            Flow::Value(Expr {
                kind: ExprKind::Const(value),
                ..
            }) => Ok(value),
            _ => Err(Malformed("a constant without a value".into())),
        }
    }

    /// `(range low high closed?)`, where either end may be absent.
    fn in_range(&mut self, pat: &Node, subject: &Expr) -> Result<Option<Expr>> {
        let mut end = |node: &Node| {
            Ok(match node.head() {
                "-" => None,
                "lit" => Some(self.literal_of(node, &subject.ty)?),
                _ => Some(self.constant_of(node)?),
            })
        };
        let (low, high) = (end(pat.part(0)?)?, end(pat.part(1)?)?);
        let closed = pat.part(2)?.atom() == "closed";
        let compare = |op, value: Value| {
            let (left, right) = (subject.clone(), Expr::constant(value));
            self.operation(op, left, right)
        };
        // No unsigned number is less than zero.
        let least = |value: &Value| !subject.ty.is_signed() && value.as_integer() == Some(0);
        let low = match low {
            Some(value) if !least(&value) => Some(compare(BinaryOp::Ge, value)?),
            _ => None,
        };
        let below = if closed { BinaryOp::Le } else { BinaryOp::Lt };
        let high = high.map(|value| compare(below, value)).transpose()?;
        Ok(self.both(low, high))
    }

    /// Whether `subject` is this value; nothing, if it cannot be another.
    fn equals(&self, subject: &Expr, value: &Value) -> Result<Option<Expr>> {
        match value {
            Value::Unit => Ok(None),
            Value::Bool(true) if subject.ty == Ty::Bool => Ok(Some(subject.clone())),
            Value::Bool(false) if subject.ty == Ty::Bool => Ok(Some(not(subject.clone()))),
            Value::Struct(_, parts) | Value::Array(_, parts) => {
                let mut all = None;
                for (k, part) in parts.iter().enumerate() {
                    let test = self.equals(&position(subject, k)?, part)?;
                    all = self.both(all, test);
                }
                Ok(all)
            }
            Value::View(..) => Err(Malformed("a view as a pattern".into())),
            value => {
                let value = Expr::constant(value.clone());
                self.operation(BinaryOp::Eq, subject.clone(), value)
                    .map(Some)
            }
        }
    }

    /// `a && b`, where an absent test is always true.
    pub(super) fn both(&self, a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.logic(BinaryOp::And, a, b)),
            (a, b) => a.or(b),
        }
    }

    /// `a || b`, likewise.
    fn either(&self, a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
        Some(self.logic(BinaryOp::Or, a?, b?))
    }

    fn logic(&self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        Expr {
            kind: ExprKind::Binary(op, Box::new(a), Box::new(b), self.line),
            ty: Ty::Bool,
        }
    }
}

/// `!e`.
pub(super) fn not(e: Expr) -> Expr {
    Expr {
        kind: ExprKind::Unary(UnaryOp::Not, Box::new(e)),
        ty: Ty::Bool,
    }
}

/// Whether it costs nothing to read this again.
fn rests(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(_) | ExprKind::Local(_) => true,
        ExprKind::Field(base, _) => rests(base),
        ExprKind::Index(base, index, _) => matches!(index.kind, ExprKind::Const(_)) && rests(base),
        _ => false,
    }
}

/// The part that a key names: a field's name, a position, or, with a `-`, one from the end.
pub(super) fn part_of(whole: &Expr, key: &str) -> Result<Expr> {
    let count = match &whole.ty {
        Ty::Struct(s) => s.fields.len(),
        Ty::Array(a) => a.len,
        other => return Err(Malformed(format!("`{other}` is taken apart"))),
    };
    let number = |text: &str| text.parse::<usize>().ok();
    let found = match (key.strip_prefix('-'), &whole.ty) {
        (Some(from_end), _) => number(from_end).and_then(|k| count.checked_sub(k)),
        (None, Ty::Struct(_)) if number(key).is_none() => Some(field_of(&whole.ty, key)?.0),
        (None, _) => number(key),
    };
    let found = found.filter(|k| *k < count);
    let found = found.ok_or_else(|| Malformed(format!("`{}` has no part {key}", whole.ty)))?;
    position(whole, found)
}

/// The part at this position.
fn position(whole: &Expr, k: usize) -> Result<Expr> {
    let missing = || Malformed(format!("`{}` has no part {k}", whole.ty));
    match &whole.kind {
        ExprKind::Struct(parts) | ExprKind::Array(parts) => {
            return parts.get(k).cloned().ok_or_else(missing);
        }
        ExprKind::Const(Value::Struct(_, parts) | Value::Array(_, parts)) => {
            return parts
                .get(k)
                .map(|part| Expr::constant(part.clone()))
                .ok_or_else(missing);
        }
        _ => {}
    }
    let base = Box::new(whole.clone());
    let (kind, ty) = match &whole.ty {
        Ty::Struct(s) => {
            let field = s.fields.get(k).ok_or_else(missing)?;
            (ExprKind::Field(base, k), field.ty.clone())
        }
        Ty::Array(a) if k < a.len => {
            let index = Box::new(Expr::constant(Value::Usize(k)));
            (ExprKind::Index(base, index, 0), a.elem.clone())
        }
        _ => return Err(missing()),
    };
    Ok(Expr { kind, ty })
}

/// What `rest @ ..` is: the array without so many elements before and behind.
fn middle(whole: &Expr, front: usize, back: usize) -> Result<Expr> {
    let Ty::Array(array) = &whole.ty else {
        return Err(Malformed(format!("the rest of `{}`", whole.ty)));
    };
    let end = array.len.checked_sub(back).filter(|end| *end >= front);
    let end = end.ok_or_else(|| Malformed(format!("`{}` has no rest", whole.ty)))?;
    let parts: Result<Vec<Expr>> = (front..end).map(|k| position(whole, k)).collect();
    Ok(Expr {
        kind: ExprKind::Array(parts?),
        ty: Ty::array(array.elem.clone(), end - front),
    })
}

/// Whether the text of a condition binds names.
pub(super) fn binds(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Atom(_) => false,
        NodeKind::List(_) => {
            node.head() == "is" || node.head() == "&&" && node.rest().iter().any(binds)
        }
    }
}
