//! Random arguments, many of them at the edges of their types.

use skel_core::ir::{Half, Ty, Value};

/// SplitMix64: small, and the same everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[(self.bits() % from.len() as u64) as usize]
    }

    /// A value of the type: an edge, any bits, or something ordinary.
    pub fn value(&mut self, ty: &Ty) -> Value {
        let style = self.bits() % 3;
        macro_rules! integer {
            ($t:ident) => {{
                let bits = $t::BITS as $t;
                match style {
                    0 => self.pick(&[
                        0,
                        1,
                        2,
                        7,
                        $t::MIN,
                        $t::MIN + 1,
                        $t::MAX,
                        $t::MAX - 1,
                        $t::MAX / 2,
                        $t::MAX / 2 + 1,
                        (0 as $t).wrapping_sub(1),
                        bits - 1,
                        bits,
                        bits + 1,
                    ]),
                    1 => self.bits() as $t,
                    _ => ((self.bits() % 41) as $t).wrapping_sub($t::MAX.count_zeros() as $t * 20),
                }
            }};
        }
        match ty {
            Ty::Unit => Value::Unit,
            Ty::Bool => Value::Bool(self.bits().is_multiple_of(2)),
            Ty::I8 => Value::I8(integer!(i8)),
            Ty::I16 => Value::I16(integer!(i16)),
            Ty::I32 => Value::I32(integer!(i32)),
            Ty::I64 => Value::I64(integer!(i64)),
            Ty::U8 => Value::U8(integer!(u8)),
            Ty::U16 => Value::U16(integer!(u16)),
            Ty::U32 => Value::U32(integer!(u32)),
            Ty::U64 => Value::U64(integer!(u64)),
            // Within the 32 bits that devices compute indices in.
            Ty::Usize => Value::Usize(match style {
                0 => self.pick(&[0, 1, 2, 31, 32, 1023, 65_535, 65_536]),
                _ => (self.bits() % 5000) as usize,
            }),
            Ty::Isize => Value::Isize(match style {
                0 => self.pick(&[0, 1, -1, 2, 31, -32, 1023, 65_535, -65_536]),
                _ => (self.bits() % 5000) as isize - 2500,
            }),
            Ty::F16 => Value::F16(match style {
                0 => Half(self.pick(&EDGES_F16)),
                1 => Half(self.bits() as u16),
                _ => Half::from_f32((self.bits() % 2001) as f32 / 100.0 - 10.0),
            }),
            Ty::F32 => Value::F32(match style {
                0 => self.pick(&EDGES_F32),
                1 => f32::from_bits(self.bits() as u32),
                _ => (self.bits() % 2001) as f32 / 100.0 - 10.0,
            }),
            Ty::F64 => Value::F64(match style {
                0 => self.pick(&EDGES_F64),
                1 => f64::from_bits(self.bits()),
                _ => (self.bits() % 2001) as f64 / 100.0 - 10.0,
            }),
            Ty::Struct(s) => Value::Struct(
                s.clone(),
                s.fields.iter().map(|f| self.value(&f.ty)).collect(),
            ),
            Ty::Array(a) => {
                Value::Array(a.clone(), (0..a.len).map(|_| self.value(&a.elem)).collect())
            }
            // The number is given when all arguments are there.
            Ty::View(view) => Value::View(view.clone(), 0),
        }
    }
}

/// 0, 1, 1.5, the largest, its neighbour, the smallest, the largest subnormal, the smallest normal
/// number, 2048, 2049's neighbours, infinity, NaN; and negative ones.
const EDGES_F16: [u16; 18] = [
    0x0000, 0x8000, 0x3c00, 0xbc00, 0x3e00, 0x7bff, 0xfbff, 0x7bfe, 0x0001, 0x8001, 0x03ff, 0x0400,
    0x6800, 0x6801, 0xe802, 0x7c00, 0xfc00, 0x7e00,
];

const EDGES_F32: [f32; 26] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    1.0e-40,
    -1.0e-40,
    f32::EPSILON,
    8_388_607.5,
    16_777_217.0,
    2_147_483_647.0,
    -2_147_483_648.0,
    2_147_483_520.0,
    4_294_967_295.0,
    4_294_967_040.0,
    0.499_999_97,
];

const EDGES_F64: [f64; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.5,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    5.0e-324,
    f64::EPSILON,
    2_147_483_647.5,
    -2_147_483_648.9,
    4_294_967_295.5,
    1.0e300,
    0.499_999_999_999_999_94,
];
