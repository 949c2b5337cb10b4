//! Maps.

use crate::{Test, harness::Device, ir::*, programs};
use skel_backends::device::LaunchArg;
use skel_core::{
    frame::View,
    ir::{BinaryOp, Ty},
    plan::Role,
    space::Shape,
};

pub(crate) const TESTS: &[Test] = &[
    ("saxpy_of_every_awkward_size", saxpy_of_every_awkward_size),
    (
        "a_range_in_the_middle_leaves_the_rest_alone",
        a_range_in_the_middle_leaves_the_rest_alone,
    ),
    ("indices_are_absolute", indices_are_absolute),
    ("in_place_arguments_change", in_place_arguments_change),
    (
        "bools_have_one_byte_on_the_host",
        bools_have_one_byte_on_the_host,
    ),
    (
        "outer_loops_are_left_from_inner_ones",
        outer_loops_are_left_from_inner_ones,
    ),
];

fn saxpy_of_every_awkward_size() {
    let mut device = Device::open();
    let kernel = programs::saxpy();
    for n in [1, 2, 255, 256, 257, 1009, 65_537, 1_000_003] {
        let x: Vec<f32> = (0..n).map(|i| (i % 1000) as f32 * 0.25).collect();
        let y: Vec<f32> = (0..n).map(|i| (i % 77) as f32).collect();
        let (dx, dy) = (device.array(&x), device.array(&y));
        let mut out = device.empty::<f32>(0..n);
        let args = vec![
            LaunchArg::Uniform(View::of(&[3.0_f32])),
            LaunchArg::In(&dx),
            LaunchArg::In(&dy),
            LaunchArg::Out(&mut out),
        ];
        let launched = device.launch(&kernel, args, 0..n, Shape::D1(n)).unwrap();
        assert!(launched.traps.is_none(), "it cannot trap");
        let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 3.0 * x + y).collect();
        assert_eq!(device.read::<f32>(&out, n), expected, "n = {n}");
    }
}

fn a_range_in_the_middle_leaves_the_rest_alone() {
    let mut device = Device::open();
    let kernel = programs::saxpy();
    let x: Vec<f32> = (0..1000).map(|i| i as f32).collect();
    // The inputs' windows begin elsewhere than the output's.
    let mut dx = device.empty::<f32>(3..990);
    skel_backends::device::Driver::upload(&mut device.0, &mut dx, View::of(&x).narrow(3..990))
        .unwrap();
    let dy = device.array(&x);
    let mut out = device.array(&vec![-1.0_f32; 1000]);
    let range = 101..905;
    let args = vec![
        LaunchArg::Uniform(View::of(&[2.0_f32])),
        LaunchArg::In(&dx),
        LaunchArg::In(&dy),
        LaunchArg::Out(&mut out),
    ];
    device
        .launch(&kernel, args, range.clone(), Shape::D1(1000))
        .unwrap();
    let found = device.read::<f32>(&out, 1000);
    for (i, value) in found.into_iter().enumerate() {
        let expected = if range.contains(&i) {
            3.0 * i as f32
        } else {
            -1.0
        };
        assert_eq!(value, expected, "element {i}");
    }
}

fn indices_are_absolute() {
    let mut device = Device::open();
    let kernel = programs::indexed();
    let (rows, cols) = (37, 41);
    let n = rows * cols;
    let mut out = device.array(&vec![u32::MAX; n]);
    let range = 100..n - 3;
    let args = vec![LaunchArg::Out(&mut out)];
    device
        .launch(&kernel, args, range.clone(), Shape::D2(rows, cols))
        .unwrap();
    let found = device.read::<u32>(&out, n);
    for (i, value) in found.into_iter().enumerate() {
        let place = (i / cols * 1000 + i % cols) as u32;
        assert_eq!(
            value,
            if range.contains(&i) { place } else { u32::MAX },
            "element {i}"
        );
    }
}

fn in_place_arguments_change() {
    let mut device = Device::open();
    let kernel = programs::in_place();
    let a: Vec<i32> = (0..500).collect();
    let b: Vec<i32> = (0..500).map(|x| x * x).collect();
    let (mut da, db, mut out) = (
        device.array(&a),
        device.array(&b),
        device.empty::<i32>(0..500),
    );
    let args = vec![
        LaunchArg::InOut(&mut da),
        LaunchArg::In(&db),
        LaunchArg::Out(&mut out),
    ];
    device
        .launch(&kernel, args, 0..500, Shape::D1(500))
        .unwrap();
    assert_eq!(device.read::<i32>(&out, 500), a);
    let changed: Vec<i32> = a.iter().zip(&b).map(|(a, b)| b - a).collect();
    assert_eq!(device.read::<i32>(&da, 500), changed);
}

fn bools_have_one_byte_on_the_host() {
    let mut device = Device::open();
    let b = || Ty::Bool;
    let e = binary(BinaryOp::BitXor, local(0, b()), local(1, b()));
    let kernel = map(
        vec![formula("differs", &[b(), b()], e)],
        None,
        &[(Role::In, b()), (Role::Uniform, b()), (Role::Out, b())],
    );
    let x: Vec<bool> = (0..1001).map(|i| i % 3 == 0).collect();
    let (dx, mut out) = (device.array(&x), device.empty::<bool>(0..1001));
    let args = vec![
        LaunchArg::In(&dx),
        LaunchArg::Uniform(View::of(&[true])),
        LaunchArg::Out(&mut out),
    ];
    device
        .launch(&kernel, args, 0..1001, Shape::D1(1001))
        .unwrap();
    let expected: Vec<bool> = x.iter().map(|x| x ^ true).collect();
    assert_eq!(device.read::<bool>(&out, 1001), expected);
}

fn outer_loops_are_left_from_inner_ones() {
    fn native(n: u32) -> u32 {
        let (mut count, mut i) = (0_u32, 0_u32);
        'rows: loop {
            if i >= n {
                break;
            }
            let mut j = 0;
            loop {
                if j >= n {
                    break;
                }
                if i.is_multiple_of(3) {
                    i += 1;
                    continue 'rows;
                }
                if i * j == n {
                    break 'rows;
                }
                count += 1;
                j += 1;
            }
            i += 1;
        }
        count
    }
    let kernel = programs::loops();
    let mut device = Device::open();
    let ns: Vec<u32> = (0..60).collect();
    let input = device.array(&ns);
    let found: Vec<u32> = device.map(&kernel, &[&input], ns.len()).unwrap();
    let expected: Vec<u32> = ns.iter().map(|n| native(*n)).collect();
    assert_eq!(found, expected);
}
