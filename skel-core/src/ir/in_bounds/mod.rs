//! From which length of lines on no element traps.
//!
//! `for i in 1..l.len() - 1 { l[i] += l[i + 1] }` never indexes beyond a line of two elements or more, and `x[m]` in
//! `for m in 0..5` never beyond an array of five. That is found by intervals of `usize` values, whose ends may depend on
//! the lines' length (abstract interpretation: Cousot and Cousot, 1977). What can trap has to be set aside before it is
//! changed in place; what cannot, need not.
//!
//! It is an answer for hosts, whose `usize` has room for any index of memory and whose functions rustc checks in any
//! case: were it wrong, an error would not say which element it was.

mod interval;

use self::interval::{Bound, Interval};
use super::{
    Arg, BinaryOp, Block, Builtin, Expr, ExprKind, Function, LocalId, LoopId, Place, Program, Step,
    Stmt, StmtKind, Ty, UnaryOp, Value, ViewKind, can_trap,
};

/// The lengths that are tried.
const LEAST: [i64; 6] = [0, 1, 2, 3, 4, 8];

/// Statements that are looked at, those of loops as often as these are gone through; then it is given up. Loops in loops
/// whose variables hang on each other are gone through many times.
const MOST_STEPS: u32 = 1 << 18;

/// The least length of lines from which on no function of the program traps, all lines of a call having one length;
/// nothing if one may trap at any length. 0 of a program without lines says that it never traps.
#[must_use]
pub fn never_traps_from(program: &Program) -> Option<usize> {
    let never = |least: i64| program.functions.iter().all(|f| !may_trap(f, least));
    let tried = match program.functions.iter().any(Function::has_lines) {
        true => LEAST.len(),
        false => 1,
    };
    let least = LEAST.into_iter().take(tried).find(|least| never(*least))?;
    usize::try_from(least).ok()
}

fn may_trap(function: &Function, least: i64) -> bool {
    let mut counts = 0;
    let positions = function.locals.iter().map(|local| {
        (local.ty == Ty::Usize).then(|| {
            counts += 1;
            counts - 1
        })
    });
    let mut analysis = Analysis {
        function,
        least,
        positions: positions.collect(),
        traps: false,
        steps_left: MOST_STEPS,
        loops: Vec::new(),
    };
    let before = Known(vec![Interval::ANY; counts]);
    analysis.block(&function.body, Some(before));
    analysis.traps || analysis.steps_left == 0
}

/// What is known of the `usize` locals at a place of the function.
#[derive(Clone, Debug, PartialEq)]
struct Known(Vec<Interval>);

impl Known {
    /// What is known where control comes from either place, if from any.
    fn or(a: Option<Known>, b: Option<Known>) -> Option<Known> {
        match (a, b) {
            (Some(a), Some(b)) => {
                let both = a.0.iter().zip(&b.0);
                Some(Known(both.map(|(a, b)| a.or(*b)).collect()))
            }
            (a, b) => a.or(b),
        }
    }
}

/// A loop that is gone through, and what is known where it is left and where its next round begins.
struct Repeated {
    id: LoopId,
    left: Option<Known>,
    next: Option<Known>,
}

struct Analysis<'f> {
    function: &'f Function,
    least: i64,
    /// Of each local, its position in [`Known`].
    positions: Vec<Option<usize>>,
    traps: bool,
    steps_left: u32,
    loops: Vec<Repeated>,
}

impl Analysis<'_> {
    /// What is known behind a block; nothing where control does not come.
    fn block(&mut self, block: &Block, before: Option<Known>) -> Option<Known> {
        block
            .iter()
            .try_fold(before?, |known, stmt| self.stmt(stmt, known))
    }

    fn stmt(&mut self, stmt: &Stmt, mut known: Known) -> Option<Known> {
        self.steps_left = self.steps_left.checked_sub(1)?;
        for e in stmt.exprs() {
            e.walk(&mut |part| self.traps |= self.part_may_trap(part, &known));
        }
        for place in stmt.written() {
            self.traps |= self.place_may_trap(&place, &known);
        }
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let value = value.as_ref().map(|value| self.eval(value, &known));
                self.set(&mut known, *local, value.unwrap_or(Interval::ANY));
            }
            StmtKind::Assign(Place { local, path }, value) if path.is_empty() => {
                let value = self.eval(value, &known);
                self.set(&mut known, *local, value);
            }
            StmtKind::Assign(..) | StmtKind::Eval(_) => {}
            StmtKind::Call { result, args, .. } => {
                let changed = args.iter().filter_map(|arg| match arg {
                    Arg::Place(place) => Some(place.local),
                    Arg::Value(_) => None,
                });
                for local in changed.chain(*result) {
                    self.set(&mut known, local, Interval::ANY);
                }
            }
            StmtKind::If(condition, then, otherwise) => {
                let [yes, no] = [true, false].map(|is| self.given(condition, is, known.clone()));
                let then = self.block(then, yes);
                return Known::or(then, self.block(otherwise, no));
            }
            StmtKind::Loop { id, body, step } => return self.repeat(*id, body, step, known),
            StmtKind::Break(id) | StmtKind::Continue(id) => {
                let is_break = matches!(stmt.kind, StmtKind::Break(_));
                if let Some(of) = self.loops.iter_mut().find(|of| of.id == *id) {
                    let goes_to = match is_break {
                        true => &mut of.left,
                        false => &mut of.next,
                    };
                    *goes_to = Known::or(goes_to.take(), Some(known));
                }
                return None;
            }
            StmtKind::Trap(_) => {
                self.traps = true;
                return None;
            }
            // The CPU's body, which the IR does not have, may do anything.
            StmtKind::Foreign(_) => {
                self.traps = true;
                return None;
            }
            StmtKind::Return(_) => return None,
        }
        Some(known)
    }

    /// What is known behind a loop: what holds before each round is looked for by giving up what a round changes.
    fn repeat(&mut self, id: LoopId, body: &Block, step: &Block, before: Known) -> Option<Known> {
        let (mut head, trapped) = (before, self.traps);
        loop {
            let (left, next) = (None, None);
            self.loops.push(Repeated { id, left, next });
            let end = self.block(body, Some(head.clone()));
            let Repeated { left, next, .. } = self.loops.pop()?;
            let Some(next) = self.block(step, Known::or(end, next)) else {
                return left;
            };
            let both = head.0.iter().zip(&next.0);
            let widened = Known(both.map(|(a, b)| a.widened(*b, self.least)).collect());
            if widened == head {
                return left;
            }
            (head, self.traps) = (widened, trapped);
        }
    }

    fn set(&self, known: &mut Known, local: LocalId, value: Interval) {
        if let Some(position) = self.positions[local.0 as usize] {
            known.0[position] = value;
        }
    }

    /// Whether this node itself may trap, its parts aside.
    fn part_may_trap(&self, e: &Expr, known: &Known) -> bool {
        can_trap(e)
            && match &e.kind {
                ExprKind::Index(of, index, _) => !self.is_within(&of.ty, index, known),
                ExprKind::At(of, indices, _) => match &indices[..] {
                    [index] => !self.is_within(&of.ty, index, known),
                    _ => true,
                },
                ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor, _) => {
                    let is_count = divisor.ty == Ty::Usize;
                    !(is_count && self.is_positive(self.eval(divisor, known)))
                }
                _ => true,
            }
    }

    fn place_may_trap(&self, place: &Place, known: &Known) -> bool {
        let mut ty = &self.function.local(place.local).ty;
        for step in &place.path {
            ty = match (step, ty) {
                (Step::Field(field), Ty::Struct(of)) => &of.fields[*field].ty,
                (Step::Index(index, _), Ty::Array(of)) if self.is_within(ty, index, known) => {
                    &of.elem
                }
                (Step::Index(index, _), Ty::View(of)) if self.is_within(ty, index, known) => {
                    &of.elem
                }
                _ => return true,
            };
        }
        false
    }

    /// Whether an array or a line surely has this element.
    fn is_within(&self, of: &Ty, index: &Expr, known: &Known) -> bool {
        let len = match of {
            Ty::Array(array) => i64::try_from(array.len).map_or(Bound::ZERO, Bound::fixed),
            Ty::View(view) if view.kind == ViewKind::Line => Bound::LEN,
            _ => return false,
        };
        self.eval(index, known).is_below(len, self.least)
    }

    fn is_positive(&self, value: Interval) -> bool {
        Bound::fixed(1).is_at_most(value.low, self.least)
    }

    /// What values an expression of type `usize` has; of others, nothing is known.
    fn eval(&self, e: &Expr, known: &Known) -> Interval {
        if e.ty != Ty::Usize {
            return Interval::ANY;
        }
        let eval = |e: &Expr| self.eval(e, known);
        match &e.kind {
            ExprKind::Const(Value::Usize(value)) => match i64::try_from(*value) {
                Ok(value) => Bound::ZERO
                    .plus(Bound::fixed(value))
                    .map_or(Interval::ANY, Interval::exactly),
                Err(_) => Interval::ANY,
            },
            ExprKind::Local(local) => match self.positions[local.0 as usize] {
                Some(position) => known.0[position],
                None => Interval::ANY,
            },
            ExprKind::Extent(of, 0) => match &of.ty {
                Ty::View(view) if view.kind == ViewKind::Line => Interval::exactly(Bound::LEN),
                _ => Interval::ANY,
            },
            ExprKind::Binary(op, a, b, _) => {
                let (a, b) = (eval(a), eval(b));
                match op {
                    BinaryOp::Add => a.plus(b),
                    BinaryOp::Sub => a.minus(b, self.least),
                    BinaryOp::Mul => a.times(b),
                    BinaryOp::Div | BinaryOp::Shr => Interval::up_to(a.high),
                    BinaryOp::Rem if self.is_positive(b) => Interval::up_to(one_less(b).or(a.high)),
                    BinaryOp::BitAnd => Interval::up_to(a.high).to(b.high, self.least),
                    _ => Interval::ANY,
                }
            }
            ExprKind::Builtin(Builtin::Min, args, _) => {
                let (a, b) = (eval(&args[0]), eval(&args[1]));
                let either = a.or(b);
                Interval {
                    high: a.high,
                    ..either
                }
                .to(b.high, self.least)
            }
            ExprKind::Builtin(Builtin::Max, args, _) => {
                let (a, b) = (eval(&args[0]), eval(&args[1]));
                a.or(b).from(a.low, self.least).from(b.low, self.least)
            }
            _ => Interval::ANY,
        }
    }

    /// What is known where the condition has this value; nothing where it cannot.
    fn given(&self, condition: &Expr, is: bool, known: Known) -> Option<Known> {
        match &condition.kind {
            ExprKind::Const(Value::Bool(value)) => (*value == is).then_some(known),
            ExprKind::Unary(UnaryOp::Not, e) => self.given(e, !is, known),
            ExprKind::Binary(BinaryOp::And, a, b, _) if is => {
                self.given(a, is, known).and_then(|k| self.given(b, is, k))
            }
            ExprKind::Binary(BinaryOp::Or, a, b, _) if !is => {
                self.given(a, is, known).and_then(|k| self.given(b, is, k))
            }
            ExprKind::Binary(op, a, b, _) if a.ty == Ty::Usize => {
                let one = Bound::fixed(1);
                let (x, y) = (self.eval(a, &known), self.eval(b, &known));
                // `low < high`, or with equality.
                let less = |strict: bool, low: &Expr, high: &Expr, x: Interval, y: Interval| {
                    let (most, from) = match strict {
                        true => (one_less(y), x.low.plus(one)),
                        false => (y.high, Some(x.low)),
                    };
                    let from = from.unwrap_or(Bound::ZERO);
                    let known = self.narrow(known.clone(), low, |of| of.to(most, self.least))?;
                    self.narrow(known, high, |of| of.from(from, self.least))
                };
                match (op, is) {
                    (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => less(true, a, b, x, y),
                    (BinaryOp::Le, true) | (BinaryOp::Gt, false) => less(false, a, b, x, y),
                    (BinaryOp::Gt, true) | (BinaryOp::Le, false) => less(true, b, a, y, x),
                    (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => less(false, b, a, y, x),
                    (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => {
                        let within = |of: Interval, by: Interval| {
                            of.from(by.low, self.least).to(by.high, self.least)
                        };
                        let known = self.narrow(known, a, |of| within(of, y))?;
                        self.narrow(known, b, |of| within(of, x))
                    }
                    _ => Some(known),
                }
            }
            _ => Some(known),
        }
    }

    /// What is known where the value of `e` is also within this; nothing where there is no such value.
    fn narrow(
        &self,
        mut known: Known,
        e: &Expr,
        within: impl FnOnce(Interval) -> Interval,
    ) -> Option<Known> {
        let narrowed = within(self.eval(e, &known));
        if narrowed.is_empty(self.least) {
            return None;
        }
        if let ExprKind::Local(local) = e.kind {
            self.set(&mut known, local, narrowed);
        }
        Some(known)
    }
}

/// One less than the largest value.
fn one_less(of: Interval) -> Option<Bound> {
    of.high?.plus(Bound::fixed(-1))
}

#[cfg(test)]
mod test;
