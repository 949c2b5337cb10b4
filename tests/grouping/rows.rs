//! Rows and columns.

use super::*;

#[test]
fn folds_of_rows_and_columns_have_the_bits_of_the_reference_on_every_unit() {
    macro_rules! check {
        ($what:expr, $fold:expr, $first:expr, $op:expr, $grouping:expr, $x:expr, $cols:expr, $see:ident) => {
            let (x, cols, fold, first) = ($x, $cols, $fold, $first);
            let join = |value| first.map_or(value, |first| ($op.apply)(first, value));
            let m = Matrix::from_vec(x.len() / cols, cols, x.clone()).unwrap();
            if let Some(found) = bound($what, fold.clone().rows().run((&m,))) {
                let rows = x.chunks(cols);
                let expected = rows.map(|row| join($op.fold($grouping, row).unwrap()));
                let expected = $see(&expected.collect::<Vec<_>>());
                assert_eq!($see(&found.host().unwrap()), expected, "rows, {}", $what);
            }
            if let Some(found) = bound($what, fold.cols().run((&m,))) {
                let column = |j| x.iter().skip(j).step_by(cols).copied().collect::<Vec<_>>();
                let expected = (0..cols).map(|j| join($op.column(&column(j)).unwrap()));
                let expected = $see(&expected.collect::<Vec<_>>());
                assert_eq!($see(&found.host().unwrap()), expected, "columns, {}", $what);
            }
        };
    }
    let first = prints(78)[77];
    for (name, context, target) in setups() {
        for (rows, cols) in SHAPES {
            let (n, what) = (rows * cols, &*format!("{name}, {rows} × {cols}"));
            let (x, y) = (prints(n), floats(n));
            let sum = reduce!(add).within(&context).on(target.clone());
            check!(what, sum, None, ADD, Grouping::Lanes, y.clone(), cols, bits);
            let sum = reduce!(add).initial(0.1).within(&context);
            let (sum, start) = (sum.on(target.clone()), Some(0.1));
            check!(what, sum, start, ADD, Grouping::Lanes, y, cols, bits);
            let hash = reduce!(print_either).within(&context).on(target.clone());
            check!(
                what,
                hash,
                None,
                EITHER,
                Grouping::Lanes,
                x.clone(),
                cols,
                hashes
            );
            let hash = reduce!(print).within(&context).on(target.clone());
            check!(what, hash, None, PRINT, ORDERED, x.clone(), cols, hashes);
            let hash = reduce!(print).initial(first).within(&context);
            let (hash, start) = (hash.on(target.clone()), Some(first));
            check!(what, hash, start, PRINT, ORDERED, x.clone(), cols, hashes);
            let hash = reduce!(print_slowly).within(&context).on(target.clone());
            check!(what, hash, None, SLOWLY, Grouping::Heavy, x, cols, hashes);
        }
    }
}

#[test]
fn reductions_of_pairs_and_of_tuples_have_the_bits_of_the_reference_on_every_unit() {
    let (x, y) = (floats(70), floats(1500));
    let m = Matrix::from_vec(30, 50, y.clone()).unwrap();
    let rows = x.iter().map(|x| {
        let products: Vec<f32> = y.iter().map(|y| x * y).collect();
        ADD.fold(Grouping::Lanes, &products).unwrap()
    });
    let rows = bits(&rows.collect::<Vec<_>>());
    let cols = (0..50).map(|j| y.iter().skip(j).step_by(50).copied().collect::<Vec<_>>());
    let sums: Vec<f32> = cols.map(|col| ADD.column(&col).unwrap()).collect();
    for (name, context, target) in setups() {
        let sum = map_pairs_reduce!(times, add).within(&context);
        let found = sum.on(target.clone()).run((down(&x), across(&y)));
        assert!(bits(&found.unwrap().host().unwrap()) == rows, "{name}");
        let both = map_reduce!(twice, add, add).within(&context);
        let (one, other) = both.on(target).cols().run((&m,)).unwrap();
        assert_eq!(bits(&one.host().unwrap()), bits(&sums), "{name}");
        assert_eq!(bits(&other.host().unwrap()), bits(&sums), "{name}");
    }
}

#[user_function]
fn twice(x: f32) -> (f32, f32) {
    (x, x)
}

/// What was computed; of a device with little memory, or that binds little at once, only if it could.
fn bound<T>(what: &str, found: skel::Result<T>) -> Option<T> {
    match found {
        Err(Error::Unsupported { .. }) if what.starts_with("wgpu in parts") => None,
        Err(Error::OutOfMemory { .. }) if what.contains("in chunks") => None,
        found => Some(found.unwrap_or_else(|error| panic!("{what}: {error}"))),
    }
}

/// Shapes of matrices: around the ends of blocks, chunks and tiles, of chains of rows, and of what a device takes in one
/// dispatch.
const SHAPES: [(usize, usize); 15] = [
    (1, 5),
    (31, 3),
    (32, 4),
    (33, 37),
    (97, 1),
    (5, 63),
    (6, 64),
    (70, 65),
    (3, 143),
    (40, 1000),
    (2, 1024),
    (3, 4353),
    (3001, 2),
    (2, 40_000),
    (40_000, 2),
];
