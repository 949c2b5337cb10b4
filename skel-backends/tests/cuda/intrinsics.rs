//! Operations that CUDA has and C++ has not, against Rust's.

use crate::{
    Test,
    harness::{Args, values},
    kernels::shim,
    shim::Order,
};

pub(crate) const TESTS: &[Test] = &[
    ("atomics", atomics),
    (
        "conversions_are_those_of_the_ptx_manual",
        conversions_are_those_of_the_ptx_manual,
    ),
    ("bits", bits),
];

fn atomics() {
    let data: Vec<u64> = (1..=640_u64)
        .map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .collect();
    for order in Order::ALL {
        let zero = [0_u64];
        let args = Args::default()
            .buffer(&data)
            .buffer(&[u64::MAX])
            .buffer(&zero)
            .buffer(&zero);
        let args = args.buffer(&zero).buffer(&[0_f32]).buffer(&[0_i32]);
        let out = args.launch(shim(), "atomics", 10, 64, order).unwrap();
        let word = |k: usize| values::<u64>(&out[k])[0];
        assert_eq!(word(1), *data.iter().min().unwrap());
        assert_eq!(word(2), *data.iter().max().unwrap());
        assert_eq!(word(3), data.iter().fold(0, |a: u64, b| a.wrapping_add(*b)));
        assert_eq!(word(4), data.iter().fold(0, |a, b| a ^ b));
        assert_eq!(values::<f32>(&out[5]), [160.0]);
        assert_eq!(values::<i32>(&out[6]), [640]);
    }
}

/// Rust's `as`, but for NaN: only from `f32` to 32 bits it gives 0, else the top bit alone.
fn conversions_are_those_of_the_ptx_manual() {
    let doubles = [
        0.0,
        -0.0,
        0.99,
        -0.99,
        1.5,
        -1.5,
        2_147_483_646.9,
        2_147_483_647.0,
        2_147_483_648.0,
        -2_147_483_648.9,
        -2_147_483_649.0,
        4_294_967_295.0,
        4_294_967_296.0,
        9.2e18,
        -9.3e18,
        1.8e19,
        1.9e19,
        1e30,
        -1e30,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        5e-324,
    ];
    let singles: Vec<f32> = doubles.iter().map(|x| *x as f32).collect();
    let mut expected = Vec::new();
    for (x, y) in singles.iter().zip(doubles) {
        let nan = |whole: i64, of_nan: i64| if y.is_nan() { of_nan } else { whole };
        expected.extend([
            i64::from(*x as i32),
            i64::from(*x as u32),
            nan(*x as i64, i64::MIN),
            nan((*x as u64).cast_signed(), i64::MIN),
            nan(i64::from(y as i32), i64::from(i32::MIN)),
            nan(i64::from(y as u32), 1 << 31),
            nan(y as i64, i64::MIN),
            nan((y as u64).cast_signed(), i64::MIN),
        ]);
    }
    let args = Args::default()
        .buffer(&singles)
        .buffer(&doubles)
        .buffer(&[0_i64; 23 * 8]);
    let out = args
        .launch(shim(), "convert", 1, 23, Order::Ascending)
        .unwrap();
    assert_eq!(values::<i64>(&out[2]), expected);
}

fn bits() {
    let words: Vec<u64> = (0..64)
        .map(|k| 1 << k)
        .chain([0, u64::MAX, 0x8000_0000, 0x0123_4567_89ab_cdef])
        .collect();
    let mut expected = Vec::new();
    for wide in &words {
        let (wide, narrow, high) = (*wide, *wide as u32, (*wide >> 32) as u32);
        let ffs = |zeros: u32, is: bool| if is { u64::from(zeros) + 1 } else { 0 };
        let byte = |k: u32| (wide >> (8 * k)) & 0xff;
        expected.extend([
            u64::from(narrow.leading_zeros()),
            u64::from(wide.leading_zeros()),
            u64::from(narrow.count_ones()),
            u64::from(wide.count_ones()),
            ffs(narrow.trailing_zeros(), narrow != 0),
            ffs(wide.trailing_zeros(), wide != 0),
            u64::from(narrow.reverse_bits()),
            wide.reverse_bits(),
            (u64::from(narrow) * 0x9e37_79b9) >> 32,
            ((u128::from(wide) * 0x9e37_79b9_7f4a_7c15) >> 64) as u64,
            u64::from(high << 13 | narrow >> 19),
            byte(1) | byte(4) << 8 | byte(2) << 16 | byte(7) << 24,
        ]);
    }
    let args = Args::default()
        .buffer(&words)
        .buffer(&vec![0_u64; words.len() * 12]);
    let out = args
        .launch(shim(), "bits", 1, words.len(), Order::Ascending)
        .unwrap();
    assert_eq!(values::<u64>(&out[1]), expected);
}
