//! Methods that are written out where they are called, in terms of operators and of other methods: no unit
//! knows of them, and what traps in them traps at the caller's line.

mod mixed;
mod power;
mod terms;

use crate::ir::{
    BinaryOp, Block, Builtin, Expr, StmtKind, TrapKind, Ty, Value,
    build::lower::{Lower, Malformed, Result},
};
use terms::{builtin, cast_to, number, tuple};

fn unknown(name: &str, x: &Expr) -> Malformed {
    Malformed(format!("unknown built-in method `{name}` of `{}`", x.ty))
}

/// The methods of integers that are written out, with the number of their arguments, the receiver included.
const INTEGER: [(&str, usize); 32] = [
    ("wrapping_div", 2),
    ("wrapping_rem", 2),
    ("wrapping_div_euclid", 2),
    ("wrapping_rem_euclid", 2),
    ("wrapping_abs", 1),
    ("wrapping_pow", 2),
    ("saturating_mul", 2),
    ("saturating_pow", 2),
    ("saturating_div", 2),
    ("saturating_neg", 1),
    ("saturating_abs", 1),
    ("overflowing_add", 2),
    ("overflowing_sub", 2),
    ("overflowing_mul", 2),
    ("overflowing_div", 2),
    ("overflowing_rem", 2),
    ("overflowing_div_euclid", 2),
    ("overflowing_rem_euclid", 2),
    ("overflowing_neg", 1),
    ("overflowing_abs", 1),
    ("overflowing_pow", 2),
    ("overflowing_shl", 2),
    ("overflowing_shr", 2),
    ("midpoint", 2),
    ("count_zeros", 1),
    ("div_ceil", 2),
    ("next_multiple_of", 2),
    ("is_power_of_two", 1),
    ("next_power_of_two", 1),
    ("ilog2", 1),
    ("ilog10", 1),
    ("isqrt", 1),
];

/// Those of floats: of `f32` and `f64`.
const FLOAT: [(&str, usize); 2] = [("log", 2), ("sin_cos", 1)];

/// Those of integers and of nothing else that take another integer as the base.
const ILOG: (&str, usize) = ("ilog", 2);

/// The number of arguments of the method `name` of `receiver`, if it is one that is written out.
pub(super) fn arity(name: &str, receiver: &Ty) -> Option<usize> {
    let all: &[(&str, usize)] = match receiver {
        ty if ty.is_integer() && name == ILOG.0 => return Some(ILOG.1),
        ty if ty.is_integer() => match mixed::arity(name, ty) {
            Some(arity) => return Some(arity),
            None => &INTEGER,
        },
        ty if ty.is_float() => &FLOAT,
        _ => &[],
    };
    let found = all.iter().find(|(own, _)| *own == name)?;
    Some(found.1)
}

/// The type of argument `k` of such a method; 0 is the receiver.
pub(super) fn argument(name: &str, k: usize, receiver: &Ty) -> Option<Ty> {
    arity(name, receiver)?;
    let counts = name.ends_with("_pow") || matches!(name, "overflowing_shl" | "overflowing_shr");
    Some(match k {
        1 if counts => Ty::U32,
        1 if mixed::arity(name, receiver).is_some() => mixed::other(receiver),
        _ => receiver.clone(),
    })
}

impl Lower<'_> {
    /// The value of such a method; what it takes to compute it is appended to `out`.
    pub(super) fn composed(
        &mut self,
        name: &str,
        args: Vec<Expr>,
        out: &mut Block,
    ) -> Result<Expr> {
        let args: Vec<Expr> = args.into_iter().map(|arg| self.named(arg, out)).collect();
        match args.as_slice() {
            [x] if x.ty.is_float() => Ok(tuple([
                builtin(Builtin::Sin, [x.clone()], self.line),
                builtin(Builtin::Cos, [x.clone()], self.line),
            ])),
            [x, base] if x.ty.is_float() => {
                let ln = |x: &Expr| builtin(Builtin::Ln, [x.clone()], self.line);
                Ok(self.op(BinaryOp::Div, ln(x), ln(base)))
            }
            [x] => self.of_one(name, x, out),
            [x, y] => self.of_two(name, x, y, out),
            _ => Err(Malformed(format!("`{name}` with so many arguments"))),
        }
    }

    fn of_one(&mut self, name: &str, x: &Expr, out: &mut Block) -> Result<Expr> {
        let ty = x.ty.clone();
        let zero = number(&ty, 0);
        let negative = self.op(BinaryOp::Lt, x.clone(), zero.clone());
        let is_min = |this: &Self| this.op(BinaryOp::Eq, x.clone(), terms::min(&ty));
        Ok(match name {
            "wrapping_abs" => terms::absolute(x, self.line),
            "saturating_neg" => builtin(Builtin::SaturatingSub, [zero, x.clone()], self.line),
            "saturating_abs" => {
                let other = builtin(Builtin::SaturatingSub, [zero, x.clone()], self.line);
                builtin(Builtin::Max, [x.clone(), other], self.line)
            }
            "overflowing_neg" => {
                let over = match ty.is_signed() {
                    true => is_min(self),
                    false => self.op(BinaryOp::Ne, x.clone(), zero),
                };
                let value = builtin(Builtin::WrappingNeg, [x.clone()], self.line);
                tuple([value, over])
            }
            "overflowing_abs" => tuple([terms::absolute(x, self.line), is_min(self)]),
            "count_zeros" => {
                let ones = builtin(Builtin::CountOnes, [x.clone()], self.line);
                self.op(BinaryOp::Sub, terms::width(&ty), ones)
            }
            "is_power_of_two" => {
                let ones = builtin(Builtin::CountOnes, [x.clone()], self.line);
                self.op(BinaryOp::Eq, ones, number(&Ty::U32, 1))
            }
            "next_power_of_two" => {
                let one = number(&ty, 1);
                let small = self.op(BinaryOp::Le, x.clone(), one.clone());
                self.selected(small, one.clone(), out, |this, out| {
                    let before = this.op(BinaryOp::Sub, x.clone(), one.clone());
                    let highest = this.highest_bit(&before);
                    let half = this.named(this.op(BinaryOp::Shl, one, highest), out);
                    this.op(BinaryOp::Add, half.clone(), half)
                })
            }
            "ilog2" => {
                let bad = self.op(BinaryOp::Le, x.clone(), zero);
                self.trap_if(bad, NO_LOGARITHM, out);
                self.highest_bit(x)
            }
            "ilog10" => {
                let bad = self.op(BinaryOp::Le, x.clone(), zero);
                self.trap_if(bad, NO_LOGARITHM, out);
                self.logarithm(x, &number(&ty, 10), out)
            }
            "isqrt" => {
                if ty.is_signed() {
                    let message = "argument of integer square root cannot be negative";
                    self.trap_if(negative, message, out);
                }
                self.square_root(x, out)
            }
            "cast_signed" | "cast_unsigned" => cast_to(x.clone(), &mixed::other(&ty)),
            _ => return Err(unknown(name, x)),
        })
    }

    fn of_two(&mut self, name: &str, x: &Expr, y: &Expr, out: &mut Block) -> Result<Expr> {
        let (ty, signed) = (x.ty.clone(), x.ty.is_signed());
        let (a, b, line) = (x.clone(), y.clone(), self.line);
        let both = || [x.clone(), y.clone()];
        let zero = number(&ty, 0);
        Ok(match name {
            "wrapping_div" => self.unless_minus_one(x, y, BinaryOp::Div, out),
            "wrapping_rem" => self.unless_minus_one(x, y, BinaryOp::Rem, out),
            "saturating_div" if signed => {
                let minus_one = self.op(BinaryOp::Eq, b, number(&ty, -1));
                let negated = builtin(Builtin::SaturatingSub, [zero, x.clone()], line);
                self.selected(minus_one, negated, out, |this, _| {
                    this.op(BinaryOp::Div, x.clone(), y.clone())
                })
            }
            "saturating_div" => self.op(BinaryOp::Div, a, b),
            "wrapping_div_euclid" | "wrapping_rem_euclid" => {
                let (euclid, special) = match name {
                    "wrapping_div_euclid" => (
                        Builtin::DivEuclid,
                        builtin(Builtin::WrappingNeg, [x.clone()], line),
                    ),
                    _ => (Builtin::RemEuclid, zero),
                };
                if !signed {
                    return Ok(builtin(euclid, both(), line));
                }
                let minus_one = self.op(BinaryOp::Eq, b, number(&ty, -1));
                self.selected(minus_one, special, out, |_, _| {
                    builtin(euclid, both(), line)
                })
            }
            "overflowing_add" => {
                let sum = self.named(builtin(Builtin::WrappingAdd, both(), line), out);
                let over = match signed {
                    true => {
                        let first = self.op(BinaryOp::BitXor, a, sum.clone());
                        let second = self.op(BinaryOp::BitXor, b, sum.clone());
                        let both = self.op(BinaryOp::BitAnd, first, second);
                        self.op(BinaryOp::Lt, both, zero)
                    }
                    false => self.op(BinaryOp::Lt, sum.clone(), a),
                };
                tuple([sum, over])
            }
            "overflowing_sub" => {
                let left = self.named(builtin(Builtin::WrappingSub, both(), line), out);
                let over = match signed {
                    true => {
                        let unlike = self.op(BinaryOp::BitXor, a.clone(), b);
                        let changed = self.op(BinaryOp::BitXor, a, left.clone());
                        let both = self.op(BinaryOp::BitAnd, unlike, changed);
                        self.op(BinaryOp::Lt, both, zero)
                    }
                    false => self.op(BinaryOp::Lt, a, b),
                };
                tuple([left, over])
            }
            "overflowing_div"
            | "overflowing_rem"
            | "overflowing_div_euclid"
            | "overflowing_rem_euclid" => {
                let wraps = name.replace("overflowing", "wrapping");
                // Named: it can trap, also where only the other of both is used.
                let value = self.of_two(&wraps, x, y, out)?;
                let value = self.named(value, out);
                let over = match signed {
                    true => {
                        let least = self.op(BinaryOp::Eq, a, terms::min(&ty));
                        let minus_one = self.op(BinaryOp::Eq, b, number(&ty, -1));
                        self.op(BinaryOp::And, least, minus_one)
                    }
                    false => Expr::constant(Value::Bool(false)),
                };
                tuple([value, over])
            }
            name if mixed::arity(name, &ty).is_some() => self.of_mixed(name, x, y, out)?,
            "overflowing_mul" => tuple(self.product(x, y, out)),
            "saturating_mul" => {
                let [product, over] = self.product(x, y, out);
                let unlike = self.op(BinaryOp::BitXor, a, b);
                let negative = signed.then(|| self.op(BinaryOp::Lt, unlike, zero));
                let end = self.end(&ty, negative, out);
                self.selected(over, end, out, |_, _| product)
            }
            "wrapping_pow" => {
                let [value, _] = self.power(x, y, power::wrapping, out);
                value
            }
            "overflowing_pow" => tuple(self.power(x, y, power::checked, out)),
            "saturating_pow" => {
                let [value, over] = self.power(x, y, power::checked, out);
                let odd = self.op(BinaryOp::BitAnd, b, number(&Ty::U32, 1));
                let odd = self.op(BinaryOp::Ne, odd, number(&Ty::U32, 0));
                let below = self.op(BinaryOp::Lt, a, zero);
                let negative = signed.then(|| self.op(BinaryOp::And, below, odd));
                let end = self.end(&ty, negative, out);
                self.selected(over, end, out, |_, _| value)
            }
            "overflowing_shl" | "overflowing_shr" => {
                let shift = match name {
                    "overflowing_shl" => Builtin::WrappingShl,
                    _ => Builtin::WrappingShr,
                };
                let over = self.op(BinaryOp::Ge, b, terms::width(&ty));
                tuple([builtin(shift, both(), line), over])
            }
            "midpoint" => self.midpoint(x, y, out),
            "div_ceil" => {
                let quotient = self.named(self.op(BinaryOp::Div, a.clone(), b.clone()), out);
                let rest = self.op(BinaryOp::Rem, a, b);
                let more = self.op(BinaryOp::Ne, rest, zero);
                builtin(Builtin::WrappingAdd, [quotient, cast_to(more, &ty)], line)
            }
            "next_multiple_of" => {
                let rest = self.named(self.op(BinaryOp::Rem, a.clone(), b.clone()), out);
                let divides = self.op(BinaryOp::Eq, rest.clone(), zero);
                self.selected(divides, a.clone(), out, |this, _| {
                    let missing = this.op(BinaryOp::Sub, b, rest);
                    this.op(BinaryOp::Add, a, missing)
                })
            }
            "ilog" => {
                let small = self.op(BinaryOp::Lt, b, number(&ty, 2));
                let message = "base of integer logarithm must be at least 2";
                self.trap_if(small, message, out);
                let bad = self.op(BinaryOp::Le, a, zero);
                self.trap_if(bad, NO_LOGARITHM, out);
                self.logarithm(x, y, out)
            }
            _ => return Err(unknown(name, x)),
        })
    }

    /// `x / y`, or `x % y`, which wraps where `y` is -1.
    fn unless_minus_one(&mut self, x: &Expr, y: &Expr, op: BinaryOp, out: &mut Block) -> Expr {
        let divided = self.op(op, x.clone(), y.clone());
        if !x.ty.is_signed() {
            return divided;
        }
        let minus_one = self.op(BinaryOp::Eq, y.clone(), number(&x.ty, -1));
        let special = match op {
            BinaryOp::Div => builtin(Builtin::WrappingNeg, [x.clone()], self.line),
            _ => number(&x.ty, 0),
        };
        self.selected(minus_one, special, out, |_, _| divided)
    }

    /// Half of the sum, rounded towards zero.
    fn midpoint(&mut self, x: &Expr, y: &Expr, out: &mut Block) -> Expr {
        let ty = &x.ty;
        let unlike = self.named(self.op(BinaryOp::BitXor, x.clone(), y.clone()), out);
        let half = self.op(BinaryOp::Shr, unlike.clone(), number(&Ty::U32, 1));
        let alike = self.op(BinaryOp::BitAnd, x.clone(), y.clone());
        let floor = builtin(Builtin::WrappingAdd, [half, alike], self.line);
        if !ty.is_signed() {
            return floor;
        }
        let floor = self.named(floor, out);
        let odd = self.op(BinaryOp::BitAnd, unlike, number(ty, 1));
        let odd = self.op(BinaryOp::Ne, odd, number(ty, 0));
        let negative = self.op(BinaryOp::Lt, floor.clone(), number(ty, 0));
        let up = self.op(BinaryOp::And, negative, odd);
        builtin(Builtin::WrappingAdd, [floor, cast_to(up, ty)], self.line)
    }

    fn trap_if(&mut self, condition: Expr, message: &'static str, out: &mut Block) {
        let mut trap = Block::new();
        self.push(StmtKind::Trap(TrapKind::Panic(message)), &mut trap);
        self.push(StmtKind::If(condition, trap, Block::new()), out);
    }
}

const NO_LOGARITHM: &str = "argument of integer logarithm must be positive";
