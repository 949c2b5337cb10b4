//! The same bits on any number of threads and with any instruction set.

use skel::prelude::*;
use skel_core::isa::{Isa, choose};

#[user_function]
fn add(a: f32, b: f32) -> f32 {
    a + b
}

/// Not recognised as an operator that commutes: operands stay in order.
#[user_function]
fn add_in_order(a: f32, b: f32) -> f32 {
    let c = a;
    c + b
}

#[user_function]
fn wave(x: f32, y: f64) -> f32 {
    let z = x.mul_add(1.7, -0.3) * x - x / 3.0 + (x * x + 1.0).sqrt();
    let w = (y * 1.25 - y).floor().max(-4.0) as f32;
    z.min(1.0e6) + w.round()
}

#[user_function]
fn newton(x: f32) -> f32 {
    let mut r = x.abs() + 1.0;
    for _ in 0..20 {
        r = 0.5 * (r + x.abs() / r);
    }
    r
}

#[user_function]
fn five_points(w: Window2<f32, 1, 1>, #[uniform] k: f32) -> f32 {
    let sum = w[(0, 0)] + w[(-1, 0)] + w[(1, 0)] + w[(0, -1)] + w[(0, 1)];
    k * sum.abs().sqrt()
}

const N: usize = 300_007;

fn number(i: usize) -> f32 {
    (i % 977) as f32 * 0.37 - 150.0
}

/// The bits of sums, of light and heavy functions, by either operator.
fn bits_of_sums(x: &Vec<f32>) -> [u32; 4] {
    [
        reduce!(add).on(Cpu).run((x,)),
        reduce!(add_in_order).on(Cpu).run((x,)),
        map_reduce!(newton, add).on(Cpu).run((x,)),
        map_reduce!(newton, add_in_order).on(Cpu).run((x,)),
    ]
    .map(|sum| sum.unwrap().to_bits())
}

/// The bits of folds and scans of a few elements: chains, blocks, chunks and tiles that are whole, and that are not.
fn bits_of_few(bits: &mut Vec<u32>) {
    for n in [
        1, 15, 16, 17, 63, 64, 100, 127, 128, 255, 256, 300, 1000, 1024, 1025, 5000,
    ] {
        let x: Vec<f32> = (0..n).map(number).collect();
        let flags: Vec<bool> = (0..n).map(|i| i % 37 == 5).collect();
        bits.extend(bits_of_sums(&x));
        let (scan, in_order) = (scan!(add).on(Cpu), scan!(add_in_order).on(Cpu));
        for out in [
            scan.run((&x,)),
            scan.clone().exclusive(0.3).run((&x,)),
            scan.run_segmented((&x, &flags)),
            in_order.run((&x,)),
            in_order.clone().exclusive(0.3).run((&x,)),
            in_order.run_segmented((&x, &flags)),
        ] {
            bits.extend(out.unwrap().host().unwrap().iter().map(|v| v.to_bits()));
        }
    }
}

/// The bits of folds and scans of rows and columns, of matrices that lie by rows and by columns.
fn bits_along(bits: &mut Vec<u32>) {
    for (rows, cols) in [
        (40, 5),
        (40, 45),
        (7, 100),
        (3, 1001),
        (70, 300),
        (1500, 3),
        (33, 2100),
    ] {
        let m = Matrix::from_fn(rows, cols, |i, j| number(i * cols + j));
        let (sum, in_order) = (reduce!(add).on(Cpu), reduce!(add_in_order).on(Cpu));
        let heavy = map_reduce!(newton, add).on(Cpu);
        for values in [
            sum.clone().rows().run((&m,)),
            sum.clone().cols().run((&m,)),
            sum.clone().rows().run((m.transposed(),)),
            sum.cols().run((m.transposed(),)),
            in_order.clone().rows().run((&m,)),
            in_order.clone().cols().run((&m,)),
            in_order.clone().rows().run((m.transposed(),)),
            in_order.cols().run((m.transposed(),)),
            heavy.clone().rows().run((&m,)),
            heavy.cols().run((&m,)),
        ] {
            let values = values.unwrap();
            bits.extend(values.host().unwrap().iter().map(|v| v.to_bits()));
        }
        for scanned in [
            scan!(add).on(Cpu).rows().run((&m,)),
            scan!(add_in_order).on(Cpu).rows().run((&m,)),
            scan!(add_in_order).on(Cpu).exclusive(0.3).rows().run((&m,)),
        ] {
            let scanned = scanned.unwrap();
            bits.extend(scanned.host().unwrap().iter().map(|v| v.to_bits()));
        }
    }
}

/// The bits of all results, of light and heavy functions.
fn bits() -> Vec<u32> {
    let x: Vec<f32> = (0..N).map(|i| (i % 977) as f32 * 0.37 - 150.0).collect();
    let y: Vec<f64> = (0..N).map(|i| (i % 1013) as f64 * 0.11 - 40.0).collect();
    let mut bits = Vec::new();
    bits.extend(bits_of_sums(&x));
    for out in [
        map!(wave).on(Cpu).run((&x, &y)),
        map!(newton).on(Cpu).run((&x,)),
    ] {
        bits.extend(out.unwrap().host().unwrap().iter().map(|v| v.to_bits()));
    }
    bits_of_few(&mut bits);
    bits_along(&mut bits);
    // Of rows that are no multiple of a vector, machines with AVX2 compute some elements twice.
    for cols in [5, 45, 1001] {
        let m = Matrix::from_fn(40, cols, |i, j| (i * cols + j) as f32 * 0.37 - 150.0);
        let points = map_overlap!(five_points).on(Cpu).run((&m, 0.3)).unwrap();
        bits.extend(points.host().unwrap().iter().map(|v| v.to_bits()));
    }
    bits
}

/// One test, since the instruction set is chosen for the whole process.
#[test]
fn neither_threads_nor_instruction_sets_change_a_bit() {
    choose(Isa::Baseline);
    let expected = bits();
    // The lowest, and the best that this machine has; without a better one, the lowest twice.
    for isa in [Isa::Baseline, Isa::V4] {
        let isa = choose(isa);
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            // From within the pool and from outside of it.
            assert!(pool.install(bits) == expected, "{isa:?}, {threads} threads");
        }
        assert!(bits() == expected, "{isa:?}");
    }
    // A sum in another grouping would differ: the test can fail.
    let x: Vec<f32> = (0..N).map(|i| (i % 977) as f32 * 0.37 - 150.0).collect();
    assert_ne!(x.iter().sum::<f32>().to_bits(), expected[1]);
}
