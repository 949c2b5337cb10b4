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

/// Where there are fewer rows or columns than threads, each is folded by several; and columns of any width are read in
/// order, several rows at a time.
#[test]
fn few_rows_and_columns_have_the_bits_of_the_reference_with_any_threads() {
    for (rows, cols) in FEW {
        let (x, y) = (prints(rows * cols), floats(rows * cols));
        let m = Matrix::from_vec(rows, cols, x.clone()).unwrap();
        let floats = Matrix::from_vec(rows, cols, y.clone()).unwrap();
        let turned = Matrix::from_fn(cols, rows, |i, j| x[j * cols + i]);
        let placed: Vec<Print> = (0..rows * cols)
            .map(|k| {
                at(
                    x[k],
                    Index2 {
                        row: k / cols,
                        col: k % cols,
                    },
                )
            })
            .collect();
        let column = |x: &[Print], op: Op<Print>| -> Vec<Print> {
            let column = |j| x.iter().skip(j).step_by(cols).copied().collect::<Vec<_>>();
            (0..cols).map(|j| op.column(&column(j)).unwrap()).collect()
        };
        let row = |x: &[Print], op: Op<Print>, grouping| -> Vec<Print> {
            x.chunks(cols)
                .map(|row| op.fold(grouping, row).unwrap())
                .collect()
        };
        let first = prints(78)[77];
        let begun = |values: Vec<Print>| values.into_iter().map(|value| print(first, value));
        let by_columns = hashes(&column(&x, PRINT));
        let by_rows = hashes(&row(&x, PRINT, ORDERED));
        let begun_columns = hashes(&begun(column(&x, PRINT)).collect::<Vec<_>>());
        let either = hashes(&row(&x, EITHER, Grouping::Lanes));
        let slowly = hashes(&row(&x, SLOWLY, Grouping::Heavy));
        let slow_columns = hashes(&column(&x, SLOWLY));
        let placed = (
            hashes(&row(&placed, PRINT, ORDERED)),
            hashes(&column(&placed, PRINT)),
        );
        let sums = (0..cols).map(|j| {
            let column: Vec<f32> = y.iter().skip(j).step_by(cols).copied().collect();
            ADD.column(&column).unwrap()
        });
        let sums = bits(&sums.collect::<Vec<_>>());
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let what = format!("{rows} × {cols}, {threads} threads");
            pool.install(|| {
                let seen =
                    |found: skel::Result<Vector<Print>>| hashes(&found.unwrap().host().unwrap());
                let fold = reduce!(print).on(Cpu);
                assert!(seen(fold.clone().cols().run((&m,))) == by_columns, "{what}");
                assert!(seen(fold.clone().rows().run((&m,))) == by_rows, "{what}");
                let found = fold.clone().cols().run((turned.part(.., ..).transposed(),));
                assert!(seen(found) == by_columns, "{what}, turned");
                let found = fold.clone().rows().run((turned.part(.., ..).transposed(),));
                assert!(seen(found) == by_rows, "{what}, turned");
                let found = fold.initial(first).cols().run((&m,));
                assert!(seen(found) == begun_columns, "{what}, from a value");
                let found = reduce!(print_either).on(Cpu).rows().run((&m,));
                assert!(seen(found) == either, "{what}");
                let fold = reduce!(print_slowly).on(Cpu);
                assert!(
                    seen(fold.clone().rows().run((&m,))) == slowly,
                    "{what}, slowly"
                );
                assert!(
                    seen(fold.cols().run((&m,))) == slow_columns,
                    "{what}, slowly"
                );
                let fold = map_reduce!(at, print).on(Cpu);
                let found = seen(fold.clone().rows().run((&m,)));
                assert!(found == placed.0, "{what}, by place");
                assert!(seen(fold.cols().run((&m,))) == placed.1, "{what}, by place");
                let found = reduce!(add).on(Cpu).cols().run((&floats,)).unwrap();
                assert!(bits(&found.host().unwrap()) == sums, "{what}, sums");
            });
        }
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

/// Shapes of matrices with few rows or columns, or around the ends of blocks and of what is opened together.
const FEW: [(usize, usize); 13] = [
    (900, 2),
    (300, 100),
    (200, 127),
    (30_000, 1),
    (30_011, 8),
    (3, 30_011),
    (2500, 41),
    (1000, 31),
    (640, 256),
    (641, 257),
    (300, 300),
    (64, 2100),
    (8, 4096),
];

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
