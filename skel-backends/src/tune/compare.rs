//! Whether two units have computed the same.

use skel_core::{
    frame::{Partial, View},
    ir::Ty,
    plan::Phases,
};

/// How alike floats of two units must be. Integers are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agreement {
    /// The same numbers: which NaN, and which zero `min` and `max` give, is open.
    Same,
    /// Apart by no more than [`TOLERANCE`]: units compute with errors of their own, by which they may even take other
    /// branches.
    Near,
}

/// Relative to the larger one, or to 1.
const TOLERANCE: f64 = 1e-3;

/// Where units compute with errors of their own, so many elements may differ altogether.
const FEW: f64 = 0.02;

/// The first element in which two units differ, if they do by more than they may.
pub(super) fn differ(a: &View<'_>, b: &View<'_>, ty: &Ty, agreement: Agreement) -> Option<usize> {
    let size = a.layout().size_bytes();
    if size == 0 {
        return None;
    }
    let pairs = a
        .bytes()
        .chunks_exact(size)
        .zip(b.bytes().chunks_exact(size));
    let different = pairs
        .enumerate()
        .filter(|(_, (a, b))| !alike(a, b, ty, agreement));
    let mut different = different.map(|(k, _)| a.window().start + k);
    let first = different.next()?;
    let count = 1 + different.count();
    let few = agreement == Agreement::Near && count as f64 <= FEW * a.window().len() as f64;
    (!few).then_some(first)
}

/// Whether two partials are alike; `phases` says what they are of.
pub(super) fn partials_are_alike(
    a: &Partial,
    b: &Partial,
    phases: &dyn Phases,
    ty: &Ty,
    agreement: Agreement,
) -> bool {
    let Some(layout) = phases.partial_layout() else {
        return true;
    };
    match (a.bytes(layout), b.bytes(layout)) {
        (Some(a), Some(b)) => alike(a, b, ty, agreement),
        (None, None) => true,
        _ => false,
    }
}

/// Whether two elements are alike, given as their bytes.
fn alike(a: &[u8], b: &[u8], ty: &Ty, agreement: Agreement) -> bool {
    let (mut at, mut same) = (0, true);
    for leaf in ty.leaves() {
        let size = leaf.size_bytes();
        let (x, y) = (&a[at..at + size], &b[at..at + size]);
        at += size;
        let floats = float(&leaf, x).zip(float(&leaf, y));
        same &= x == y || floats.is_some_and(|(x, y)| agreement.of(x, y));
    }
    same
}

fn float(leaf: &Ty, bytes: &[u8]) -> Option<f64> {
    match leaf {
        Ty::F32 => Some(f64::from(f32::from_ne_bytes(bytes.try_into().ok()?))),
        Ty::F64 => Some(f64::from_ne_bytes(bytes.try_into().ok()?)),
        Ty::F16 => Some(half(u16::from_ne_bytes(bytes.try_into().ok()?))),
        _ => None,
    }
}

/// The value of a float of 16 bits.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    sign * match exponent {
        0 => mantissa * 2_f64.powi(-24),
        31 if mantissa == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + mantissa) * 2_f64.powi(exponent - 25),
    }
}

impl Agreement {
    fn of(self, x: f64, y: f64) -> bool {
        let near = (x - y).abs() <= TOLERANCE * x.abs().max(y.abs()).max(1.0);
        x == y || x.is_nan() && y.is_nan() || self == Agreement::Near && near
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn integers_are_the_same_and_floats_are_near_only_where_they_may_be() {
        for agreement in [Agreement::Same, Agreement::Near] {
            let ints =
                |a: i32, b: i32| alike(&a.to_ne_bytes(), &b.to_ne_bytes(), &Ty::I32, agreement);
            assert!(ints(5, 5) && !ints(5, 6));
            let floats =
                |a: f32, b: f32| alike(&a.to_ne_bytes(), &b.to_ne_bytes(), &Ty::F32, agreement);
            assert!(floats(f32::NAN, -f32::NAN) && floats(0.0, -0.0));
            assert_eq!(floats(1000.0, 1000.5), agreement == Agreement::Near);
            assert!(!floats(1000.0, 1002.0) && !floats(1.0, f32::NAN) && !floats(0.0, 0.01));
        }
    }

    #[test]
    fn halves_are_what_the_standard_says() {
        let halves = [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0001, 2_f64.powi(-24)),
        ];
        for (bits, value) in halves {
            assert_eq!(half(bits), value);
        }
        assert!(half(0x7c00).is_infinite() && half(0x7e00).is_nan());
    }
}
