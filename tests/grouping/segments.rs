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
const NINE_BYTES: Kind = Kind::Ordered { chunks: 8 };

/// What an inclusive and an exclusive scan write, the latter with `first` before every segment.
fn expected(x: &[Print], begins: &[bool], first: Print) -> [Vec<u32>; 2] {
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
    let inclusive = inclusive.iter().map(|prefix| prefix.0.hash);
    [inclusive.collect(), seen.collect()]
}

#[test]
fn scans_of_rows_and_segments_have_the_bits_of_the_reference_on_every_unit() {
    let first = prints(78)[77];
    let shapes = [
        (1, 37),
        (300, 5),
        (90, 37),
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
            let (all, before) = (
                scan!(print).within(&context).on(target.clone()),
                scan!(print)
                    .exclusive(first)
                    .within(&context)
                    .on(target.clone()),
            );
            let m = Matrix::from_vec(rows, cols, x.clone()).unwrap();
            let found = [
                all.clone().rows().run((&m,)).unwrap(),
                before.clone().rows().run((&m,)).unwrap(),
            ];
            let found = found.map(|found| hashes(&found.host().unwrap()));
            assert!(found == expected(&x, &starts, first), "rows, {what}");
            // Segments of all lengths, the first of which nothing begins.
            let flags: Vec<bool> = (0..n).map(|k| k % cols == 3 || k * k % 977 == 5).collect();
            let (v, f) = (Vector::from(x.clone()), Vector::from(flags.clone()));
            let found = [
                all.run_segmented((&v, &f)).unwrap(),
                before.run_segmented((&v, &f)).unwrap(),
            ];
            let found = found.map(|found| hashes(&found.host().unwrap()));
            assert!(found == expected(&x, &flags, first), "segments, {what}");
        }
    }
}
