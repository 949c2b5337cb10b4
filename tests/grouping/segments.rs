//! Scans of rows and of segments: scans of values that know whether they begin one.

use super::*;

/// A value, and whether it begins a segment.
type Held = (Print, bool);

/// As the library combines such values, which have nine bytes: so tiles are of eight chunks.
const WITHIN: Op<Held> = Op {
    apply: |left, right| match right.1 {
        true => right,
        false => (print(left.0, right.0), left.1),
    },
    is_wide: false,
};
const NINE_BYTES: Grouping = Grouping::Ordered { chunks: 8 };

/// What an inclusive scan writes, and an exclusive and an inclusive one with `first` before every segment.
fn expected(x: &[Print], begins: &[bool], first: Print) -> [Vec<u32>; 3] {
    let held: Vec<Held> = x.iter().copied().zip(begins.iter().copied()).collect();
    let inclusive = WITHIN.scan(NINE_BYTES, false, None, &held);
    let begun: Vec<Held> = held
        .iter()
        .map(|(x, begins)| match begins {
            true => (print(first, *x), true),
            false => (*x, false),
        })
        .collect();
    let exclusive = WITHIN.scan(NINE_BYTES, true, Some((first, false)), &begun);
    let seen = exclusive
        .iter()
        .zip(begins)
        .map(|(prefix, begins)| match begins {
            true => first.hash,
            false => prefix.0.hash,
        });
    let from = WITHIN.scan(NINE_BYTES, false, Some((first, false)), &begun);
    let hashes = |prefixes: &[Held]| prefixes.iter().map(|prefix| prefix.0.hash).collect();
    [hashes(&inclusive), seen.collect(), hashes(&from)]
}

#[test]
fn scans_of_rows_and_segments_have_the_bits_of_the_reference_on_every_unit() {
    let first = prints(78)[77];
    let shapes = [
        (1, 37),
        (300, 5),
        (90, 37),
        // Short rows in several tiles, pieces and chunks, up to the longest that are written on their own, and behind.
        (4099, 1),
        (9001, 2),
        (7000, 3),
        (700, 16),
        (650, 17),
        (400, 40),
        (400, 41),
        (5, 256),
        (30, 1000),
        (3, 4097),
        (2, 20_000),
    ];
    for (name, context, target) in setups() {
        for (rows, cols) in shapes {
            let (n, what) = (rows * cols, format!("{name}, {rows} × {cols}"));
            let x = prints(n);
            let starts: Vec<bool> = (0..n).map(|k| k % cols == 0).collect();
            let (all, before, from) = (
                scan!(print).within(&context).on(target.clone()),
                scan!(print)
                    .exclusive(first)
                    .within(&context)
                    .on(target.clone()),
                scan!(print)
                    .initial(first)
                    .within(&context)
                    .on(target.clone()),
            );
            let m = Matrix::from_vec(rows, cols, x.clone()).unwrap();
            let found = [
                all.clone().rows().run((&m,)).unwrap(),
                before.clone().rows().run((&m,)).unwrap(),
                from.clone().rows().run((&m,)).unwrap(),
            ];
            let found = found.map(|found| hashes(&found.host().unwrap()));
            assert!(found == expected(&x, &starts, first), "rows, {what}");
            // Segments of all lengths, the first of which nothing begins.
            let flags: Vec<bool> = (0..n).map(|k| k % cols == 3 || k * k % 977 == 5).collect();
            let (v, f) = (Vector::from(x.clone()), Vector::from(flags.clone()));
            let found = [
                all.run_segmented((&v, &f)).unwrap(),
                before.run_segmented((&v, &f)).unwrap(),
                from.run_segmented((&v, &f)).unwrap(),
            ];
            let found = found.map(|found| hashes(&found.host().unwrap()));
            assert!(found == expected(&x, &flags, first), "segments, {what}");
        }
    }
}

/// Traps for sums that no prefix of [`up_and_down`] has, and no node.
#[user_function]
fn add_bounded(a: f32, b: f32) -> f32 {
    let sum = a + b;
    assert!(sum.abs() <= 15_000.0);
    sum
}

/// Tiles of 4096 with the sums -10,000, then 10,000 and -10,000 in turn; the latter are 10,000 in their first half.
fn up_and_down(tiles: usize) -> Vec<f32> {
    let mut x = vec![0.0; tiles * 4096];
    x[0] = -10_000.0;
    for tile in 1..tiles {
        x[tile * 4096] = 10_000.0;
        if tile % 2 == 0 {
            x[tile * 4096 + 2048] = -10_000.0;
            x[tile * 4096 + 3072] = -10_000.0;
        }
    }
    x
}

#[test]
fn scans_combine_nothing_that_the_grouping_does_not_have() {
    let x = up_and_down(41);
    let bounded = Op {
        apply: add_bounded,
        is_wide: false,
    };
    let expected = bits(&bounded.scan(ORDERED, false, None, &x));
    for (name, context, target) in setups() {
        let scan = scan!(add_bounded).within(&context).on(target);
        for _ in 0..5 {
            let found = scan.run((&Vector::from(x.clone()),));
            let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(bits(&found.host().unwrap()) == expected, "{name}");
        }
    }
}
