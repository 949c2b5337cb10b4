//! What containers have in common with other crates: arrays, files, parallel iterators, configuration.

use rayon::prelude::*;
use skel::{
    Error,
    ndarray::{Array1, Array2, Array3, ArrayView1, Ix2, ShapeBuilder, array, s},
    npy::{self, Problem},
    prelude::*,
};
use std::{fs, path::PathBuf};

#[user_function]
fn sum(x: f32, y: f32) -> f32 {
    x + y
}

#[user_function]
fn bump(x: &mut u32) {
    *x += 1;
}

#[user_function]
fn picked(at: u32, table: &[u32]) -> u32 {
    table[at as usize]
}

#[test]
fn arrays_become_containers_in_row_major_order() {
    let rows = array![[1_u32, 2, 3], [4, 5, 6]];
    let address = rows.as_ptr();
    let m = Matrix::from(rows.clone());
    assert_eq!(
        (m.rows(), m.cols(), m.to_vec().unwrap()),
        (2, 3, vec![1, 2, 3, 4, 5, 6])
    );
    let moved = Matrix::from(rows).into_array().unwrap();
    assert_eq!((moved.as_ptr(), moved[(1, 0)]), (address, 4));

    let by_columns = Array2::from_shape_vec((2, 3).f(), vec![1_u32, 4, 2, 5, 3, 6]).unwrap();
    assert_eq!(
        Matrix::from(by_columns).to_vec().unwrap(),
        [1, 2, 3, 4, 5, 6]
    );
    let tail = array![0_u32, 1, 2, 3, 4].slice_move(s![2..4]);
    assert_eq!(Vector::from(tail).to_vec().unwrap(), [2, 3]);
    let reversed = array![0_u32, 1, 2].slice_move(s![..;-1]);
    assert_eq!(Vector::from(reversed).to_vec().unwrap(), [2, 1, 0]);
    let cube = Array3::from_shape_fn((2, 3, 4), |(k, i, j)| (100 * k + 10 * i + j) as u32);
    let t = Tensor3::from(cube.clone());
    assert_eq!(t.host_array().unwrap(), cube);
    assert_eq!(
        Matrix::<f32>::filled(0, 3, 1.0).host_array().unwrap().dim(),
        (0, 3)
    );
}

#[test]
fn arrays_are_arguments_and_outputs() {
    let (x, y) = (
        array![[1.0_f32, 2.0], [3.0, 4.0]],
        Array2::<f32>::ones((2, 2)),
    );
    let out = map!(sum).run((&x, &y)).unwrap();
    assert_eq!(out.host_array().unwrap(), array![[2.0, 3.0], [4.0, 5.0]]);
    let mut into = Array2::<f32>::zeros(Ix2(2, 2));
    map!(sum).run_into((&x, &x), &mut into).unwrap();
    assert_eq!(into, 2.0 * &x);
    let (at, table) = (vec![2_u32, 0], Array1::from_vec(vec![7_u32, 8, 9, 10]));
    let part: ArrayView1<'_, u32> = table.slice(s![1..]);
    assert_eq!(
        map!(picked).run((&at, &part)).unwrap().host().unwrap()[..],
        [10, 8]
    );
    let mut changed = array![1_u32, 2];
    map!(bump).run((&mut changed,)).unwrap();
    assert_eq!(changed, array![2, 3]);
}

#[test]
fn arrays_with_gaps_are_refused_by_number() {
    let x = array![[1.0_f32, 2.0], [3.0, 4.0]];
    let transposed = x.t();
    for found in [
        map!(sum).run((&transposed, &x)).map(|_| 1),
        map!(sum).run((&x, &transposed)).map(|_| 2),
        map!(sum)
            .run_into((&x, &x), &mut x.clone().reversed_axes())
            .map(|()| 3),
    ] {
        let Err(Error::Scattered { argument, .. }) = found else {
            panic!("{found:?} instead of a refusal");
        };
        assert!((1..=3).contains(&argument));
    }
    let every_other: ArrayView1<'_, u32> = ArrayView1::from(&[1, 2, 3]).slice_move(s![..;2]);
    let refused = map!(picked).run((&[0_u32], &every_other));
    assert!(matches!(refused, Err(Error::Scattered { argument: 2, .. })));
    // So are those of scans, of reductions of rows, and of several results.
    let mut out = Array1::zeros(10);
    let x = Vector::filled(5, 1.0_f32);
    let found = scan!(sum).run_into((&x,), &mut out.slice_mut(s![..;2]));
    assert!(matches!(found, Err(Error::Scattered { .. })), "{found:?}");
    let m = Matrix::filled(5, 2, 1.0_f32);
    let found = reduce!(sum)
        .rows()
        .run_into((&m,), &mut out.slice_mut(s![..;2]));
    assert!(matches!(found, Err(Error::Scattered { .. })), "{found:?}");
    let both = map!(|x: f32| (x, x));
    let found = both.run_into((&x,), (&mut [0.0; 5], &mut out.slice_mut(s![..;2])));
    assert!(matches!(found, Err(Error::Scattered { .. })), "{found:?}");
}

/// A file as NumPy's format description has it: magic, version, length of the header, header, elements.
fn file(name: &str, descr: &str, fortran: &str, shape: &str, elements: &[u8]) -> PathBuf {
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}");
    // Blanks and a line feed, so that the elements begin at a multiple of 64.
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(elements);
    let path = path(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn bytes<const N: usize>(elements: impl IntoIterator<Item = [u8; N]>) -> Vec<u8> {
    elements.into_iter().flatten().collect()
}

#[test]
fn files_of_numpy_are_read() {
    let elements = bytes([1.5_f32, -2.0, 3.0].map(f32::to_le_bytes));
    let v: Vector<f32> = npy::load(file("f4.npy", "<f4", "False", "(3,)", &elements)).unwrap();
    assert_eq!(v.host().unwrap()[..], [1.5, -2.0, 3.0]);

    let swapped = bytes([1_i32, -2, 3, 4].map(i32::to_be_bytes));
    let m: Matrix<i32> = npy::load(file("i4.npy", ">i4", "False", "(2, 2)", &swapped)).unwrap();
    assert_eq!(m.host().unwrap().row(1), [3, 4]);

    let by_columns = bytes([1_u64, 4, 2, 5, 3, 6].map(u64::to_le_bytes));
    let m: Matrix<u64> = npy::load(file("u8.npy", "<u8", "True", "(2, 3)", &by_columns)).unwrap();
    assert_eq!(m.host().unwrap()[..], [1, 2, 3, 4, 5, 6]);

    let t: Tensor3<bool> = npy::load(file("b1.npy", "|b1", "False", "(1, 2, 1)", &[1, 0])).unwrap();
    assert_eq!(t.host().unwrap()[..], [true, false]);

    let none: Matrix<f32> = npy::load(file("none.npy", "<f4", "False", "(0, 7)", &[])).unwrap();
    assert_eq!((none.rows(), none.cols()), (0, 7));
}

#[test]
fn files_are_written_as_numpy_does() {
    let saved = path("saved.npy");
    npy::save(&saved, &Matrix::from_vec(2, 1, vec![1.0_f32, 2.0]).unwrap()).unwrap();
    let elements = bytes([1.0_f32, 2.0].map(f32::to_le_bytes));
    let expected = file("expected.npy", "<f4", "False", "(2, 1)", &elements);
    let header = |path: &PathBuf| {
        let bytes = fs::read(path).unwrap();
        let len = bytes.len();
        assert_eq!((len - 8) % 64, 0, "elements are aligned");
        (
            bytes[..8].to_vec(),
            String::from_utf8_lossy(&bytes[10..len - 8])
                .trim()
                // NumPy takes the last comma or leaves it.
                .replace(", }", "}"),
        )
    };
    assert_eq!(header(&saved), header(&expected));
    assert!(fs::read(&saved).unwrap().ends_with(&elements));
    let again: Matrix<f32> = npy::load(&saved).unwrap();
    assert_eq!((again.rows(), again.to_vec().unwrap()), (2, vec![1.0, 2.0]));
}

/// Why a file is no matrix of `f32`.
fn problem(path: PathBuf) -> Problem {
    match npy::load::<Matrix<f32>>(&path) {
        Err(Error::Npy { file, problem }) => {
            assert_eq!(file, path.display().to_string());
            problem
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_wrong_with_a_file_is_named() {
    let four = bytes([1.0_f32; 4].map(f32::to_le_bytes));
    let double = file("f8.npy", "<f8", "False", "(1, 2)", &four);
    assert!(matches!(
        problem(double),
        Problem::ElementType { found, expected } if found == "'<f8'" && expected == "'<f4'"
    ));
    let vector = file("rank.npy", "<f4", "False", "(4,)", &four);
    assert!(matches!(problem(vector), Problem::Rank { found, expected: 2 } if found == [4]));
    let short = file("short.npy", "<f4", "False", "(2, 3)", &four);
    assert!(matches!(
        problem(short),
        Problem::Truncated {
            found_bytes: 16,
            expected_bytes: 24
        }
    ));
    // Nothing of that size is allocated.
    for (k, shape) in ["(4611686018427387904, 4)", "(1099511627776, 64)"]
        .iter()
        .enumerate()
    {
        let huge = file(&format!("huge{k}.npy"), "<f4", "False", shape, &four);
        assert!(matches!(
            problem(huge),
            Problem::Truncated {
                found_bytes: 16,
                ..
            }
        ));
    }
    let long = file("long.npy", "<f4", "False", "(1, 3)", &four);
    assert!(matches!(problem(long), Problem::Format(_)));
    let bad_bool = file("bool.npy", "|b1", "False", "(1, 1)", &[2]);
    assert!(npy::load::<Matrix<bool>>(bad_bool).is_err());
    for (k, text) in ["", "\x7fELF", "P6 2 2"].iter().enumerate() {
        let other = path(&format!("other{k}.npy"));
        fs::write(&other, text).unwrap();
        assert!(matches!(problem(other), Problem::Format(_)), "{text:?}");
    }
    assert!(matches!(problem(path("missing.npy")), Problem::Io(_)));
}

#[test]
fn parallel_iterators_run_over_the_host_view() {
    let mut v = Vector::from_fn(1000, |i| i as u32);
    v.host_mut().unwrap().par_iter_mut().for_each(|x| *x += 1);
    assert_eq!(v.host().unwrap().par_iter().sum::<u32>(), 500_500);
    let m = Matrix::from_fn(10, 100, |i, j| (i * j) as u32);
    let rows: u32 = m.host().unwrap().par_chunks(100).map(|row| row[1]).sum();
    assert_eq!(rows, 45);
}

#[test]
fn targets_are_strings_in_configuration() {
    let targets = [
        Target::from(Cpu),
        Hybrid::ratio(0.25).into(),
        Hybrid::shares([1.0, 2.5]).into(),
    ];
    let text = serde_json::to_string(&targets).unwrap();
    assert_eq!(text, r#"["cpu","hybrid:0.25","hybrid:[1.0, 2.5]"]"#);
    assert_eq!(serde_json::from_str::<Vec<Target>>(&text).unwrap(), targets);
    let error = serde_json::from_str::<Target>(r#""gpu""#).unwrap_err();
    assert!(
        error.to_string().contains("unknown backend `gpu`"),
        "{error}"
    );
}
