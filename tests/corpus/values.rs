//! Random arguments, many of them at the edges of their types.

use skel_core::ir::{Mode, Ty, Value};

/// SplitMix64: small, and the same everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[(self.next() % from.len() as u64) as usize]
    }

    /// A value of the type: an edge, any bits, or something ordinary.
    pub fn value(&mut self, ty: &Ty) -> Value {
        let style = self.next() % 3;
        match ty {
            Ty::Unit => Value::Unit,
            Ty::Bool => Value::Bool(self.next() % 2 == 0),
            Ty::I32 => Value::I32(match style {
                0 => self.pick(&[
                    0,
                    1,
                    -1,
                    2,
                    7,
                    i32::MIN,
                    i32::MIN + 1,
                    i32::MAX,
                    i32::MAX - 1,
                    31,
                    32,
                ]),
                1 => self.next() as i32,
                _ => (self.next() % 41) as i32 - 20,
            }),
            Ty::U32 => Value::U32(match style {
                0 => self.pick(&[
                    0,
                    1,
                    2,
                    31,
                    32,
                    33,
                    u32::MAX,
                    u32::MAX - 1,
                    1 << 31,
                    1 << 24,
                ]),
                1 => self.next() as u32,
                _ => (self.next() % 41) as u32,
            }),
            // Within the 32 bits that devices compute indices in.
            Ty::Usize => Value::Usize(match style {
                0 => self.pick(&[0, 1, 2, 31, 32, 1023, 65_535, 65_536]),
                _ => (self.next() % 5000) as usize,
            }),
            Ty::F32 => Value::F32(match style {
                0 => self.pick(&EDGES_F32),
                1 => f32::from_bits(self.next() as u32),
                _ => (self.next() % 2001) as f32 / 100.0 - 10.0,
            }),
            Ty::F64 => Value::F64(match style {
                0 => self.pick(&EDGES_F64),
                1 => f64::from_bits(self.next()),
                _ => (self.next() % 2001) as f64 / 100.0 - 10.0,
            }),
            Ty::Struct(s) => Value::Struct(
                s.clone(),
                s.fields.iter().map(|f| self.value(&f.ty)).collect(),
            ),
        }
    }
}

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

/// One value for each parameter.
pub fn arguments(params: &[(Ty, Mode)], random: &mut Random) -> Vec<Value> {
    params.iter().map(|(ty, _)| random.value(ty)).collect()
}
