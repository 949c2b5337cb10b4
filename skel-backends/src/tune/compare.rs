//! Whether two units have computed the same.

use skel_core::{
    frame::{Partial, View},
    ir::Ty,
    plan::Phases,
};

/// How far apart floats may be, relative to the larger one, or to 1: folds and scans are grouped otherwise,
/// and transcendental functions have other bits.
const TOLERANCE: f64 = 1e-3;

/// Where floats decide branches, so many elements may differ altogether: a bit in a transcendental function
/// may decide another branch.
const FEW: f64 = 0.02;

/// The first element in which two units differ, if they do by more than they may; `floats` says whether the
/// user function computes with floats.
pub(super) fn differ(a: &View<'_>, b: &View<'_>, ty: &Ty, floats: bool) -> Option<usize> {
    let size = a.layout().size_bytes();
    if size == 0 {
        return None;
    }
    let pairs = a
        .bytes()
        .chunks_exact(size)
        .zip(b.bytes().chunks_exact(size));
    let different = pairs.enumerate().filter(|(_, (a, b))| !alike(a, b, ty));
    let mut different = different.map(|(k, _)| a.window().start + k);
    let first = different.next()?;
    let count = 1 + different.count();
    let few = floats && count as f64 <= FEW * a.window().len() as f64;
    (!few).then_some(first)
}

/// Whether two partials are alike; `phases` says what they are of.
pub(super) fn partials_are_alike(a: &Partial, b: &Partial, phases: &dyn Phases, ty: &Ty) -> bool {
    let Some(layout) = phases.partial_layout() else {
        return true;
    };
    match (a.bytes(layout), b.bytes(layout)) {
        (Some(a), Some(b)) => alike(a, b, ty),
        (None, None) => true,
        _ => false,
    }
}

/// Whether two elements are alike, given as their bytes.
fn alike(a: &[u8], b: &[u8], ty: &Ty) -> bool {
    let (mut at, mut same) = (0, true);
    for leaf in ty.leaves() {
        let size = leaf.size_bytes();
        let (x, y) = (&a[at..at + size], &b[at..at + size]);
        at += size;
        same &= x == y || float(&leaf, x).zip(float(&leaf, y)).is_some_and(near);
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

fn near((x, y): (f64, f64)) -> bool {
    x == y || x.is_nan() && y.is_nan() || (x - y).abs() <= TOLERANCE * x.abs().max(y.abs()).max(1.0)
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn integers_are_the_same_and_floats_are_near() {
        let ints = |a: i32, b: i32| alike(&a.to_ne_bytes(), &b.to_ne_bytes(), &Ty::I32);
        assert!(ints(5, 5) && !ints(5, 6));
        let floats = |a: f32, b: f32| alike(&a.to_ne_bytes(), &b.to_ne_bytes(), &Ty::F32);
        assert!(floats(1000.0, 1000.5) && floats(f32::NAN, f32::NAN) && floats(0.0, -0.0));
        assert!(!floats(1000.0, 1002.0) && !floats(1.0, f32::NAN) && !floats(0.0, 0.01));
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
