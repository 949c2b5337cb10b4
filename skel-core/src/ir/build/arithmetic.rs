//! What computes: literals, operators, casts, methods, calls.

use super::{
    composed, half,
    lower::{Flow, Lower, Malformed, Result, has_effect, is_open_literal},
    pattern::not,
    text::Node,
};
use crate::ir::{BinaryOp, Block, Builtin, Expr, ExprKind, Stmt, StmtKind, Ty, UnaryOp, Value};

impl Lower<'_> {
    /// `(lit type text)`.
    pub(super) fn literal(&mut self, text: &str, ty: &Ty) -> Result<Flow> {
        let value = parse(text, ty);
        let value = value.ok_or_else(|| Malformed(format!("`{text}` is no `{ty}`")))?;
        Ok(Flow::Value(Expr::constant(value)))
    }

    /// `(k 3)`: the constant with this number.
    pub(super) fn constant(&mut self, node: &Node) -> Result<Flow> {
        let number = node.number(0)?;
        let value = self.source.constants.get(number);
        let value = value.ok_or_else(|| Malformed(format!("there is no constant {number}")))?;
        Ok(Flow::Value(Expr::constant(value.clone())))
    }

    /// Evaluates operands from left to right. An operand is kept in a local if what a later one does
    /// beside giving its value could disturb it. Open literals get the type that `expected` says
    /// for their position and the type of the first other operand. Nothing, if control does not come
    /// back.
    pub(super) fn operands(
        &mut self,
        nodes: &[&Node],
        expected: &dyn Fn(usize, Option<&Ty>) -> Option<Ty>,
        out: &mut Block,
    ) -> Result<Option<Vec<Expr>>> {
        let mut done: Vec<Option<Expr>> = Vec::with_capacity(nodes.len());
        for (k, node) in nodes.iter().enumerate() {
            if is_open_literal(node) {
                done.push(None);
                continue;
            }
            let mut effects = Block::new();
            let flow = match expected(k, None) {
                Some(ty) => self.typed(node, &ty, &mut effects)?,
                None => self.expr(node, &mut effects)?,
            };
            for earlier in done.iter_mut().flatten() {
                self.keep(earlier, &effects, out);
            }
            out.append(&mut effects);
            match flow {
                Flow::Value(value) => done.push(Some(value)),
                Flow::Unit => return Err(Malformed("`()` as an operand".into())),
                Flow::Never => return Ok(None),
            }
        }
        let first = done.iter().flatten().next().map(|e| e.ty.clone());
        let mut values = Vec::with_capacity(nodes.len());
        for (k, (value, node)) in done.into_iter().zip(nodes).enumerate() {
            values.push(match value {
                Some(value) => value,
                None => {
                    let text = node.part(1)?.atom();
                    let ty = expected(k, first.as_ref());
                    let ty =
                        ty.ok_or_else(|| Malformed(format!("nothing says the type of {text}")))?;
                    match self.literal(text, &ty)? {
                        Flow::Value(value) => value,
                        Flow::Unit | Flow::Never => return Ok(None),
                    }
                }
            });
        }
        Ok(Some(values))
    }

    /// Puts a value into a local if what is done before it is used could disturb it.
    fn keep(&mut self, value: &mut Expr, effects: &Block, out: &mut Block) {
        if disturbs(effects, value) {
            let local = self.local("tmp", value.ty.clone());
            let value = std::mem::replace(value, self.read(local));
            self.push(StmtKind::Let(local, Some(value)), out);
        }
    }

    /// The value, in a local: it is computed before what follows.
    pub(super) fn computed_first(&mut self, value: Expr, out: &mut Block) -> Expr {
        let local = self.local("tmp", value.ty.clone());
        self.push(StmtKind::Let(local, Some(value)), out);
        self.read(local)
    }

    /// The value after these effects, which are appended.
    pub(super) fn undisturbed(
        &mut self,
        mut value: Expr,
        mut effects: Block,
        out: &mut Block,
    ) -> Expr {
        self.keep(&mut value, &effects, out);
        out.append(&mut effects);
        value
    }

    /// Two operands of the same type, as far as literals are concerned.
    pub(super) fn pair(
        &mut self,
        left: &Node,
        right: &Node,
        out: &mut Block,
    ) -> Result<Option<(Expr, Expr)>> {
        let values = self.operands(&[left, right], &|_, first| first.cloned(), out)?;
        let Some(values) = values else {
            return Ok(None);
        };
        let [left, right]: [Expr; 2] = values
            .try_into()
            .map_err(|_| Malformed("two operands became another number".into()))?;
        Ok(Some((left, right)))
    }

    /// `(b + imp left right)`.
    pub(super) fn binary(&mut self, node: &Node, out: &mut Block) -> Result<Flow> {
        let line = self.line;
        let op = node.part(0)?.atom();
        let op =
            BinaryOp::from_symbol(op).ok_or_else(|| Malformed(format!("no operator `{op}`")))?;
        if let Some(id) = self.own(node.part(1)?)? {
            let flow = self.call_of(id, &[node.part(2)?, node.part(3)?], out)?;
            return Ok(match flow {
                // `!=` is what `==` is not.
                Flow::Value(equal) if op == BinaryOp::Ne => Flow::Value(not(equal)),
                flow => flow,
            });
        }
        let Some((left, right)) = self.pair(node.part(2)?, node.part(3)?, out)? else {
            return Ok(Flow::Never);
        };
        self.line = line;
        if !left.ty.is_scalar() && matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            if node.part(1)?.atom() == "-" {
                return Err(Malformed(format!(
                    "values of `{}` cannot be compared",
                    left.ty
                )));
            }
            return self.equality(op, left, right, out).map(Flow::Value);
        }
        self.operation(op, left, right).map(Flow::Value)
    }

    /// An operator on two values.
    pub(super) fn operation(&self, op: BinaryOp, left: Expr, right: Expr) -> Result<Expr> {
        if !op.is_shift() && left.ty != right.ty {
            return Err(Malformed(format!(
                "`{}` {} `{}`",
                left.ty,
                op.symbol(),
                right.ty
            )));
        }
        if left.ty == Ty::F16 {
            let result = self.operation(op, half::widened(left), half::widened(right))?;
            return Ok(match result.ty {
                Ty::F32 => half::rounded(result),
                _ => result,
            });
        }
        let ty = if op.is_comparison() {
            Ty::Bool
        } else {
            left.ty.clone()
        };
        let kind = ExprKind::Binary(op, Box::new(left), Box::new(right), self.line);
        Ok(Expr { kind, ty })
    }

    /// `(u - imp value)`.
    pub(super) fn unary(&mut self, node: &Node, out: &mut Block) -> Result<Flow> {
        let op = match node.part(0)?.atom() {
            "-" => UnaryOp::Neg,
            "!" => UnaryOp::Not,
            other => return Err(Malformed(format!("no operator `{other}`"))),
        };
        if let Some(id) = self.own(node.part(1)?)? {
            return self.call_of(id, &[node.part(2)?], out);
        }
        let value = match self.expr(node.part(2)?, out)? {
            Flow::Value(value) => value,
            Flow::Unit => return Err(Malformed("an operator on `()`".into())),
            Flow::Never => return Ok(Flow::Never),
        };
        if let (UnaryOp::Neg, ExprKind::Const(constant)) = (op, &value.kind)
            && let Some(negated) = negate(constant)
        {
            return Ok(Flow::Value(Expr::constant(negated)));
        }
        let is_half = value.ty == Ty::F16;
        let value = half::widened(value);
        let ty = value.ty.clone();
        let result = Expr {
            kind: ExprKind::Unary(op, Box::new(value)),
            ty,
        };
        Ok(Flow::Value(match is_half {
            true => half::rounded(result),
            false => result,
        }))
    }

    /// `(as type value)`; also for `f32::from(value)`, which knows one conversion more.
    pub(super) fn cast(&mut self, node: &Node, out: &mut Block) -> Result<Flow> {
        let ty = self.ty(node, 0)?;
        let mut value = match self.expr(node.part(1)?, out)? {
            Flow::Value(value) => value,
            Flow::Unit => return Err(Malformed("a cast of `()`".into())),
            Flow::Never => return Ok(Flow::Never),
        };
        if value.ty == ty {
            return Ok(Flow::Value(value));
        }
        if let (ExprKind::Const(Value::F64(constant)), Ty::F32 | Ty::F16) = (&value.kind, &ty) {
            // A device need not have `f64` for a constant of a generic function.
            value = Expr::constant(Value::F32(*constant as f32));
        }
        if value.ty == ty {
            return Ok(Flow::Value(value));
        }
        if ty == Ty::F16 {
            return Ok(Flow::Value(half::rounded(cast(value, Ty::F32))));
        }
        value = half::widened(value);
        if value.ty == Ty::Bool && ty.is_float() {
            // `bool as f32` is not Rust, and no dialect has to know it.
            value = cast(value, Ty::U32);
        }
        Ok(Flow::Value(cast(value, ty)))
    }

    /// `(m name imp receiver argument …)`.
    pub(super) fn method(&mut self, node: &Node, out: &mut Block) -> Result<Flow> {
        let line = self.line;
        let name = node.part(0)?.atom();
        let nodes: Vec<&Node> = node.rest().iter().skip(2).collect();
        if let Some(id) = self.own(node.part(1)?)? {
            return self.call_of(id, &nodes, out);
        }
        let expected = |k: usize, receiver: Option<&Ty>| {
            let receiver = half::receiver(name, receiver?);
            let builtin = Builtin::of(name, receiver).map(|b| b.argument(k, receiver));
            builtin.or_else(|| composed::argument(name, k, receiver))
        };
        let Some(args) = self.operands(&nodes, &expected, out)? else {
            return Ok(Flow::Never);
        };
        let of_half = args.first().is_some_and(|first| first.ty == Ty::F16);
        let args: Vec<Expr> = match name {
            "to_bits" => args,
            _ => args.into_iter().map(half::widened).collect(),
        };
        let receiver = args
            .first()
            .map_or(Ty::Unit, |receiver| receiver.ty.clone());
        let builtin = Builtin::of(name, &receiver).filter(|b| b.arity() == args.len());
        let result = if let Some(builtin) = builtin {
            let ty = builtin.result(&receiver);
            Expr {
                kind: ExprKind::Builtin(builtin, args, line),
                ty,
            }
        } else if composed::arity(name, &receiver) == Some(args.len()) {
            self.line = line;
            self.composed(name, args, out)?
        } else {
            return Err(Malformed(format!("`{receiver}` has no `{name}`")));
        };
        Ok(Flow::Value(match &result.ty {
            Ty::F32 if of_half => half::rounded(result),
            _ => result,
        }))
    }
}

/// The value as one of another type.
pub(super) fn cast(value: Expr, ty: Ty) -> Expr {
    if value.ty == ty {
        return value;
    }
    Expr {
        kind: ExprKind::Cast(Box::new(value)),
        ty,
    }
}

/// Whether running `effects` first could change what `e` gives, or which of them traps first.
fn disturbs(effects: &Block, e: &Expr) -> bool {
    if effects.is_empty() {
        return false;
    }
    if has_effect(e) {
        return true;
    }
    let mut assigned = Vec::new();
    let mut note = |stmt: &Stmt| {
        assigned.extend(stmt.written().iter().map(|place| place.local));
    };
    for stmt in effects {
        stmt.walk(&mut note);
    }
    let mut found = false;
    e.walk(&mut |part| {
        found |= matches!(part.kind, ExprKind::Local(local) if assigned.contains(&local));
    });
    found
}

fn negate(value: &Value) -> Option<Value> {
    match value {
        Value::I8(x) => Some(Value::I8(x.wrapping_neg())),
        Value::I16(x) => Some(Value::I16(x.wrapping_neg())),
        Value::I32(x) => Some(Value::I32(x.wrapping_neg())),
        Value::I64(x) => Some(Value::I64(x.wrapping_neg())),
        Value::Isize(x) => Some(Value::Isize(x.wrapping_neg())),
        Value::F32(x) => Some(Value::F32(-x)),
        Value::F64(x) => Some(Value::F64(-x)),
        _ => None,
    }
}

/// A literal in decimal digits (or `true`, `false`), perhaps with a sign.
pub(super) fn parse(text: &str, ty: &Ty) -> Option<Value> {
    // A literal out of range is denied by default, but a user may allow it: then it wraps.
    let wide = || text.parse::<i128>().ok();
    match ty {
        Ty::Bool => text.parse().ok().map(Value::Bool),
        Ty::F32 => text.parse().ok().map(Value::F32),
        Ty::F64 => text.parse().ok().map(Value::F64),
        Ty::I8 => wide().map(|x| Value::I8(x as i8)),
        Ty::I16 => wide().map(|x| Value::I16(x as i16)),
        Ty::I32 => wide().map(|x| Value::I32(x as i32)),
        Ty::I64 => wide().map(|x| Value::I64(x as i64)),
        Ty::Isize => wide().map(|x| Value::Isize(x as isize)),
        Ty::U8 => wide().map(|x| Value::U8(x as u8)),
        Ty::U16 => wide().map(|x| Value::U16(x as u16)),
        Ty::U32 => wide().map(|x| Value::U32(x as u32)),
        Ty::U64 => wide().map(|x| Value::U64(x as u64)),
        Ty::Usize => wide().map(|x| Value::Usize(x as usize)),
        // No literal of Rust has this type.
        Ty::F16 | Ty::Unit | Ty::Struct(_) | Ty::Array(_) | Ty::View(_) => None,
    }
}
