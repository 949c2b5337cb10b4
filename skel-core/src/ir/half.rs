//! Floats of 16 bits, as memory and constants have them. Nothing computes with them but casts: their
//! arithmetic is that of `f32`, rounded after each operation, and the builder writes it so.

/// A float of 16 bits (IEEE binary16), by its bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Half(pub u16);

impl Half {
    /// The nearest to `x`, ties to even.
    #[must_use]
    pub fn from_f32(x: f32) -> Half {
        let bits = x.to_bits();
        let sign = ((bits >> 16) & 0x8000) as u16;
        let size = bits & 0x7fff_ffff;
        let exponent = size >> 23;
        Half(match size {
            // NaN.
            0x7f80_0001.. => sign | 0x7e00,
            // From half way between the largest number and the next power of two on.
            0x477f_f000.. => sign | 0x7c00,
            // Normal numbers: 13 bits fewer, and another bias of the exponent.
            0x3880_0000.. => sign | (nearest(size, 13) - (112 << 10)) as u16,
            // Multiples of 2⁻²⁴.
            0x3300_0000.. => {
                let significand = (size & 0x007f_ffff) | 0x0080_0000;
                sign | nearest(significand, 126 - exponent) as u16
            }
            _ => sign,
        })
    }

    /// The same number.
    #[must_use]
    pub fn to_f32(self) -> f32 {
        let sign = u32::from(self.0 & 0x8000) << 16;
        let size = u32::from(self.0 & 0x7fff);
        let magnitude = match size {
            // 2⁻²⁴.
            0..0x0400 => (size as f32 * f32::from_bits(0x3380_0000)).to_bits(),
            0x0400..0x7c00 => (size << 13) + (112 << 23),
            _ => (size << 13) | 0x7f80_0000,
        };
        f32::from_bits(sign | magnitude)
    }

    /// Whether it is NaN.
    #[must_use]
    pub fn is_nan(self) -> bool {
        self.0 & 0x7fff > 0x7c00
    }
}

/// `x` without its lowest bits, rounded to nearest, ties to even.
fn nearest(x: u32, drop: u32) -> u32 {
    let odd = (x >> drop) & 1;
    (x + (1 << (drop - 1)) - 1 + odd) >> drop
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn every_half_comes_back() {
        for bits in 0..=u16::MAX {
            let half = Half(bits);
            let back = Half::from_f32(half.to_f32());
            assert!(back == half || half.is_nan() && back.is_nan(), "{bits:#x}");
        }
    }

    /// Between two neighbours the boundary is in the middle, and belongs to the even one.
    #[test]
    fn rounds_to_nearest_even() {
        for bits in 0..0x7bff_u16 {
            let (low, high) = (Half(bits), Half(bits + 1));
            let middle = f32::midpoint(low.to_f32(), high.to_f32());
            let even = if bits % 2 == 0 { low } else { high };
            for sign in [1.0, -1.0] {
                let signed = |half: Half| Half(half.0 | if sign < 0.0 { 0x8000 } else { 0 });
                assert_eq!(Half::from_f32(sign * middle), signed(even), "{middle}");
                assert_eq!(Half::from_f32(sign * middle.next_down()), signed(low));
                assert_eq!(Half::from_f32(sign * middle.next_up()), signed(high));
            }
        }
        assert_eq!(Half::from_f32(65_519.996), Half(0x7bff));
        assert_eq!(Half::from_f32(65_520.0), Half(0x7c00));
        assert_eq!(Half::from_f32(f32::NEG_INFINITY), Half(0xfc00));
        assert_eq!(Half::from_f32(-1.0e-30), Half(0x8000));
    }

    #[cfg(feature = "half")]
    #[test]
    fn agrees_with_the_crate_half() {
        for bits in 0..=u16::MAX {
            let (own, other) = (Half(bits).to_f32(), half::f16::from_bits(bits).to_f32());
            assert!(own == other || own.is_nan() && other.is_nan(), "{bits:#x}");
        }
        for bits in (0..=u32::MAX).step_by(4099) {
            let x = f32::from_bits(bits);
            let (own, other) = (Half::from_f32(x), half::f16::from_f32(x));
            assert!(
                own.0 == other.to_bits() || own.is_nan() && other.is_nan(),
                "{x}"
            );
        }
    }
}
