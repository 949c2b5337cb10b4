//! Windows over several units: what moves between them, and splits of all kinds.

use skel::{CallReport, Context, Traffic, conformance, mock::Mock, observe, prelude::*};

fn mocks(count: usize) -> Context {
    let mut builder = Context::builder();
    for k in 0..count {
        let mock = Mock::named(format!("mock {k}"));
        builder = builder.unit(mock.unit().expect("a mock device"));
    }
    builder.build().expect("a context of mocks")
}

#[user_function]
fn heat(w: Window2<f32, 1, 1>, #[uniform] k: f32) -> f32 {
    let around = w[(-1, 0)] + w[(1, 0)] + w[(0, -1)] + w[(0, 1)];
    w[(0, 0)] + k * (around - 4.0 * w[(0, 0)])
}

const ROWS: usize = 64;
const COLS: usize = 50;

fn plate() -> Matrix<f32> {
    Matrix::from_fn(ROWS, COLS, |i, j| (i * j % 17) as f32)
}

/// What every step but the first moves, which must be the same for all.
fn per_step(calls: &[CallReport]) -> Traffic {
    let (first, rest) = calls.split_first().expect("several steps");
    assert!(first.traffic.uploaded_bytes >= rest[0].traffic.uploaded_bytes);
    for step in rest {
        assert_eq!(step.traffic, rest[0].traffic);
    }
    rest[0].traffic
}

#[test]
fn a_step_moves_the_halo_and_nothing_else() {
    let row_bytes = (COLS * size_of::<f32>()) as u64;
    // Rows that are seen across borders, each way: of the host and one device at one border, at both
    // ends if windows go around, and, of two devices, also between these, by way of the host.
    for (devices, edge, down, up) in [
        (1, Edge::Duplicate, 1, 1),
        (1, Edge::Cyclic, 2, 2),
        (3, Edge::Reflect, 5, 5),
    ] {
        let shares = Hybrid::shares(vec![1.0; devices + 1]);
        let f = map_overlap!(heat)
            .within(mocks(devices))
            .on(shares)
            .edge(edge);
        let (plate, calls) = observe(|| f.iterate(6, plate(), (0.1,)));
        assert_eq!(plate.expect("six steps").len(), ROWS * COLS);
        assert_eq!(calls.len(), 6);
        assert!(calls.iter().all(|call| call.parts.len() == devices + 1));
        let traffic = per_step(&calls);
        assert_eq!(traffic.downloaded_bytes, down * row_bytes, "{edge:?}");
        assert_eq!(traffic.uploaded_bytes, up * row_bytes, "{edge:?}");
    }
}

#[test]
fn a_step_on_a_device_alone_moves_nothing() {
    let f = map_overlap!(heat).within(mocks(1)).on(Device(0));
    let (plate, calls) = observe(|| f.iterate(4, plate(), (0.1,)));
    plate.expect("four steps");
    assert_eq!(per_step(&calls), Traffic::default());
    let first = calls[0].traffic.uploaded_bytes;
    assert_eq!(first, (ROWS * COLS * size_of::<f32>()) as u64);
}

#[test]
fn a_piece_of_a_borrowed_slice_moves_only_what_it_sees() {
    let sum = map_overlap!(|w: Window1<u32, 3>| w[-3] + w[3]);
    let f = sum.within(mocks(1)).on(Hybrid::ratio(0.75));
    let x = vec![1_u32; 1000];
    let (y, calls) = observe(|| f.run((&x,)));
    assert_eq!(y.and_then(|y| y.to_vec()).expect("sums"), [2; 1000]);
    let device = &calls[0].parts[1].range;
    assert_eq!(
        calls[0].traffic.uploaded_bytes,
        4 * (device.len() as u64 + 3)
    );
}

/// Rows of every width, of which the last elements do not fill a vector: each against a plain loop, with a result of this
/// type, and with a count of how often each element was seen.
macro_rules! every_width {
    ($($name:ident: $ty:ty;)*) => { $(
        #[test]
        fn $name() {
            #[user_function]
            fn both(w: Window2<u8, 1, 1>) -> $ty {
                (w[(-1, 0)] / 4 + w[(0, -1)] / 4 + w[(0, 1)] / 4 + w[(1, 0)] / 4) as $ty
            }
            #[user_function]
            fn seen(w: Window2<u8, 1, 1>, times: &mut u8) -> $ty {
                *times += 1;
                (w[(-1, 0)] / 4 + w[(0, -1)] / 4 + w[(0, 1)] / 4 + w[(1, 0)] / 4) as $ty
            }
            const ROWS: usize = 5;
            for cols in (1..=140).chain([254, 255, 256, 257, 258, 1022]) {
                let x = Matrix::from_fn(ROWS, cols, |i, j| (i * 89 + j * 37) as u8);
                let host = x.to_vec().expect("bytes");
                let near = |i: isize, j: isize| {
                    let (i, j) = (i.clamp(0, ROWS as isize - 1), j.clamp(0, cols as isize - 1));
                    host[i as usize * cols + j as usize] / 4
                };
                let expected: Vec<$ty> = (0..(ROWS * cols) as isize)
                    .map(|k| (k / cols as isize, k % cols as isize))
                    .map(|(i, j)| near(i - 1, j) + near(i, j - 1) + near(i, j + 1) + near(i + 1, j))
                    .map(|sum| sum as $ty)
                    .collect();
                let y = map_overlap!(both).edge(Edge::Duplicate).on(Cpu).run((&x,));
                assert_eq!(y.and_then(|y| y.to_vec()).expect("sums"), expected, "{cols}");
                let mut times = Matrix::filled(ROWS, cols, 0_u8);
                let y = map_overlap!(seen).edge(Edge::Duplicate).on(Cpu).run((&x, &mut times));
                assert_eq!(y.and_then(|y| y.to_vec()).expect("sums"), expected, "{cols}");
                assert!(times.host().expect("counts").iter().all(|times| *times == 1), "{cols}");
            }
        }
    )* };
}
every_width! {
    bytes_of_rows_of_every_width: u8;
    floats_of_rows_of_every_width: f32;
    doubles_of_rows_of_every_width: f64;
}

/// Scrambles a number (the finaliser of SplitMix64).
fn scramble(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut x = *state;
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[test]
fn every_case_holds_in_random_splits_over_one_to_four_devices() {
    let mut state = 20_241_120;
    for round in 0..8 {
        let devices = round % 4 + 1;
        let shares: Vec<f64> = (0..=devices)
            .map(|_| (scramble(&mut state) % 1000) as f64 / 10.0)
            .collect();
        let (context, target) = (mocks(devices), Hybrid::shares(shares.clone()).into());
        let cases = conformance::cases(conformance::Sizes::Small);
        let cases = cases
            .iter()
            .filter(|case| case.name().starts_with("overlap::"));
        for case in cases {
            case.run(&context, &target)
                .unwrap_or_else(|failure| panic!("{} with {shares:?}: {failure}", case.name()));
        }
    }
}

#[user_function]
fn unlike(a: Window2<i32, 2, 1>, b: Window2<i32, 0, 1>, x: i32) -> i32 {
    a[(-2, -1)] + 3 * a[(2, 1)] + 5 * b[(0, -1)] + 7 * b[(0, 1)] + 11 * x
}

#[user_function]
fn unlike_in_planes(a: Window3<i32, 1, 1, 1>, b: Window3<i32, 0, 1, 1>) -> i32 {
    a[(-1, -1, -1)] + 3 * a[(1, 1, 1)] + 5 * b[(0, -1, 1)] + 7 * b[(0, 1, -1)]
}

/// Each of them has rows of its own that can be computed together, and ends them elsewhere.
#[test]
fn windows_of_unlike_reach_beside_each_other_and_beside_what_is_transposed() {
    let at = |i: usize, d: isize, n: usize| {
        let place = i as isize + d;
        place.clamp(0, n as isize - 1) as usize
    };
    let value = |i: usize, j: usize| (i * 31 + j * 17 % 101) as i32;
    for (rows, cols) in [(256, 256), (60, 80), (40, 300), (7, 5), (3, 40), (90, 12)] {
        let m = Matrix::from_fn(rows, cols, value);
        let turned = Matrix::from_fn(cols, rows, |j, i| value(i, j) / 2);
        let found = map_overlap!(unlike)
            .on(Cpu)
            .run((&m, &m, turned.transposed()))
            .unwrap();
        for (k, found) in found.host().unwrap().iter().enumerate() {
            let (i, j) = (k / cols, k % cols);
            let m = |di, dj| value(at(i, di, rows), at(j, dj, cols));
            let expected = m(-2, -1) + 3 * m(2, 1) + 5 * m(0, -1) + 7 * m(0, 1);
            assert_eq!(
                *found,
                expected + 11 * (value(i, j) / 2),
                "{i} {j} of {rows} × {cols}"
            );
        }
    }
    for (planes, rows, cols) in [(12, 40, 24), (5, 20, 200), (3, 4, 5), (20, 3, 33)] {
        let t = Tensor3::from_fn(planes, rows, cols, |p, i, j| value(p * 7 + i, j));
        let found = map_overlap!(unlike_in_planes)
            .on(Cpu)
            .run((&t, &t))
            .unwrap();
        for (k, found) in found.host().unwrap().iter().enumerate() {
            let (p, i, j) = (k / cols / rows, k / cols % rows, k % cols);
            let t = |dp, di, dj| value(at(p, dp, planes) * 7 + at(i, di, rows), at(j, dj, cols));
            let expected = t(-1, -1, -1) + 3 * t(1, 1, 1) + 5 * t(0, -1, 1) + 7 * t(0, 1, -1);
            assert_eq!(
                *found, expected,
                "{p} {i} {j} of {planes} × {rows} × {cols}"
            );
        }
    }
}
