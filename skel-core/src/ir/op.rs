//! Operators and built-in functions.

use super::Ty;

/// Operators on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-x`: wraps on integers.
    Neg,
    /// `!x`: logical on `bool`, bitwise on integers.
    Not,
}

/// Operators on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`: traps on integers for a zero divisor and `MIN / -1`.
    Div,
    /// `%`: traps as `/` does.
    Rem,
    /// `&`, also on `bool` (where it evaluates both sides).
    BitAnd,
    /// `|`, likewise.
    BitOr,
    /// `^`, likewise.
    BitXor,
    /// `<<`: the amount, of any integer type, is masked to the width of the left operand.
    Shl,
    /// `>>`: likewise; arithmetic on signed types.
    Shr,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `&&` of expressions without effect.
    And,
    /// `||` of expressions without effect.
    Or,
}

impl UnaryOp {
    /// As Rust spells it.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Neg => "-",
            UnaryOp::Not => "!",
        }
    }
}

impl BinaryOp {
    const ALL: [BinaryOp; 18] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
        BinaryOp::And,
        BinaryOp::Or,
    ];

    /// As Rust spells it.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }

    /// The operator that Rust spells so.
    #[must_use]
    pub fn from_symbol(symbol: &str) -> Option<BinaryOp> {
        Self::ALL.into_iter().find(|op| op.symbol() == symbol)
    }

    /// `==`, `<` and their like: the result is `bool`.
    #[must_use]
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
        )
    }

    /// `<<` and `>>`: the operands may differ in type.
    #[must_use]
    pub fn is_shift(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::Shr)
    }
}

macro_rules! builtins {
    ($($(#[$doc:meta])* $variant:ident $name:literal $arity:literal $class:ident;)*) => {
        /// Built-in functions: methods of Rust's primitive types, with Rust's meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Builtin { $($(#[$doc])* $variant,)* }

        impl Builtin {
            /// All of them.
            pub const ALL: &[Builtin] = &[$(Builtin::$variant),*];

            /// The name of the Rust method.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Builtin::$variant => $name,)* }
            }

            /// Number of arguments, the receiver included.
            #[must_use]
            pub fn arity(self) -> usize {
                match self { $(Builtin::$variant => $arity,)* }
            }

            fn class(self) -> Class {
                match self { $(Builtin::$variant => Class::$class,)* }
            }
        }
    };
}

enum Class {
    Float,
    Integer,
    Number,
}

builtins! {
    /// Absolute value; wraps at `MIN`.
    Abs "abs" 1 Number;
    /// The smaller; of a number and NaN, the number.
    Min "min" 2 Number;
    /// The larger; of a number and NaN, the number.
    Max "max" 2 Number;
    /// `x.clamp(lo, hi)`; traps if `lo > hi` or either is NaN.
    Clamp "clamp" 3 Number;
    /// ±1 by the sign bit for floats (NaN gives NaN); -1, 0, 1 for integers.
    Signum "signum" 1 Number;
    /// Square root, correctly rounded.
    Sqrt "sqrt" 1 Float;
    /// Towards minus infinity.
    Floor "floor" 1 Float;
    /// Towards plus infinity.
    Ceil "ceil" 1 Float;
    /// To nearest, ties away from zero.
    Round "round" 1 Float;
    /// Towards zero.
    Trunc "trunc" 1 Float;
    /// `x - x.trunc()`.
    Fract "fract" 1 Float;
    /// Sine.
    Sin "sin" 1 Float;
    /// Cosine.
    Cos "cos" 1 Float;
    /// Tangent.
    Tan "tan" 1 Float;
    /// e to the power of x.
    Exp "exp" 1 Float;
    /// 2 to the power of x.
    Exp2 "exp2" 1 Float;
    /// Natural logarithm.
    Ln "ln" 1 Float;
    /// Logarithm to base 2.
    Log2 "log2" 1 Float;
    /// Power with a float exponent.
    Powf "powf" 2 Float;
    /// Power with an `i32` exponent.
    Powi "powi" 2 Float;
    /// `x.mul_add(a, b)` is `x * a + b`, rounded once.
    MulAdd "mul_add" 3 Float;
    /// Magnitude of the first, sign of the second.
    Copysign "copysign" 2 Float;
    /// Whether it is NaN.
    IsNan "is_nan" 1 Float;
    /// Neither NaN nor infinite.
    IsFinite "is_finite" 1 Float;
    /// Plus or minus infinity.
    IsInfinite "is_infinite" 1 Float;
    /// `+` that wraps.
    WrappingAdd "wrapping_add" 2 Integer;
    /// `-` that wraps.
    WrappingSub "wrapping_sub" 2 Integer;
    /// `*` that wraps.
    WrappingMul "wrapping_mul" 2 Integer;
    /// `-x` that wraps.
    WrappingNeg "wrapping_neg" 1 Integer;
    /// `<<` by a masked `u32`.
    WrappingShl "wrapping_shl" 2 Integer;
    /// `>>` by a masked `u32`.
    WrappingShr "wrapping_shr" 2 Integer;
    /// Bits that leave on the left enter on the right; by a `u32`.
    RotateLeft "rotate_left" 2 Integer;
    /// Bits that leave on the right enter on the left; by a `u32`.
    RotateRight "rotate_right" 2 Integer;
    /// Number of one bits, a `u32`.
    CountOnes "count_ones" 1 Integer;
    /// Number of zero bits above the highest one bit, a `u32`.
    LeadingZeros "leading_zeros" 1 Integer;
    /// Number of zero bits below the lowest one bit, a `u32`.
    TrailingZeros "trailing_zeros" 1 Integer;
}

impl Builtin {
    /// The built-in method `name` of the type `receiver`, if there is one.
    #[must_use]
    pub fn of(name: &str, receiver: &Ty) -> Option<Builtin> {
        let found = Self::ALL.iter().copied().find(|b| b.name() == name)?;
        let fits = match found.class() {
            Class::Float => receiver.is_float(),
            Class::Integer => receiver.is_integer(),
            Class::Number => receiver.is_float() || receiver.is_integer(),
        };
        // Unsigned integers have neither `abs` nor `signum`.
        let unsigned = receiver.is_integer() && !receiver.is_signed();
        let absent = unsigned && matches!(found, Builtin::Abs | Builtin::Signum);
        (fits && !absent).then_some(found)
    }

    /// The type of argument `k` (0 is the receiver) for a receiver of type `receiver`.
    #[must_use]
    pub fn argument(self, k: usize, receiver: &Ty) -> Ty {
        match self {
            Builtin::Powi if k == 1 => Ty::I32,
            Builtin::WrappingShl
            | Builtin::WrappingShr
            | Builtin::RotateLeft
            | Builtin::RotateRight
                if k == 1 =>
            {
                Ty::U32
            }
            _ => receiver.clone(),
        }
    }

    /// The type of the result for a receiver of type `receiver`.
    #[must_use]
    pub fn result(self, receiver: &Ty) -> Ty {
        match self {
            Builtin::IsNan | Builtin::IsFinite | Builtin::IsInfinite => Ty::Bool,
            Builtin::CountOnes | Builtin::LeadingZeros | Builtin::TrailingZeros => Ty::U32,
            _ => receiver.clone(),
        }
    }

    /// Whether units may differ in the last bits: their bounds are in `docs/language.md`.
    #[must_use]
    pub fn is_transcendental(self) -> bool {
        matches!(
            self,
            Builtin::Sin
                | Builtin::Cos
                | Builtin::Tan
                | Builtin::Exp
                | Builtin::Exp2
                | Builtin::Ln
                | Builtin::Log2
                | Builtin::Powf
                | Builtin::Powi
        )
    }
}
