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

/// Which types have a method.
enum Class {
    Float,
    Integer,
    /// Floats and signed integers.
    HasSign,
    Signed,
    Unsigned,
    Number,
    /// The unsigned integers that are as wide as a float.
    FloatBits,
}

builtins! {
    /// Absolute value; wraps at `MIN`.
    Abs "abs" 1 HasSign;
    /// The smaller; of a number and NaN, the number.
    Min "min" 2 Number;
    /// The larger; of a number and NaN, the number.
    Max "max" 2 Number;
    /// `x.clamp(lo, hi)`; traps if `lo > hi` or either is NaN.
    Clamp "clamp" 3 Number;
    /// ±1 by the sign bit for floats (NaN gives NaN); -1, 0, 1 for integers.
    Signum "signum" 1 HasSign;
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
    /// Number of one bits above the highest zero bit, a `u32`.
    LeadingOnes "leading_ones" 1 Integer;
    /// Number of one bits below the lowest zero bit, a `u32`.
    TrailingOnes "trailing_ones" 1 Integer;
    /// The bytes in the opposite order.
    SwapBytes "swap_bytes" 1 Integer;
    /// The bits in the opposite order.
    ReverseBits "reverse_bits" 1 Integer;
    /// Power with a `u32` exponent; wraps.
    Pow "pow" 2 Integer;
    /// `+` that stops at the ends of the type.
    SaturatingAdd "saturating_add" 2 Integer;
    /// `-` that stops at the ends of the type.
    SaturatingSub "saturating_sub" 2 Integer;
    /// `|x - y|`, of the unsigned type of the same width.
    AbsDiff "abs_diff" 2 Integer;
    /// `|x|`, of the unsigned type of the same width.
    UnsignedAbs "unsigned_abs" 1 Signed;
    /// `x > 0`.
    IsPositive "is_positive" 1 Signed;
    /// `x < 0`.
    IsNegative "is_negative" 1 Signed;
    /// `x % y == 0`; of `y == 0`, whether `x == 0`. Never traps.
    IsMultipleOf "is_multiple_of" 2 Unsigned;
    /// The quotient whose remainder is not negative. On integers it traps as `/` does. On floats it
    /// is `q = (x / y).trunc()`, but `q - 1.0` (of `y > 0.0`) or `q + 1.0` where `x % y < 0.0`.
    DivEuclid "div_euclid" 2 Number;
    /// The remainder that is not negative. On integers it traps as `%` does. On floats it is
    /// `r = x % y`, but `r + y.abs()` where `r < 0.0`.
    RemEuclid "rem_euclid" 2 Number;
    /// The bits of a float: a `u16` of `f16`, a `u32` of `f32`, a `u64` of `f64`. Those of NaN are open.
    ToBits "to_bits" 1 Float;
    /// `f32::from_bits(x)` and its like: the receiver is the `u16`, `u32` or `u64`.
    FromBits "from_bits" 1 FloatBits;
    /// `1.0 / x`.
    Recip "recip" 1 Float;
    /// To nearest, ties to even.
    RoundTiesEven "round_ties_even" 1 Float;
    /// Whether the sign bit is 0.
    IsSignPositive "is_sign_positive" 1 Float;
    /// Whether the sign bit is 1.
    IsSignNegative "is_sign_negative" 1 Float;
    /// `x * c`, rounded once, where `c` is 180/π rounded to `f32`; of `f64`, `180.0 / PI`.
    ToDegrees "to_degrees" 1 Float;
    /// `x * (PI / 180.0)`, with the constant rounded to the type.
    ToRadians "to_radians" 1 Float;
    /// Arc sine.
    Asin "asin" 1 Float;
    /// Arc cosine.
    Acos "acos" 1 Float;
    /// Arc tangent.
    Atan "atan" 1 Float;
    /// `y.atan2(x)`: the angle of the point (x, y).
    Atan2 "atan2" 2 Float;
    /// Hyperbolic sine.
    Sinh "sinh" 1 Float;
    /// Hyperbolic cosine.
    Cosh "cosh" 1 Float;
    /// Hyperbolic tangent.
    Tanh "tanh" 1 Float;
    /// `sqrt(x² + y²)` without overflow on the way.
    Hypot "hypot" 2 Float;
    /// `exp(x) - 1`, exact near 0.
    ExpM1 "exp_m1" 1 Float;
    /// `ln(1 + x)`, exact near 0.
    Ln1p "ln_1p" 1 Float;
    /// Logarithm to base 10.
    Log10 "log10" 1 Float;
    /// Cube root.
    Cbrt "cbrt" 1 Float;
}

impl Builtin {
    /// The built-in method `name` of the type `receiver`, if there is one.
    #[must_use]
    pub fn of(name: &str, receiver: &Ty) -> Option<Builtin> {
        let found = Self::ALL.iter().copied().find(|b| b.name() == name)?;
        let fits = match found.class() {
            Class::Float if found == Builtin::ToBits && *receiver == Ty::F16 => true,
            Class::Float => receiver.is_float(),
            Class::Integer => receiver.is_integer(),
            Class::HasSign => receiver.is_float() || receiver.is_signed(),
            Class::Signed => receiver.is_signed(),
            Class::Unsigned => receiver.is_integer() && !receiver.is_signed(),
            Class::Number => receiver.is_float() || receiver.is_integer(),
            Class::FloatBits => float_of_bits(receiver).is_some(),
        };
        fits.then_some(found)
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
            | Builtin::Pow
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
            Builtin::IsNan
            | Builtin::IsFinite
            | Builtin::IsInfinite
            | Builtin::IsSignPositive
            | Builtin::IsSignNegative
            | Builtin::IsPositive
            | Builtin::IsNegative
            | Builtin::IsMultipleOf => Ty::Bool,
            Builtin::CountOnes
            | Builtin::LeadingZeros
            | Builtin::TrailingZeros
            | Builtin::LeadingOnes
            | Builtin::TrailingOnes => Ty::U32,
            Builtin::AbsDiff | Builtin::UnsignedAbs => unsigned_of(receiver),
            Builtin::ToBits => bits_of_float(receiver),
            Builtin::FromBits => float_of_bits(receiver).unwrap_or_else(|| receiver.clone()),
            _ => receiver.clone(),
        }
    }

    /// Whether units have these of their own, which differ in the last bits. Those of `f32` and `f64` become calls of
    /// [`crate::math`]'s when a function is built, unless it has `fast_math`.
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
                | Builtin::Asin
                | Builtin::Acos
                | Builtin::Atan
                | Builtin::Atan2
                | Builtin::Sinh
                | Builtin::Cosh
                | Builtin::Tanh
                | Builtin::Hypot
                | Builtin::ExpM1
                | Builtin::Ln1p
                | Builtin::Log10
                | Builtin::Cbrt
        )
    }
}

/// The unsigned integer as wide as this one.
fn unsigned_of(ty: &Ty) -> Ty {
    match ty {
        Ty::I8 => Ty::U8,
        Ty::I16 => Ty::U16,
        Ty::I32 => Ty::U32,
        Ty::I64 => Ty::U64,
        Ty::Isize => Ty::Usize,
        other => other.clone(),
    }
}

/// The unsigned integer as wide as this float.
fn bits_of_float(ty: &Ty) -> Ty {
    match ty {
        Ty::F16 => Ty::U16,
        Ty::F32 => Ty::U32,
        Ty::F64 => Ty::U64,
        other => other.clone(),
    }
}

/// The float as wide as this unsigned integer.
fn float_of_bits(ty: &Ty) -> Option<Ty> {
    match ty {
        Ty::U16 => Some(Ty::F16),
        Ty::U32 => Some(Ty::F32),
        Ty::U64 => Some(Ty::F64),
        _ => None,
    }
}
