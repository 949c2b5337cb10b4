//! What is not exact, against the correctly rounded value: bounds in ULP, and the edges exactly.

use crate::{
    Test,
    harness::Device,
    ir::*,
    values::{Sample, pairs, samples},
};
use skel_core::ir::{Builtin, Expr, Ty};

pub(crate) const TESTS: &[Test] = &[
    ("exponentials", exponentials),
    ("logarithms", logarithms),
    ("angles", angles),
    ("powers", powers),
    ("integer_powers", integer_powers),
    ("fused_multiply_add", fused_multiply_add),
    ("inverse_angles", inverse_angles),
    ("angles_of_points", angles_of_points),
    ("hyperbolics", hyperbolics),
    ("near_zero", near_zero),
    ("roots", roots),
];

/// The distance of `found` from the exact value, in units of the last place of the nearest `f32`.
fn ulps(found: f32, exact: f64) -> f64 {
    let nearest = exact as f32;
    if found.same(nearest) {
        return 0.0;
    }
    if found.is_nan() || nearest.is_nan() {
        return f64::INFINITY;
    }
    // Infinity is what follows the largest number.
    let size = |x: f32| {
        if x.is_finite() {
            f64::from(x)
        } else {
            2.0_f64.powi(128).copysign(x.into())
        }
    };
    let exact = if exact.is_finite() {
        exact
    } else {
        size(nearest)
    };
    let exponent = (nearest.abs().min(f32::MAX).to_bits() >> 23)
        .max(1)
        .cast_signed()
        - 127;
    (size(found) - exact).abs() / 2.0_f64.powi(exponent - 23)
}

/// Applies `builtin` to every row; the largest error must stay within `bound`.
fn within(
    device: &mut Device,
    bound: f64,
    f: Builtin,
    rows: &[(f32, f32)],
    exact: impl Fn(f64, f64) -> f64,
) {
    let (x, y): (Vec<f32>, Vec<f32>) = rows.iter().copied().unzip();
    let args: Vec<Expr> = (0..f.arity() as u32).map(|k| local(k, Ty::F32)).collect();
    let kernel = map_of("measured", &[Ty::F32, Ty::F32], builtin(f, args));
    let (dx, dy) = (device.array(&x), device.array(&y));
    let found: Vec<f32> = device
        .map(&kernel, &[&dx, &dy], rows.len())
        .expect("no trap");
    let mut worst = (0.0, 0);
    for (k, (&(x, y), found)) in rows.iter().zip(&found).enumerate() {
        let error = ulps(*found, exact(f64::from(x), f64::from(y)));
        if error > worst.0 {
            worst = (error, k);
        }
    }
    let ((x, y), found) = (rows[worst.1], found[worst.1]);
    println!("{}: {:.2} ULP at most, of {x:e}, {y:e}", f.name(), worst.0);
    assert!(
        worst.0 <= bound,
        "{} of {x:e}, {y:e}: {found:e} is {:.1} ULP from {:e}",
        f.name(),
        worst.0,
        exact(f64::from(x), f64::from(y))
    );
}

fn spread(from: f32, to: f32, n: u32) -> impl Iterator<Item = (f32, f32)> {
    (0..=n).map(move |k| (from + (to - from) * (k as f32 / n as f32), 0.0))
}

fn all() -> Vec<(f32, f32)> {
    samples::<f32>(100_000)
        .into_iter()
        .map(|x| (x, 0.0))
        .collect()
}

fn exponentials() {
    let device = &mut Device::open();
    let mut rows = all();
    rows.extend(spread(-105.0, 90.0, 400_000).chain(spread(-1.0, 1.0, 100_000)));
    within(device, 2.0, Builtin::Exp, &rows, |x, _| x.exp());
    rows.extend(spread(-151.0, 129.0, 400_000));
    within(device, 2.0, Builtin::Exp2, &rows, |x, _| x.exp2());
}

fn logarithms() {
    let device = &mut Device::open();
    let mut rows = all();
    rows.extend(spread(0.5, 2.0, 400_000).chain(spread(0.99, 1.01, 100_000)));
    rows.extend((0..2000).map(|k| (f32::from_bits(1 + k * 4001), 0.0)));
    within(device, 2.0, Builtin::Ln, &rows, |x, _| x.ln());
    within(device, 2.0, Builtin::Log2, &rows, |x, _| x.log2());
}

fn angles() {
    let device = &mut Device::open();
    let mut rows: Vec<(f32, f32)> = all()
        .into_iter()
        .filter(|(x, _)| !(x.abs() > 1e4 && x.is_finite()))
        .collect();
    rows.extend(spread(-10.0, 10.0, 200_000).chain(spread(-1e4, 1e4, 400_000)));
    // The floats nearest to multiples of a quarter turn.
    rows.extend((-6000..6000).map(|k| ((f64::from(k) * std::f64::consts::FRAC_PI_2) as f32, 0.0)));
    within(device, 3.0, Builtin::Sin, &rows, |x, _| x.sin());
    within(device, 3.0, Builtin::Cos, &rows, |x, _| x.cos());
    within(device, 5.0, Builtin::Tan, &rows, |x, _| x.tan());
}

fn powers() {
    let device = &mut Device::open();
    let (x, y) = pairs::<f32, f32>(100_000);
    let mut rows: Vec<(f32, f32)> = x.into_iter().zip(y).collect();
    // The whole range of results, and bases near 1 with large exponents.
    for k in 0..400_000_u32 {
        let x = f32::from_bits(0x0080_0000 + (k.wrapping_mul(2_654_435_761) % 0x7e80_0000));
        let target = (f64::from(k % 1000) / 500.0 - 1.0) * 150.0;
        rows.push((x, (target / f64::from(x).log2()) as f32));
        let near = 1.0 + (f64::from(k) / 200_000.0 - 1.0) as f32 * 0.01;
        rows.push((near, (target / f64::from(near).log2()) as f32));
    }
    // Negative bases with integer exponents.
    for k in -40_i16..=40 {
        rows.extend([-1.0, -2.0, -0.5, -3.7, -1e-3, 5.0].map(|x| (x, f32::from(k))));
    }
    within(device, 3.0, Builtin::Powf, &rows, f64::powf);
}

fn integer_powers() {
    fn of<T: Sample>(device: &mut Device, native: fn(T, i32) -> T, close: fn(T, T) -> bool) {
        let (x, n) = pairs::<T, i32>(2000);
        let n: Vec<i32> = n.into_iter().map(|n| n % 70).collect();
        let kernel = map_of(
            "power",
            &[T::ty(), Ty::I32],
            builtin(Builtin::Powi, vec![local(0, T::ty()), local(1, Ty::I32)]),
        );
        let (dx, dn) = (device.array(&x), device.array(&n));
        let found: Vec<T> = device.map(&kernel, &[&dx, &dn], x.len()).expect("no trap");
        for (k, found) in found.into_iter().enumerate() {
            let expected = native(x[k], n[k]);
            assert!(
                close(found, expected),
                "{:?}.powi({}): {found:?}, not {expected:?}",
                x[k],
                n[k]
            );
        }
    }
    let device = &mut Device::open();
    of::<f32>(device, f32::powi, |a, b| {
        a.same(b) || ulps(a, f64::from(b)) <= 1.0
    });
    if device.has_f64() {
        of::<f64>(device, f64::powi, |a, b| {
            a.same(b) || ((a - b) / b).abs() <= f64::EPSILON
        });
    }
}

/// Rounded once, also where WGSL's own is not.
fn fused_multiply_add() {
    let device = &mut Device::open();
    let (x, y) = pairs::<f32, f32>(4000);
    let z: Vec<f32> = y.iter().rev().copied().collect();
    let args = (0..3).map(|k| local(k, Ty::F32)).collect();
    let kernel = map_of(
        "fused",
        &[Ty::F32, Ty::F32, Ty::F32],
        builtin(Builtin::MulAdd, args),
    );
    let (dx, dy, dz) = (device.array(&x), device.array(&y), device.array(&z));
    let found: Vec<f32> = device
        .map(&kernel, &[&dx, &dy, &dz], x.len())
        .expect("no trap");
    for (k, found) in found.into_iter().enumerate() {
        assert!(
            found.same(x[k].mul_add(y[k], z[k])),
            "{} * {} + {}: {found}",
            x[k],
            y[k],
            z[k]
        );
    }
}

fn inverse_angles() {
    let device = &mut Device::open();
    let mut rows = all();
    rows.extend(spread(-1.0, 1.0, 400_000).chain(spread(-1e-3, 1e-3, 10_000)));
    rows.extend(spread(0.99, 1.0, 50_000).chain(spread(-1.0, -0.99, 50_000)));
    within(device, 3.0, Builtin::Asin, &rows, |x, _| x.asin());
    within(device, 2.0, Builtin::Acos, &rows, |x, _| x.acos());
    rows.extend(spread(-10.0, 10.0, 400_000).chain(spread(0.4, 0.43, 50_000)));
    within(device, 3.0, Builtin::Atan, &rows, |x, _| x.atan());
}

fn angles_of_points() {
    let device = &mut Device::open();
    let (y, x) = pairs::<f32, f32>(400_000);
    let mut rows: Vec<(f32, f32)> = y.into_iter().zip(x).collect();
    // Around the circle, at all distances.
    rows.extend((0..400_000).map(|k| {
        let (sine, cosine) = (f64::from(k) * 0.001).sin_cos();
        let radius = 2.0_f64.powi(k % 120 - 60);
        ((sine * radius) as f32, (cosine * radius) as f32)
    }));
    within(device, 3.0, Builtin::Atan2, &rows, f64::atan2);
    within(device, 2.0, Builtin::Hypot, &rows, f64::hypot);
}

fn hyperbolics() {
    let device = &mut Device::open();
    let mut rows = all();
    rows.extend(spread(-90.0, 90.0, 400_000).chain(spread(-1.5, 1.5, 400_000)));
    rows.extend(spread(87.9, 89.6, 50_000).chain(spread(-1e-3, 1e-3, 10_000)));
    within(device, 3.0, Builtin::Sinh, &rows, |x, _| x.sinh());
    within(device, 3.0, Builtin::Cosh, &rows, |x, _| x.cosh());
    within(device, 2.0, Builtin::Tanh, &rows, |x, _| x.tanh());
}

fn near_zero() {
    let device = &mut Device::open();
    let mut rows = all();
    rows.extend(spread(-20.0, 90.0, 400_000).chain(spread(-1.5, 1.5, 400_000)));
    rows.extend(spread(-1e-3, 1e-3, 10_000));
    within(device, 3.0, Builtin::ExpM1, &rows, |x, _| x.exp_m1());
    within(device, 2.0, Builtin::Ln1p, &rows, |x, _| x.ln_1p());
}

fn roots() {
    let device = &mut Device::open();
    let mut rows = all();
    rows.extend(spread(0.5, 2.0, 400_000).chain(spread(-1000.0, 1000.0, 400_000)));
    rows.extend((0..2000).map(|k| (f32::from_bits(1 + k * 4001), 0.0)));
    within(device, 3.0, Builtin::Log10, &rows, |x, _| x.log10());
    within(device, 1.0, Builtin::Cbrt, &rows, |x, _| x.cbrt());
}
