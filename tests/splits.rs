//! Strided arguments and folds of rows and columns in splits at random, what they move, and targets by size.

use proptest::prelude::*;
use skel::{Context, SizePlan, mock::Mock, observe, prelude::*};

#[user_function]
fn mix(a: u32, b: u32) -> u32 {
    a * 31 + b
}

/// 2×2 matrices modulo a prime, as one number.
#[user_function]
fn product(a: u32, b: u32) -> u32 {
    let (p, q, r, s) = (a % 251, a / 251 % 251, b % 251, b / 251 % 251);
    // The matrices ((p, q), (0, 1)): composition does not commute.
    p * r % 251 + 251 * ((p * s + q) % 251)
}

fn mocks(count: usize) -> Context {
    let mut builder = Context::builder();
    for k in 0..count {
        builder = builder.unit(Mock::named(format!("mock {k}")).unit().unwrap());
    }
    builder.build().unwrap()
}

/// One to four devices, each with a share, and one for the CPU.
fn splits() -> impl Strategy<Value = (usize, Hybrid)> {
    (1_usize..5).prop_flat_map(|devices| {
        let shares = prop::collection::vec(0_u32..5, devices + 1);
        shares.prop_map(move |mut shares| {
            let idle = shares.iter().all(|share| *share == 0);
            shares[0] += u32::from(idle);
            let shares: Vec<f64> = shares.into_iter().map(f64::from).collect();
            (devices, Hybrid::shares(shares))
        })
    })
}

fn element(i: usize) -> u32 {
    (i as u32).wrapping_mul(2_654_435_761) >> 7
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn parts_are_right_in_every_split(
        (devices, split) in splits(),
        rows in 1_usize..90,
        cols in 1_usize..90,
        from in 0.0..1.0,
    ) {
        let context = mocks(devices);
        let m = Matrix::from_fn(rows, cols, |i, j| element(i * cols + j));
        let from = (from * rows as f64) as usize;
        let f = map!(mix).within(context).on(split);
        // Twice: the second call finds part of it on devices.
        for _ in 0..2 {
            let found = f.run((m.part(from.., ..).transposed(), across(m.col(0).part(from..)))).unwrap();
            let n = rows - from;
            for (k, x) in found.host().unwrap().iter().enumerate() {
                let (i, j) = (k / n, k % n + from);
                let expected = element(j * cols + i).wrapping_mul(31).wrapping_add(element(j * cols));
                prop_assert_eq!(*x, expected);
            }
        }
    }

    #[test]
    fn folds_are_right_in_every_split(
        (devices, split) in splits(),
        rows in 1_usize..90,
        cols in 1_usize..90,
    ) {
        let context = mocks(devices);
        let m = Matrix::from_fn(rows, cols, |i, j| element(i * cols + j));
        let f = reduce!(product).initial(5).within(context).on(split);
        let found = f.clone().rows().run((&m,)).unwrap();
        for (i, x) in found.host().unwrap().iter().enumerate() {
            let of_row = (0..cols).map(|j| element(i * cols + j));
            prop_assert_eq!(*x, of_row.fold(5, product));
        }
        let found = f.cols().run((&m,)).unwrap();
        for (j, x) in found.host().unwrap().iter().enumerate() {
            let of_col = (0..rows).map(|i| element(i * cols + j));
            prop_assert_eq!(*x, of_col.fold(5, product));
        }
    }
}

#[test]
fn the_operator_is_associative_and_does_not_commute() {
    let (a, b, c) = (element(1), element(2), element(3));
    assert_eq!(product(product(a, b), c), product(a, product(b, c)));
    assert_ne!(product(a, b), product(b, a));
}

/// The bytes that `body` sends to devices.
fn uploaded(context: &Context, body: impl FnOnce()) -> u64 {
    let before = context.traffic();
    body();
    (context.traffic() - before).uploaded_bytes
}

#[test]
fn devices_are_sent_what_their_part_needs() {
    let context = mocks(1);
    let f = map!(mix).within(context.clone()).on(Device(0));
    let v = Vector::from_fn(1000, element);
    let part = || f.run((v.part(100..150), v.part(140..190))).unwrap();
    assert_eq!(uploaded(&context, || drop(part())), 4 * 90);
    assert_eq!(uploaded(&context, || drop(part())), 0);
    let apart = || f.run((v.step_by(100), v.step_by(100))).unwrap();
    assert_eq!(uploaded(&context, || drop(apart())), 4 * (901 - 90));
    // Half of the rows for the device: it needs no others.
    let m = Matrix::from_fn(10, 64, |i, j| element(i * 64 + j));
    let sums = reduce!(mix).within(context.clone()).on(Hybrid::ratio(0.5));
    assert_eq!(
        uploaded(&context, || drop(sums.rows().run((&m,)).unwrap())),
        4 * 5 * 64
    );
    // What is written is not sent, and what lies beside it neither.
    let mut v = Vector::from_fn(1000, element);
    let g = map!(|x: u32| x + 1).within(context.clone()).on(Device(0));
    let x = Vector::from_fn(10, element);
    let write = |v: &mut Vector<u32>| g.run_into((&x,), v.part_mut(500..510)).unwrap();
    assert_eq!(uploaded(&context, || write(&mut v)), 4 * 10);
    assert_eq!(
        v.host_range(509..511).unwrap(),
        [element(9) + 1, element(510)]
    );
}

#[test]
fn sizes_choose_targets() {
    let context = mocks(2);
    let plan = SizePlan::new()
        .add(..100, Sequential)
        .add(100..1000, Device(1))
        .add(1000..=2000, Hybrid::shares([1.0, 1.0, 0.0]));
    let f = map!(mix)
        .within(context.clone())
        .on(Device(0))
        .plan(plan.clone());
    let ran = |n: usize| {
        let x = vec![1; n];
        let (_, calls) = observe(|| f.run((&x, &x)).unwrap());
        let parts = calls[0].parts.iter();
        parts
            .map(|p| (p.unit_index, p.range.len()))
            .collect::<Vec<_>>()
    };
    // Units: alone, all cores, first device, second.
    assert_eq!(ran(99), [(0, 99)]);
    assert_eq!(ran(100), [(3, 100)]);
    assert_eq!(ran(2000), [(1, 1000), (2, 1000)]);
    assert_eq!(ran(2001), [(2, 2001)]);
    // Of folds of rows, what is folded counts.
    let m = Matrix::filled(10, 50, 1);
    let sums = reduce!(mix).rows().within(context).plan(plan);
    let (_, calls) = observe(|| sums.run((&m,)).unwrap());
    assert_eq!(calls[0].parts[0].unit_index, 3);
}
