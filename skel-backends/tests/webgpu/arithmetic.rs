//! What a device was found to do wrongly, and that it is used accordingly.

use crate::{
    Test,
    harness::Device,
    ir::*,
    numeric::{x, y},
};
use skel_backends::{
    arithmetic::{Remedies, Remedy},
    device::Driver,
    webgpu::Options,
};
use skel_core::ir::{BinaryOp, Builtin, Ty};

pub(crate) const TESTS: &[Test] = &[
    ("it_is_said_of_every_device", it_is_said_of_every_device),
    (
        "doubles_are_rounded_as_in_rust",
        doubles_are_rounded_as_in_rust,
    ),
    ("signs_survive_two_casts", signs_survive_two_casts),
    (
        "remedies_divide_and_root_exactly",
        remedies_divide_and_root_exactly,
    ),
    ("products_are_added_exactly", products_are_added_exactly),
    ("other_code_paths_are_taken", other_code_paths_are_taken),
];

fn it_is_said_of_every_device() {
    let forced = Options {
        remedies: Remedies::all(),
        ..Options::default()
    };
    for options in [Options::default(), forced] {
        let device = Device::with(options);
        let info = device.0.info();
        let said = info.limits.iter().find(|(what, _)| *what == "arithmetic");
        let said = &said.expect("arithmetic is among the limits").1;
        let arithmetic = device.0.limits().arithmetic().clone();
        assert_eq!(*said, arithmetic.summary());
        assert!(options.remedies.iter().all(|r| arithmetic.remedies.has(r)));
        // Types that are wrong are not used.
        assert!(arithmetic.why_not("f32").is_none());
        assert!(arithmetic.why_not("f64").is_none() || !device.has_f64());
    }
}

/// What Mesa does otherwise where a vector of `f64` has no instruction for it: from 2^24 on, at ties, and
/// at zeros.
fn doubles_are_rounded_as_in_rust() {
    let device = &mut Device::open();
    if !device.has_f64() {
        return;
    }
    let inputs = [
        16_777_216.5,
        -2_147_483_648.9,
        1.5,
        2.5,
        -0.0,
        -0.3,
        1e300,
        f64::INFINITY,
    ];
    type Rounding = (Builtin, fn(f64) -> f64);
    let roundings: [Rounding; 6] = [
        (Builtin::Trunc, f64::trunc),
        (Builtin::Floor, f64::floor),
        (Builtin::Ceil, f64::ceil),
        (Builtin::Round, f64::round),
        (Builtin::RoundTiesEven, f64::round_ties_even),
        (Builtin::Fract, f64::fract),
    ];
    for (rounding, native) in roundings {
        let kernel = map_of(
            "rounded",
            &[x::<f64>().ty],
            builtin(rounding, vec![x::<f64>()]),
        );
        let array = device.array(&inputs);
        let found: Vec<f64> = device
            .map(&kernel, &[&array], inputs.len())
            .expect("no trap");
        for (input, found) in inputs.iter().zip(found) {
            let expected = native(*input);
            let same = expected.to_bits() == found.to_bits() || expected.is_nan() && found.is_nan();
            assert!(
                same,
                "{}({input:?}) = {found:?}, not {expected:?}",
                rounding.name()
            );
        }
    }
}

/// Mesa 22.3 takes no number to be negative that was an `i32`, then an `i64`, and then a float.
fn signs_survive_two_casts() {
    let device = &mut Device::open();
    if !device.has_f64() {
        return;
    }
    let inputs = [0, 1, -1, i32::MIN, i32::MAX, -16_777_217];
    let wide = cast(x::<i32>(), Ty::I64);
    let array = device.array(&inputs);
    let single = map_of("single", &[Ty::I32], cast(wide.clone(), Ty::F32));
    let found: Vec<f32> = device
        .map(&single, &[&array], inputs.len())
        .expect("no trap");
    assert_eq!(found, inputs.map(|x| i64::from(x) as f32));
    let double = map_of("double", &[Ty::I32], cast(wide, Ty::F64));
    let found: Vec<f64> = device
        .map(&double, &[&array], inputs.len())
        .expect("no trap");
    assert_eq!(found, inputs.map(|x| i64::from(x) as f64));
}

/// The integer code, on operands whose results are subnormal, tie, or nearly overflow.
fn remedies_divide_and_root_exactly() {
    let device = &mut Device::with(Options {
        remedies: Remedies::all(),
        ..Options::default()
    });
    let bits = |k: u32| f32::from_bits(k.wrapping_mul(2_654_435_761));
    let left: Vec<f32> = (0..20_000).map(bits).collect();
    let right: Vec<f32> = (0..20_000).map(|k| bits(k ^ 0x5bd1_e995)).collect();
    let (a, b) = (device.array(&left), device.array(&right));
    let quotient = binary(BinaryOp::Div, x::<f32>(), y::<f32>());
    let kernel = map_of("quotient", &[x::<f32>().ty, y::<f32>().ty], quotient);
    let found: Vec<f32> = device.map(&kernel, &[&a, &b], left.len()).expect("no trap");
    for ((l, r), found) in left.iter().zip(&right).zip(found) {
        let expected = l / r;
        let same = expected.to_bits() == found.to_bits() || expected.is_nan() && found.is_nan();
        assert!(same, "{l:?} / {r:?} = {found:?}, not {expected:?}");
    }
    let root = map_of(
        "root",
        &[x::<f32>().ty],
        builtin(Builtin::Sqrt, vec![x::<f32>()]),
    );
    let found: Vec<f32> = device.map(&root, &[&a], left.len()).expect("no trap");
    for (l, found) in left.iter().zip(found) {
        let expected = l.sqrt();
        let same = expected.to_bits() == found.to_bits() || expected.is_nan() && found.is_nan();
        assert!(same, "sqrt({l:?}) = {found:?}, not {expected:?}");
    }
}

/// `mul_add`: the driver's own where that is right, and the integer code.
fn products_are_added_exactly() {
    let forced = Options {
        remedies: Remedies::all(),
        ..Options::default()
    };
    for options in [Options::default(), forced] {
        let device = &mut Device::with(options);
        products_of_f32(device);
        if device.has_f64() {
            products_of_f64(device);
        }
    }
}

macro_rules! products {
    ($name:ident $t:ident $word:ident) => {
        /// Summands of every magnitude, those that leave what rounding took off a product, and neighbours of these.
        fn $name(device: &mut Device) {
            let bits = |k: $word, factor: $word| $t::from_bits(k.wrapping_mul(factor));
            let mut rows: Vec<[$t; 3]> = Vec::new();
            for k in 0..20_000 {
                let [x, y] = [
                    bits(k, 0x9e37_79b9_7f4a_7c15_u64 as $word),
                    bits(k ^ 0x5bd1, 0xbf58_476d_1ce4_e5b9_u64 as $word),
                ];
                let rest = -(x * y);
                let near = $t::from_bits(rest.to_bits().wrapping_add(k % 5).wrapping_sub(2));
                let half = near / (1_u64 << (k % 60)) as $t;
                rows.extend([
                    [x, y, rest],
                    [x, y, near],
                    [x, y, half],
                    [x, y, bits(k, 0x94d0_49bb_1331_11eb_u64 as $word)],
                ]);
            }
            let special = [
                0.0,
                -0.0,
                1.0,
                -1.0 + $t::EPSILON,
                $t::MIN_POSITIVE,
                -$t::MAX,
                $t::INFINITY,
                $t::NEG_INFINITY,
                $t::NAN,
                $t::from_bits(1),
            ];
            for x in special {
                for y in special {
                    rows.extend(special.map(|z| [x, y, z]));
                }
            }
            let columns = [0, 1, 2].map(|k| rows.iter().map(|row| row[k]).collect::<Vec<$t>>());
            let arrays = columns.each_ref().map(|column| device.array(column));
            let ty = x::<$t>().ty;
            let args = (0..3).map(|k| local(k, ty.clone())).collect();
            let kernel = map_of(
                "sum",
                &[ty.clone(), ty.clone(), ty],
                builtin(Builtin::MulAdd, args),
            );
            let [a, b, c] = &arrays;
            let found: Vec<$t> = device
                .map(&kernel, &[a, b, c], rows.len())
                .expect("no trap");
            for ([x, y, z], found) in rows.into_iter().zip(found) {
                let expected = x.mul_add(y, z);
                let same =
                    expected.to_bits() == found.to_bits() || expected.is_nan() && found.is_nan();
                assert!(same, "{x:?} * {y:?} + {z:?} = {found:?}, not {expected:?}");
            }
        }
    };
}
products! { products_of_f32 f32 u32 }
products! { products_of_f64 f64 u64 }

/// What `cargo xtask test` asks Mesa for, by its variables: the device's name tells how wide vectors are, and how `f64`
/// is rounded whether there are instructions for it.
fn other_code_paths_are_taken() {
    let device = Device::open();
    let info = device.0.info();
    if !info.name.starts_with("llvmpipe") {
        return;
    }
    if let Ok(bits) = std::env::var("LP_NATIVE_VECTOR_WIDTH") {
        assert!(info.name.contains(&format!("{bits} bits")), "{}", info.name);
    }
    if std::env::var("GALLIUM_OVERRIDE_CPU_CAPS").is_ok_and(|most| most == "avx") {
        let remedies = device.0.limits().arithmetic().remedies;
        assert!(remedies.has(Remedy::TruncF64), "{remedies}");
    }
}
