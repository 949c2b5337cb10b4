//! Reductions, with and without an element function.

use crate::{Test, harness::Device, ir::*};
use skel_backends::{device::LaunchArg, webgpu::Options};
use skel_core::{
    frame::View,
    ir::{BinaryOp, Ty, Value},
    plan::{IndexKind, Kernel, Role},
    space::Shape,
};
use std::sync::Arc;

pub(crate) const TESTS: &[Test] = &[
    ("sums_of_every_awkward_size", sums_of_every_awkward_size),
    ("dot_products_fuse_the_map", dot_products_fuse_the_map),
    ("operands_keep_their_order", operands_keep_their_order),
    ("order_survives_many_chunks", order_survives_many_chunks),
    ("indices_are_folded", indices_are_folded),
    ("bools_are_folded", bools_are_folded),
    ("doubles_are_folded", doubles_are_folded),
    (
        "many_reductions_may_be_pending",
        many_reductions_may_be_pending,
    ),
];

/// `op` over the elements themselves.
pub(crate) fn reduce(ty: &Ty, op: BinaryOp, commutative: bool) -> Arc<Kernel> {
    let t = || ty.clone();
    let operator = formula(
        "operator",
        &[t(), t()],
        binary(op, local(0, t()), local(1, t())),
    );
    fold(
        formula("same", &[t()], local(0, t())),
        operator,
        commutative,
        None,
        &[(Role::In, t())],
    )
}

fn sums_of_every_awkward_size() {
    let mut device = Device::open();
    for commutative in [false, true] {
        let kernel = reduce(&Ty::I32, BinaryOp::Add, commutative);
        for n in [1, 2, 3, 255, 256, 257, 2047, 2048, 2049, 65_537, 1_000_003] {
            let data: Vec<i32> = (0..n as i32)
                .map(|i| i.wrapping_mul(-1_640_531_527))
                .collect();
            let array = device.array(&data);
            let sum: i32 = device.fold(&kernel, &[&array], 0..n, n).unwrap();
            let expected = data.iter().fold(0_i32, |a, b| a.wrapping_add(*b));
            assert_eq!(sum, expected, "n = {n}, commutative: {commutative}");
        }
    }
}

fn dot_products_fuse_the_map() {
    let mut device = Device::open();
    let f = || Ty::F32;
    let product = formula(
        "mult",
        &[f(), f()],
        binary(BinaryOp::Mul, local(0, f()), local(1, f())),
    );
    let sum = formula(
        "add",
        &[f(), f()],
        binary(BinaryOp::Add, local(0, f()), local(1, f())),
    );
    let kernel = fold(
        product,
        sum,
        true,
        None,
        &[(Role::In, f()), (Role::In, f())],
    );
    // Small integers: exact in any grouping.
    let x: Vec<f32> = (0..100_000).map(|i| (i % 7) as f32).collect();
    let y: Vec<f32> = (0..100_000).map(|i| (i % 5) as f32).collect();
    let (dx, dy) = (device.array(&x), device.array(&y));
    let range = 17..99_990;
    let found: f32 = device
        .fold(&kernel, &[&dx, &dy], range.clone(), x.len())
        .unwrap();
    let expected: f32 = range.map(|i| x[i] * y[i]).sum();
    assert_eq!(found, expected);
}

/// x -> a x + b as a pair of 16-bit numbers: composition is associative and not commutative.
fn affine() -> Arc<Kernel> {
    let u = || Ty::U32;
    let mask = || constant(Value::U32(0xffff));
    let low = |e| binary(BinaryOp::BitAnd, e, mask());
    let high = |e| binary(BinaryOp::Shr, e, constant(Value::I32(16)));
    let (f, g) = (|| local(0, u()), || local(1, u()));
    let factor = low(binary(BinaryOp::Mul, low(f()), low(g())));
    let shift = binary(
        BinaryOp::Add,
        binary(BinaryOp::Mul, low(g()), high(f())),
        high(g()),
    );
    let packed = binary(
        BinaryOp::BitOr,
        binary(BinaryOp::Shl, shift, constant(Value::I32(16))),
        factor,
    );
    let operator = formula("then", &[u(), u()], packed);
    fold(
        formula("same", &[u()], local(0, u())),
        operator,
        false,
        None,
        &[(Role::In, u())],
    )
}

fn native_affine(data: &[u32]) -> u32 {
    data.iter()
        .copied()
        .reduce(|f, g| {
            let (a, b) = (f & 0xffff, f >> 16);
            let (c, d) = (g & 0xffff, g >> 16);
            (c.wrapping_mul(b).wrapping_add(d) << 16) | (a.wrapping_mul(c) & 0xffff)
        })
        .unwrap()
}

fn affine_data(n: usize) -> Vec<u32> {
    // Odd factors, so that nothing is forgotten.
    (0..n as u32)
        .map(|i| i.wrapping_mul(2_654_435_761) | 1)
        .collect()
}

fn operands_keep_their_order() {
    let mut device = Device::open();
    let kernel = affine();
    for n in [1, 2, 3, 7, 256, 2049, 65_537, 600_001] {
        let data = affine_data(n);
        let array = device.array(&data);
        let found: u32 = device.fold(&kernel, &[&array], 0..n, n).unwrap();
        assert_eq!(found, native_affine(&data), "n = {n}");
        assert_ne!(
            n > 2,
            found == native_affine(&data.iter().rev().copied().collect::<Vec<_>>()),
            "n = {n}"
        );
    }
}

fn order_survives_many_chunks() {
    let options = Options {
        max_buffer_bytes: Some(64 << 10),
        max_binding_bytes: Some(16 << 10),
        max_workgroups_per_dimension: Some(3),
        lanes: Some(64),
        ..Options::default()
    };
    let mut device = Device::with(options);
    let kernel = affine();
    let data = affine_data(300_001);
    let array = device.array(&data);
    for range in [0..300_001, 5..299_999, 4096..4097, 4095..8193] {
        let found: u32 = device
            .fold(&kernel, &[&array], range.clone(), data.len())
            .unwrap();
        assert_eq!(found, native_affine(&data[range.clone()]), "{range:?}");
    }
}

fn indices_are_folded() {
    let mut device = Device::open();
    let at = index_ty(IndexKind::Index1);
    let i = cast(field(local(0, at.clone()), 0, Ty::Usize), Ty::U32);
    let u = || Ty::U32;
    let weighed = formula(
        "weighed",
        &[at, u()],
        binary(BinaryOp::Mul, i, local(1, u())),
    );
    let add = formula(
        "add",
        &[u(), u()],
        binary(BinaryOp::Add, local(0, u()), local(1, u())),
    );
    let kernel = fold(
        weighed,
        add,
        true,
        Some((0, IndexKind::Index1)),
        &[(Role::In, u())],
    );
    let data: Vec<u32> = (0..10_000).map(|i| i % 13).collect();
    let array = device.array(&data);
    let found: u32 = device
        .fold(&kernel, &[&array], 100..9_000, data.len())
        .unwrap();
    assert_eq!(found, (100..9_000).map(|i| i as u32 * data[i]).sum::<u32>());
}

fn bools_are_folded() {
    let mut device = Device::open();
    let kernel = reduce(&Ty::Bool, BinaryOp::BitXor, true);
    let data: Vec<bool> = (0..5000).map(|i| i % 7 < 3).collect();
    let array = device.array(&data);
    let found: bool = device.fold(&kernel, &[&array], 0..5000, 5000).unwrap();
    assert_eq!(found, data.iter().fold(false, |a, b| a ^ b));
}

fn doubles_are_folded() {
    let mut device = Device::open();
    let kernel = reduce(&Ty::F64, BinaryOp::Add, true);
    if skel_backends::device::Driver::limits(&device.0).supports_f64() {
        // Their sum needs more bits than an `f32` has.
        let data: Vec<f64> = (0..5000).map(|i| f64::from(i) + 2.0_f64.powi(30)).collect();
        let array = device.array(&data);
        let found: f64 = device.fold(&kernel, &[&array], 0..5000, 5000).unwrap();
        assert_eq!(found, data.iter().sum::<f64>());
    }
}

fn many_reductions_may_be_pending() {
    let mut device = Device::open();
    let f = || Ty::I32;
    let scaled = formula(
        "scaled",
        &[f(), f()],
        binary(BinaryOp::Mul, local(0, f()), local(1, f())),
    );
    let add = formula(
        "add",
        &[f(), f()],
        binary(BinaryOp::Add, local(0, f()), local(1, f())),
    );
    let kernel = fold(
        scaled,
        add,
        true,
        None,
        &[(Role::In, f()), (Role::Uniform, f())],
    );
    let data: Vec<i32> = (0..10_000).collect();
    let array = device.array(&data);
    let pending: Vec<_> = (0..40)
        .map(|k: i32| {
            let k = [k];
            let args = vec![LaunchArg::In(&array), LaunchArg::Uniform(View::of(&k))];
            device
                .launch_for::<i32>(&kernel, args, 0..10_000, Shape::D1(10_000))
                .unwrap()
                .pending
                .unwrap()
        })
        .collect();
    for (k, pending) in (0..).zip(pending) {
        let spine = skel_backends::device::Driver::partial(&mut device.0, pending).unwrap();
        let (lump, _) = spine.split::<i32>();
        assert_eq!(lump, Some(49_995_000_i32.wrapping_mul(k)));
    }
}
