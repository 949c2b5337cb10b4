//! Powers with an integer exponent.

/// Powers with an integer exponent, in the order in which devices multiply. (std's is that of the compiler's run-time
/// library, or exact where the compiler knows both operands.)
pub(crate) trait Powi: Sized {
    /// x to the power of `exponent`, by squares.
    fn powi(self, exponent: i32) -> Self;
}

macro_rules! powi {
    ($($t:ident)*) => { $(
        impl Powi for $t {
            #[inline(always)]
            fn powi(self, exponent: i32) -> $t {
                let (mut base, mut left, mut power) = (self, exponent, 1.0);
                loop {
                    if left % 2 != 0 {
                        power *= base;
                    }
                    left /= 2;
                    if left == 0 {
                        break;
                    }
                    base *= base;
                }
                if exponent < 0 { 1.0 / power } else { power }
            }
        }
    )* };
}
powi!(f32 f64);
