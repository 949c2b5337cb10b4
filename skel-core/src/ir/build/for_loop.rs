//! `for`.
//!
//! The counter never passes the last value, so that the extremes of the type are safe:
//!
//! ```text
//! a..b              loop { if !(i < b) { break } body } step { i = i + 1 }
//! a..=b             more = i <= b
//!                   loop { if !more { break } body } step { more = i < b; if more { i = i + 1 } }
//! (a..b).rev()      loop { if !(a < i) { break } i = i - 1; body }
//! (a..=b).rev()     as a..=b, downwards
//! ….step_by(n)      as a..=b, with more = (b - i) > n, or >= n
//! an array, a slice as a..b over its indices
//! ```

use super::{
    lower::{Dest, Flow, Lower, Malformed, Result, Variable},
    pattern::not,
    text::Node,
};
use crate::ir::{
    BinaryOp, Block, Builtin, Expr, ExprKind, LocalId, LoopId, Place, StmtKind, TrapKind, Ty,
    Value, ViewKind,
};

/// `(for loop sequence pattern mut? body)`.
struct For<'n> {
    number: usize,
    pat: &'n Node,
    reassigned: bool,
    body: &'n Node,
    line: u32,
}

impl For<'_> {
    /// The number and name of the variable, if the pattern is nothing else.
    fn variable(&self) -> Option<(usize, &'static str)> {
        let plain = self.pat.head() == "bind" && self.pat.part(2).is_ok_and(|p| p.atom() == "-");
        let name = self.pat.part(1).ok()?.atom();
        plain.then_some((self.pat.number(0).ok()?, name))
    }
}

/// How a range is run through.
struct Order {
    closed: bool,
    down: bool,
    /// The size of a step, a constant or a local.
    step: Option<Expr>,
}

impl Lower<'_> {
    pub(super) fn for_loop(&mut self, node: &Node, out: &mut Block) -> Result<bool> {
        let repeat = For {
            number: node.number(0)?,
            pat: node.part(2)?,
            reassigned: node.part(3)?.atom() == "mut",
            body: node.part(4)?,
            line: self.line,
        };
        let sequence = node.part(1)?;
        match sequence.head() {
            "range" => self.for_range(sequence, &repeat, out),
            "enumerate" => self.for_each(sequence.part(0)?, true, &repeat, out),
            "array" | "view" => self.for_each(sequence, false, &repeat, out),
            other => Err(Malformed(format!("`for` over `{other}`"))),
        }
    }

    /// `(range first last closed? rev? step?)`.
    fn for_range(&mut self, range: &Node, repeat: &For<'_>, out: &mut Block) -> Result<bool> {
        let Some((first, last)) = self.pair(range.part(0)?, range.part(1)?, out)? else {
            return Ok(false);
        };
        self.line = repeat.line;
        let (first, last) = match range.part(4)?.atom() {
            "-" => (first, last),
            // The size of a step comes after both ends.
            _ => (self.kept(first, out), self.kept(last, out)),
        };
        let Some(step) = self.step_size(range.part(4)?, out)? else {
            return Ok(false);
        };
        self.line = repeat.line;
        let order = Order {
            closed: range.part(2)?.atom() == "closed",
            down: range.part(3)?.atom() == "rev",
            step,
        };
        // Counts from `from`, and never passes `to`.
        let (from, to) = if order.down {
            let first = self.kept(first, out);
            (last, first)
        } else {
            (first, last)
        };
        let name = match repeat.variable() {
            Some((_, name)) if !repeat.reassigned => name,
            _ => "tmp",
        };
        let counter = self.declare_as(name, from, out);
        let to = self.kept(to, out);
        if order.step.is_none() && !order.closed {
            self.count(counter, &to, order.down, repeat, out)?;
        } else {
            self.count_with_flag(counter, &to, &order, repeat, out)?;
        }
        Ok(true)
    }

    /// A value that stays: a constant, or a local of its own.
    fn kept(&mut self, value: Expr, out: &mut Block) -> Expr {
        if matches!(value.kind, ExprKind::Const(_)) {
            return value;
        }
        let local = self.declare_as("tmp", value, out);
        self.read(local)
    }

    /// The size of a step, if there is one. The outer `None`: control does not come back.
    fn step_size(&mut self, node: &Node, out: &mut Block) -> Result<Option<Option<Expr>>> {
        if node.atom() == "-" {
            return Ok(Some(None));
        }
        let size = match self.typed(node, &Ty::Usize, out)? {
            Flow::Value(size) => self.kept(size, out),
            Flow::Unit => return Err(Malformed("a step of `()`".into())),
            Flow::Never => return Ok(None),
        };
        let zero = Expr::constant(Value::Usize(0));
        match &size.kind {
            ExprKind::Const(Value::Usize(n)) if *n > 0 => {}
            _ => {
                let is_zero = self.operation(BinaryOp::Eq, size.clone(), zero)?;
                let mut trap = Block::new();
                let kind = TrapKind::Panic("assertion failed: step != 0");
                self.push(StmtKind::Trap(kind), &mut trap);
                self.push(StmtKind::If(is_zero, trap, Block::new()), out);
            }
        }
        Ok(Some(Some(size)))
    }

    /// One by one, half open.
    fn count(
        &mut self,
        counter: LocalId,
        to: &Expr,
        down: bool,
        repeat: &For<'_>,
        out: &mut Block,
    ) -> Result<()> {
        let here = self.read(counter);
        let (condition, op) = if down {
            let condition = self.operation(BinaryOp::Lt, to.clone(), here.clone())?;
            (condition, BinaryOp::Sub)
        } else {
            let condition = self.operation(BinaryOp::Lt, here.clone(), to.clone())?;
            (condition, BinaryOp::Add)
        };
        let next = self.operation(op, here.clone(), Expr::constant(one(&here.ty)?))?;
        let mut advance = Block::new();
        self.push(StmtKind::Assign(Place::local(counter), next), &mut advance);
        let (before, step) = if down {
            (advance, Block::new())
        } else {
            (Block::new(), advance)
        };
        self.rounds(condition, before, here, step, repeat, out)
    }

    /// A flag says whether there is one more; so the counter stays within the range.
    fn count_with_flag(
        &mut self,
        counter: LocalId,
        to: &Expr,
        order: &Order,
        repeat: &For<'_>,
        out: &mut Block,
    ) -> Result<()> {
        let here = self.read(counter);
        let (low, high) = if order.down {
            (to.clone(), here.clone())
        } else {
            (here.clone(), to.clone())
        };
        let reaches = if order.closed {
            BinaryOp::Le
        } else {
            BinaryOp::Lt
        };
        let any = self.operation(reaches, low.clone(), high.clone())?;
        let more = self.declare_as("tmp", any, out);
        if order.down && !order.closed {
            let last =
                self.operation(BinaryOp::Sub, here.clone(), Expr::constant(one(&here.ty)?))?;
            let mut begin = Block::new();
            self.push(StmtKind::Assign(Place::local(counter), last), &mut begin);
            self.push(StmtKind::If(self.read(more), begin, Block::new()), out);
        }
        let (continues, next) = match &order.step {
            None => {
                let op = if order.down {
                    BinaryOp::Sub
                } else {
                    BinaryOp::Add
                };
                let next = self.operation(op, here.clone(), Expr::constant(one(&here.ty)?))?;
                (self.operation(BinaryOp::Lt, low, high)?, next)
            }
            Some(size) => {
                let op = if order.down || order.closed {
                    BinaryOp::Ge
                } else {
                    BinaryOp::Gt
                };
                let (distance, size_as_distance) = distance(low, high, size);
                let continues = self.operation(op, distance, size_as_distance)?;
                let builtin = if order.down {
                    Builtin::WrappingSub
                } else {
                    Builtin::WrappingAdd
                };
                let size = cast(size.clone(), &here.ty);
                (continues, wrapping(builtin, here.clone(), size))
            }
        };
        let (mut step, mut advance) = (Block::new(), Block::new());
        self.push(StmtKind::Assign(Place::local(more), continues), &mut step);
        self.push(StmtKind::Assign(Place::local(counter), next), &mut advance);
        self.push(
            StmtKind::If(self.read(more), advance, Block::new()),
            &mut step,
        );
        let condition = self.read(more);
        self.rounds(condition, Block::new(), here, step, repeat, out)
    }

    /// The loop itself: while `condition` holds, runs `before`, binds `value`, runs the body.
    fn rounds(
        &mut self,
        condition: Expr,
        before: Block,
        value: Expr,
        step: Block,
        repeat: &For<'_>,
        out: &mut Block,
    ) -> Result<()> {
        let mut body = Block::new();
        let (id, _) = self.inside(repeat.number, Dest::Discard, |lower, id| {
            lower.leave_unless(condition, id, &mut body);
            body.extend(before);
            lower.bind_round(value, repeat, &mut body)?;
            lower.send(repeat.body, Dest::Discard, &mut body).map(drop)
        })?;
        self.finish_loop(id, body, step, repeat.line, out);
        Ok(())
    }

    /// Binds the variables of a round. A counter that is not reassigned is the variable itself.
    fn bind_round(&mut self, value: Expr, repeat: &For<'_>, body: &mut Block) -> Result<()> {
        if let (Some((number, _)), ExprKind::Local(counter), false) =
            (repeat.variable(), &value.kind, repeat.reassigned)
        {
            self.variables.insert(number, Variable::Local(*counter));
            return Ok(());
        }
        let alternatives = self.alternatives(repeat.pat, &value, false)?;
        self.choose(alternatives, body);
        Ok(())
    }

    fn finish_loop(&mut self, id: LoopId, body: Block, step: Block, line: u32, out: &mut Block) {
        self.line = line;
        self.push(StmtKind::Loop { id, body, step }, out);
    }

    /// `(array value type)`: by value, so that the body may change the array; `(view container)`.
    fn for_each(
        &mut self,
        sequence: &Node,
        enumerated: bool,
        repeat: &For<'_>,
        out: &mut Block,
    ) -> Result<bool> {
        let whole = match self.expr(sequence.part(0)?, out)? {
            Flow::Value(whole) => whole,
            Flow::Unit => return Err(Malformed("`for` over `()`".into())),
            Flow::Never => return Ok(false),
        };
        self.line = repeat.line;
        let (whole, len) = match whole.ty.clone() {
            Ty::Array(ty) => {
                let len = Expr::constant(Value::Usize(ty.len));
                (self.kept(whole, out), len)
            }
            Ty::View(ty) if ty.kind == (ViewKind::Whole { rank: 1 }) => {
                let len = Expr {
                    kind: ExprKind::Extent(Box::new(whole.clone()), 0),
                    ty: Ty::Usize,
                };
                (whole, len)
            }
            other => return Err(Malformed(format!("`for` over `{other}`"))),
        };
        let counter = self.declare_as("tmp", Expr::constant(Value::Usize(0)), out);
        let index = self.read(counter);
        let element = super::index::element(whole, vec![index.clone()], repeat.line)?;
        let condition = self.operation(BinaryOp::Lt, index.clone(), len)?;
        let one = Expr::constant(Value::Usize(1));
        let next = self.operation(BinaryOp::Add, index.clone(), one)?;
        let mut step = Block::new();
        self.push(StmtKind::Assign(Place::local(counter), next), &mut step);

        let value = if enumerated {
            let ty = Ty::tuple([Ty::Usize, element.ty.clone()]);
            let kind = ExprKind::Struct(vec![index, element]);
            Expr { kind, ty }
        } else {
            element
        };
        let mut body = Block::new();
        let (id, _) = self.inside(repeat.number, Dest::Discard, |lower, id| {
            lower.leave_unless(condition, id, &mut body);
            let value = lower.subject(value, false, &mut body);
            lower.bind_round(value, repeat, &mut body)?;
            lower.send(repeat.body, Dest::Discard, &mut body).map(drop)
        })?;
        self.finish_loop(id, body, step, repeat.line, out);
        Ok(true)
    }

    /// Leaves the loop `id` unless `condition` holds.
    pub(super) fn leave_unless(&self, condition: Expr, id: LoopId, out: &mut Block) {
        let mut leave = Block::new();
        self.push(StmtKind::Break(id), &mut leave);
        self.push(StmtKind::If(not(condition), leave, Block::new()), out);
    }

    /// Declares a local that has this value.
    pub(super) fn declare_as(
        &mut self,
        name: &'static str,
        value: Expr,
        out: &mut Block,
    ) -> LocalId {
        let local = self.local(name, value.ty.clone());
        self.push(StmtKind::Let(local, Some(value)), out);
        local
    }
}

/// How far `high` is from `low`, where it is not less, and the size of a step, both in a type that can
/// say it.
fn distance(low: Expr, high: Expr, size: &Expr) -> (Expr, Expr) {
    let unsigned = match &low.ty {
        Ty::I8 => Ty::U8,
        Ty::I16 => Ty::U16,
        Ty::I32 => Ty::U32,
        Ty::I64 => Ty::U64,
        Ty::Isize => Ty::Usize,
        other => other.clone(),
    };
    let wide = match &unsigned {
        Ty::U64 => Ty::U64,
        _ => Ty::Usize,
    };
    let far = cast(wrapping(Builtin::WrappingSub, high, low), &unsigned);
    (cast(far, &wide), cast(size.clone(), &wide))
}

fn wrapping(builtin: Builtin, a: Expr, b: Expr) -> Expr {
    let ty = a.ty.clone();
    Expr {
        kind: ExprKind::Builtin(builtin, vec![a, b], 0),
        ty,
    }
}

fn cast(value: Expr, ty: &Ty) -> Expr {
    if value.ty == *ty {
        return value;
    }
    Expr {
        kind: ExprKind::Cast(Box::new(value)),
        ty: ty.clone(),
    }
}

fn one(ty: &Ty) -> Result<Value> {
    Ok(match ty {
        Ty::I8 => Value::I8(1),
        Ty::I16 => Value::I16(1),
        Ty::I32 => Value::I32(1),
        Ty::I64 => Value::I64(1),
        Ty::Isize => Value::Isize(1),
        Ty::U8 => Value::U8(1),
        Ty::U16 => Value::U16(1),
        Ty::U32 => Value::U32(1),
        Ty::U64 => Value::U64(1),
        Ty::Usize => Value::Usize(1),
        other => return Err(Malformed(format!("a range of `{other}`"))),
    })
}
