//! Products, powers, logarithms and roots of integers: those that take a loop, or a product that may overflow.

use super::terms::{builtin, cast_to, max, number};
use crate::ir::{
    BinaryOp, Block, Builtin, Expr, ExprKind, LoopId, Place, StmtKind, Ty, Value,
    build::lower::Lower,
};

/// A product, and whether it overflows.
pub(super) type Product = fn(&mut Lower<'_>, &Expr, &Expr, &mut Block) -> [Expr; 2];

/// The product where it does not matter whether it overflows.
pub(super) fn wrapping(this: &mut Lower<'_>, x: &Expr, y: &Expr, _: &mut Block) -> [Expr; 2] {
    let product = builtin(Builtin::WrappingMul, [x.clone(), y.clone()], this.line);
    [product, Expr::constant(Value::Bool(false))]
}

/// [`Lower::product`].
pub(super) fn checked(this: &mut Lower<'_>, x: &Expr, y: &Expr, out: &mut Block) -> [Expr; 2] {
    this.product(x, y, out)
}

impl Lower<'_> {
    /// The product, which wraps, and whether it does.
    pub(super) fn product(&mut self, x: &Expr, y: &Expr, out: &mut Block) -> [Expr; 2] {
        let line = self.line;
        let wrapped = builtin(Builtin::WrappingMul, [x.clone(), y.clone()], line);
        let wrapped = self.named(wrapped, out);
        if !x.ty.is_signed() {
            let over = self.overflows(x, y, wrapped.clone(), out);
            return [wrapped, over];
        }
        // The product of the absolute values, and how large it may be.
        let magnitude = |e: &Expr| builtin(Builtin::UnsignedAbs, [e.clone()], line);
        let a = self.named(magnitude(x), out);
        let b = self.named(magnitude(y), out);
        let product = builtin(Builtin::WrappingMul, [a.clone(), b.clone()], line);
        let product = self.named(product, out);
        let over = self.overflows(&a, &b, product.clone(), out);
        let unlike = self.op(BinaryOp::BitXor, x.clone(), y.clone());
        let negative = self.op(BinaryOp::Lt, unlike, number(&x.ty, 0));
        let most = cast_to(max(&x.ty), &a.ty);
        let one_more = cast_to(negative, &a.ty);
        let limit = builtin(Builtin::WrappingAdd, [most, one_more], line);
        let large = self.op(BinaryOp::Gt, product, limit);
        // Computed here: the factors may be variables that take the product.
        let over = self.op(BinaryOp::Or, over, large);
        let over = self.named(over, out);
        [wrapped, over]
    }

    /// Whether the product of two unsigned integers, which has wrapped to `product`, is larger.
    fn overflows(&mut self, x: &Expr, y: &Expr, product: Expr, out: &mut Block) -> Expr {
        let zero = self.op(BinaryOp::Eq, x.clone(), number(&x.ty, 0));
        let fits = Expr::constant(Value::Bool(false));
        self.selected(zero, fits, out, |this, _| {
            let back = this.op(BinaryOp::Div, product, x.clone());
            this.op(BinaryOp::Ne, back, y.clone())
        })
    }

    /// `x` to the power of a `u32`, which wraps, and whether it does, as `product` says it: by squaring, as std
    /// has it.
    pub(super) fn power(
        &mut self,
        x: &Expr,
        exponent: &Expr,
        product: Product,
        out: &mut Block,
    ) -> [Expr; 2] {
        let base = self.variable_of(x.clone(), out);
        let rest = self.variable_of(exponent.clone(), out);
        let total = self.variable_of(number(&x.ty, 1), out);
        let over = self.variable_of(Expr::constant(Value::Bool(false)), out);
        let one = number(&Ty::U32, 1);
        let mut body = Block::new();
        let id = self.loop_until(&rest, &mut body);
        let odd = self.op(BinaryOp::BitAnd, rest.clone(), one.clone());
        let odd = self.op(BinaryOp::Ne, odd, number(&Ty::U32, 0));
        let mut with_total = Block::new();
        let [next, wraps] = product(self, &total, &base, &mut with_total);
        self.set(&total, next, &mut with_total);
        let wraps = self.op(BinaryOp::Or, over.clone(), wraps);
        self.set(&over, wraps, &mut with_total);
        self.push(StmtKind::If(odd, with_total, Block::new()), &mut body);
        let half = self.op(BinaryOp::Shr, rest.clone(), one);
        self.set(&rest, half, &mut body);
        // The last square is not needed, and may overflow where the power does not.
        let more = self.op(BinaryOp::Ne, rest, number(&Ty::U32, 0));
        let mut square = Block::new();
        let [squared, wraps] = product(self, &base, &base, &mut square);
        self.set(&base, squared, &mut square);
        let wraps = self.op(BinaryOp::Or, over.clone(), wraps);
        self.set(&over, wraps, &mut square);
        self.push(StmtKind::If(more, square, Block::new()), &mut body);
        self.repeat(id, body, out);
        [total, over]
    }

    /// How often a positive `x` can be divided by `base`, which is at least 2; a `u32`.
    pub(super) fn logarithm(&mut self, x: &Expr, base: &Expr, out: &mut Block) -> Expr {
        let start = self.op(BinaryOp::Div, x.clone(), base.clone());
        let rest = self.variable_of(start, out);
        let count = self.variable_of(number(&Ty::U32, 0), out);
        let mut body = Block::new();
        let id = self.loop_until(&rest, &mut body);
        let next = self.op(BinaryOp::Div, rest.clone(), base.clone());
        self.set(&rest, next, &mut body);
        let more = self.op(BinaryOp::Add, count.clone(), number(&Ty::U32, 1));
        self.set(&count, more, &mut body);
        self.repeat(id, body, out);
        count
    }

    /// The square root of a number that is not negative, rounded down: bit by bit.
    pub(super) fn square_root(&mut self, x: &Expr, out: &mut Block) -> Expr {
        let unsigned = absolute_unsigned(x, self.line);
        let rest = self.variable_of(unsigned, out);
        let ty = rest.ty.clone();
        let root = self.variable_of(number(&ty, 0), out);
        // The largest power of four that is not above the number (or 1).
        let some_bit = self.op(BinaryOp::BitOr, rest.clone(), number(&ty, 1));
        let highest = self.highest_bit(&some_bit);
        let even = self.op(BinaryOp::BitAnd, highest, number(&Ty::U32, 0xFFFF_FFFE));
        let first = self.op(BinaryOp::Shl, number(&ty, 1), even);
        let bit = self.variable_of(first, out);
        let mut body = Block::new();
        let id = self.loop_until(&bit, &mut body);
        let tried = self.op(BinaryOp::BitOr, root.clone(), bit.clone());
        let tried = self.named(tried, &mut body);
        let half = self.op(BinaryOp::Shr, root.clone(), number(&Ty::U32, 1));
        self.set(&root, half, &mut body);
        let fits = self.op(BinaryOp::Ge, rest.clone(), tried.clone());
        let mut taken = Block::new();
        let left = self.op(BinaryOp::Sub, rest.clone(), tried);
        self.set(&rest, left, &mut taken);
        let with_bit = self.op(BinaryOp::BitOr, root.clone(), bit.clone());
        self.set(&root, with_bit, &mut taken);
        self.push(StmtKind::If(fits, taken, Block::new()), &mut body);
        let next = self.op(BinaryOp::Shr, bit.clone(), number(&Ty::U32, 2));
        self.set(&bit, next, &mut body);
        self.repeat(id, body, out);
        cast_to(root, &x.ty)
    }

    /// A local that begins with this value.
    fn variable_of(&mut self, value: Expr, out: &mut Block) -> Expr {
        let local = self.local("tmp", value.ty.clone());
        self.push(StmtKind::Let(local, Some(value)), out);
        self.read(local)
    }

    fn set(&self, variable: &Expr, value: Expr, out: &mut Block) {
        let ExprKind::Local(local) = variable.kind else {
            unreachable!("only locals are assigned");
        };
        self.push(StmtKind::Assign(Place::local(local), value), out);
    }

    /// The beginning of the body of a loop that ends when `variable` is 0.
    fn loop_until(&mut self, variable: &Expr, body: &mut Block) -> LoopId {
        let id = LoopId(self.loop_count);
        self.loop_count += 1;
        let done = self.op(BinaryOp::Eq, variable.clone(), number(&variable.ty, 0));
        let mut leave = Block::new();
        self.push(StmtKind::Break(id), &mut leave);
        self.push(StmtKind::If(done, leave, Block::new()), body);
        id
    }

    fn repeat(&self, id: LoopId, body: Block, out: &mut Block) {
        let step = Block::new();
        self.push(StmtKind::Loop { id, body, step }, out);
    }
}

/// The absolute value, of the unsigned type of the same width.
fn absolute_unsigned(x: &Expr, line: u32) -> Expr {
    match x.ty.is_signed() {
        true => builtin(Builtin::UnsignedAbs, [x.clone()], line),
        false => x.clone(),
    }
}
