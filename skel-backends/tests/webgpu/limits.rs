//! Limits, pretended low: what exceeds them is cut, or refused with a reason.

use crate::{
    Test,
    harness::{Device, found},
    ir::*,
};
use skel_backends::{
    device::{Driver, LaunchArg},
    webgpu::{self, Options, WebGpu},
};
use skel_core::{
    Error,
    frame::{View, ViewMut},
    ir::{BinaryOp, Builtin, Expr, Ty, Value},
    plan::{IndexKind, Role},
    space::{Shape, Stream},
    unit::UnitKind,
};

pub(crate) const TESTS: &[Test] = &[
    (
        "arrays_over_the_limits_are_cut",
        arrays_over_the_limits_are_cut,
    ),
    (
        "groups_over_the_limit_take_two_dimensions",
        groups_over_the_limit_take_two_dimensions,
    ),
    (
        "too_many_buffers_are_a_reason",
        too_many_buffers_are_a_reason,
    ),
    (
        "what_the_language_lacks_is_a_reason",
        what_the_language_lacks_is_a_reason,
    ),
    (
        "indices_beyond_32_bits_are_a_reason",
        indices_beyond_32_bits_are_a_reason,
    ),
    ("one_adapter_opens_twice", one_adapter_opens_twice),
    ("devices_say_what_they_are", devices_say_what_they_are),
    (
        "an_array_gets_the_memory_of_one_that_is_gone",
        an_array_gets_the_memory_of_one_that_is_gone,
    ),
    (
        "more_memory_than_there_is_is_an_error",
        more_memory_than_there_is_is_an_error,
    ),
];

fn sum_of(n: usize) -> std::sync::Arc<skel_core::plan::Kernel> {
    let f = || Ty::I32;
    let sum = (1..n as u32).fold(local(0, f()), |sum, k| {
        binary(BinaryOp::Add, sum, local(k, f()))
    });
    map_of("sum", &vec![f(); n], sum)
}

fn arrays_over_the_limits_are_cut() {
    let options = Options {
        max_binding_bytes: Some(4096),
        // Not a multiple of anything of ours.
        max_buffer_bytes: Some(50_000),
        max_workgroups_per_dimension: Some(2),
        lanes: Some(64),
        ..Options::default()
    };
    let mut device = Device::with(options);
    let kernel = sum_of(2);
    let n = 60_001;
    let data: Vec<i32> = (0..n as i32).collect();
    // Windows that begin at different elements: nothing is cut at the same places.
    for (from, range) in [(0, 0..n), (777, 800..n - 1), (1, 1..2)] {
        let mut moved = device.empty::<i32>(from..n);
        device
            .0
            .upload(&mut moved, View::of(&data).narrow(from..n))
            .unwrap();
        let whole = device.array(&data);
        let mut out = device.array(&vec![-1; n]);
        let args = vec![
            LaunchArg::In(&moved),
            LaunchArg::In(&whole),
            LaunchArg::Out(&mut out),
        ];
        device
            .launch(&kernel, args, range.clone(), Shape::D1(n))
            .unwrap();
        let mut found = vec![0; n];
        // In two downloads that meet in the middle of a segment.
        let mut right = ViewMut::of(&mut found).into_out();
        let left = right.take_front(n / 2);
        device.0.download(&out, left).unwrap();
        device.0.download(&out, right).unwrap();
        for (i, value) in found.into_iter().enumerate() {
            let expected = if range.contains(&i) { 2 * i as i32 } else { -1 };
            assert_eq!(value, expected, "element {i} of {range:?}");
        }
    }
}

fn groups_over_the_limit_take_two_dimensions() {
    // 7 × 7 groups of 32 are one dispatch at most; 10,000 elements take several, of both shapes.
    let options = Options {
        max_workgroups_per_dimension: Some(7),
        lanes: Some(32),
        ..Options::default()
    };
    let mut device = Device::with(options);
    let kernel = sum_of(1);
    for n in [7 * 32, 7 * 32 + 1, 49 * 32, 49 * 32 + 1, 10_000] {
        let data: Vec<i32> = (0..n).collect();
        let array = device.array(&data);
        let found: Vec<i32> = device.map(&kernel, &[&array], data.len()).unwrap();
        assert_eq!(found, data, "n = {n}");
    }
}

fn too_many_buffers_are_a_reason() {
    let device = Device::with(Options {
        max_storage_buffers: Some(4),
        ..Options::default()
    });
    let limits = device.0.limits();
    assert_eq!(WebGpu::check(&limits, &sum_of(3), Shape::D1(10)), Ok(()));
    let reason = WebGpu::check(&limits, &sum_of(4), Shape::D1(10)).unwrap_err();
    assert_eq!(
        reason,
        "it needs 5 storage buffers, and this device binds 4"
    );

    // Three arrays and the status words fit; the real device would bind more.
    let quotient = binary(BinaryOp::Div, local(0, Ty::I32), local(1, Ty::I32));
    let one_more = binary(BinaryOp::Add, quotient.clone(), local(2, Ty::I32));
    let [two, three] =
        [(2, quotient), (3, one_more)].map(|(n, e)| map_of("ratio", &vec![Ty::I32; n], e));
    assert_eq!(WebGpu::check(&limits, &two, Shape::D1(10)), Ok(()));
    assert!(WebGpu::check(&limits, &three, Shape::D1(10)).is_err());
}

fn what_the_language_lacks_is_a_reason() {
    let device = Device::open();
    let limits = device.0.limits();
    let reason = |name, ty: Ty, e: Expr| {
        WebGpu::check(&limits, &map_of(name, &[ty], e), Shape::D1(10)).unwrap_err()
    };
    if limits.supports_f64() {
        let e = builtin(Builtin::Sin, vec![local(0, Ty::F64)]);
        assert_eq!(
            reason("wave", Ty::F64, e),
            "wave: `sin` of `f64`, which WGSL does not have"
        );
    }
    let e = binary(
        BinaryOp::Lt,
        cast(local(0, Ty::U32), Ty::Usize),
        constant(Value::Usize(1 << 33)),
    );
    let text = reason("far", Ty::U32, e);
    assert!(text.contains("8589934592"), "{text}");

    let without = Device::with(Options {
        without_f64: true,
        ..Options::default()
    });
    let e = cast(local(0, Ty::F32), Ty::F64);
    let wide = formula("wide", &[Ty::F32], cast(e, Ty::F32));
    let kernel = map(
        vec![wide],
        None,
        &[(Role::In, Ty::F32), (Role::Out, Ty::F32)],
    );
    let text = WebGpu::check(&without.0.limits(), &kernel, Shape::D1(10)).unwrap_err();
    assert_eq!(
        text,
        "wide: it computes with `f64`, which this device does not have"
    );
}

fn indices_beyond_32_bits_are_a_reason() {
    let device = Device::open();
    let at = index_ty(IndexKind::Index1);
    let e = cast(field(local(0, at.clone()), 0, Ty::Usize), Ty::F32);
    let kernel = map(
        vec![formula("far", &[at], e)],
        Some((0, IndexKind::Index1)),
        &[(Role::Out, Ty::F32)],
    );
    let limits = device.0.limits();
    assert_eq!(WebGpu::check(&limits, &kernel, Shape::D1(1 << 32)), Ok(()));
    let reason = WebGpu::check(&limits, &kernel, Shape::D1((1 << 32) + 1)).unwrap_err();
    assert!(reason.contains("2^32"), "{reason}");
    // Columns are counted in 32 bits as well.
    let at = index_ty(IndexKind::Index2);
    let e = cast(field(local(0, at.clone()), 1, Ty::Usize), Ty::F32);
    let kernel = map(
        vec![formula("wide", &[at], e)],
        Some((0, IndexKind::Index2)),
        &[(Role::Out, Ty::F32)],
    );
    assert_eq!(
        WebGpu::check(&limits, &kernel, Shape::D2(2, 1 << 31)),
        Ok(())
    );
    let reason = WebGpu::check(&limits, &kernel, Shape::D2(1, 1 << 32)).unwrap_err();
    assert!(reason.contains("column"), "{reason}");
}

fn one_adapter_opens_twice() {
    let found = found().unwrap();
    let [mut a, mut b] = [(); 2].map(|()| Device(webgpu::open(&found).unwrap(), Stream::default()));
    let kernel = sum_of(1);
    let (da, db) = (a.array(&[1, 2]), b.array(&[3, 4]));
    let in_b: Vec<i32> = b.map(&kernel, &[&db], 2).unwrap();
    drop(b);
    let in_a: Vec<i32> = a.map(&kernel, &[&da], 2).unwrap();
    assert_eq!((in_a, in_b), (vec![1, 2], vec![3, 4]));
}

fn devices_say_what_they_are() {
    for found in webgpu::enumerate() {
        assert!(
            !found.info.name.is_empty() && found.info.api.starts_with("wgpu ("),
            "{found:?}"
        );
        assert!(
            found
                .info
                .limits
                .iter()
                .any(|(name, _)| *name == "storage buffers")
        );
        if found.info.name.starts_with("llvmpipe") {
            assert_eq!(found.info.kind, UnitKind::SoftwareDevice);
        }
    }
}

fn more_memory_than_there_is_is_an_error() {
    let mut device = Device::open();
    let window = 0..1_usize << 46;
    let layout = skel_core::frame::ElementLayout::of::<f32>();
    let error = device.0.allocate(layout, &Ty::F32, window).unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { .. }), "{error}");
    // And the device goes on.
    let array = device.array(&[1, 2, 3]);
    assert_eq!(device.read::<i32>(&array, 3), [1, 2, 3]);
}

fn an_array_gets_the_memory_of_one_that_is_gone() {
    let mut device = Device::open();
    let numbers: Vec<i32> = (0..1000).collect();
    drop(device.array(&numbers));
    // Nearly as large; never written.
    let layout = skel_core::frame::ElementLayout::of::<i32>();
    let array = device.0.allocate(layout, &Ty::I32, 0..999).unwrap();
    assert_eq!(device.read::<i32>(&array, 3), [0, 1, 2]);
}
