//! Calls on lines drawn at random beside plain loops: shapes of one to four dimensions, each dimension that lines can
//! go along, whole containers and parts of them, on every unit.

use crate::every_unit;
use proptest::prelude::*;
use skel::prelude::*;
use std::ops::Range;

/// Upwards, each element from all before it; then downwards. Every bit depends on the order.
#[user_function]
fn mixed(l: &mut Line<u32>, m: &mut Line<[u16; 3]>, by: &Line<u32>, #[uniform] k: u32) -> u32 {
    let n = l.len();
    let mut all = k;
    for i in 0..n {
        all = all.wrapping_mul(31) ^ l[i].wrapping_add(by[n - 1 - i]);
        l[i] = all ^ (all >> 15);
        m[i][i % 3] ^= l[i] as u16;
    }
    for i in (1..n).rev() {
        l[i - 1] = l[i - 1].wrapping_sub(l[i]);
        m[i][2] = m[i - 1][0].wrapping_add(m[i][1]);
    }
    all
}

/// The elements of the three containers.
type Elements = (Vec<u32>, Vec<[u16; 3]>, Vec<u32>);

/// A call that is drawn.
#[derive(Clone, Debug)]
struct Drawn {
    /// The shape of what is passed, the outermost dimension first.
    extents: Vec<usize>,
    /// How much more each container has along its outermost dimension, before what is passed and behind it.
    margins: [(usize, usize); 3],
    axis: usize,
    seed: u32,
}

impl Drawn {
    /// The extent of a container along its outermost dimension.
    fn outer(&self, container: usize) -> usize {
        let (before, behind) = self.margins[container];
        before + self.extents[0] + behind
    }

    /// What is passed of it.
    fn passed(&self, container: usize) -> Range<usize> {
        let before = self.margins[container].0;
        before..before + self.extents[0]
    }

    fn is_whole(&self) -> bool {
        self.margins == [(0, 0); 3]
    }

    /// How many elements one index along the outermost dimension has.
    fn inner(&self) -> usize {
        self.extents[1..].iter().product()
    }

    /// Before the call.
    fn elements(&self) -> Elements {
        let of = |container: usize| {
            let n = self.outer(container) * self.inner();
            let salt = self.seed.wrapping_add(container as u32);
            (0..n as u32).map(move |i| (i ^ salt).wrapping_mul(2_654_435_761))
        };
        let parts = |x: u32| [x as u16, (x >> 8) as u16, (x >> 16) as u16];
        (of(0).collect(), of(1).map(parts).collect(), of(2).collect())
    }

    /// After it, and what each line gives.
    fn expected(&self) -> (Elements, Vec<u32>) {
        let (mut l, mut m, by) = self.elements();
        let stride: usize = self.extents[self.axis + 1..].iter().product();
        let len = self.extents[self.axis];
        let count = self.extents.iter().product::<usize>() / len;
        let [first_l, first_m, first_by] = self.margins.map(|(before, _)| before * self.inner());
        let mut given = Vec::new();
        for line in 0..count {
            let at = |i: usize| (line / stride * len + i) * stride + line % stride;
            let mut all = self.seed;
            for i in 0..len {
                let (l, m) = (&mut l[first_l + at(i)], &mut m[first_m + at(i)]);
                all = all.wrapping_mul(31) ^ l.wrapping_add(by[first_by + at(len - 1 - i)]);
                *l = all ^ (all >> 15);
                m[i % 3] ^= *l as u16;
            }
            for i in (1..len).rev() {
                l[first_l + at(i - 1)] = l[first_l + at(i - 1)].wrapping_sub(l[first_l + at(i)]);
                m[first_m + at(i)][2] =
                    m[first_m + at(i - 1)][0].wrapping_add(m[first_m + at(i)][1]);
            }
            given.push(all);
        }
        ((l, m, by), given)
    }
}

/// Small ones, and some that are long along one dimension; none of so many elements that a debug build takes long.
fn drawn(rank: usize) -> impl Strategy<Value = Drawn> {
    let extent = prop_oneof![4 => 1_usize..9, 2 => 9_usize..70, 1 => 70_usize..200];
    let extents = prop::collection::vec(extent, rank).prop_map(|mut extents| {
        while extents.iter().product::<usize>() > 8_000 {
            extents.iter_mut().for_each(|n| *n = n.div_ceil(2));
        }
        extents
    });
    let margins = prop_oneof![
        1 => Just([(0, 0); 3]),
        2 => prop::array::uniform3((0_usize..4, 0_usize..4)),
    ];
    (extents, margins, 0..rank, any::<u32>()).prop_map(|(extents, margins, axis, seed)| Drawn {
        extents,
        margins,
        axis,
        seed,
    })
}

/// Long lines whose elements share few sets of the caches: a CPU computes them on a copy.
fn in_few_sets() -> impl Strategy<Value = Drawn> {
    let extents = (
        1_usize..3,
        64_usize..80,
        prop::sample::select(vec![128_usize, 256]),
    );
    let margins = prop::array::uniform3((0_usize..2, 0_usize..2));
    (extents, margins, any::<u32>()).prop_map(|((planes, len, stride), margins, seed)| Drawn {
        extents: vec![planes, len, stride],
        margins,
        axis: 1,
        seed,
    })
}

fn vector_of<T: skel::Element>(_: usize, elements: Vec<T>) -> skel::Result<Vector<T>> {
    Ok(Vector::from(elements))
}

/// Compares a call on every unit with plain loops; the numbers are those of the inner dimensions.
macro_rules! compare {
    ($drawn:ident, $of:path $(, $inner:literal)*) => {{
        let ((l, m, by), given) = $drawn.expected();
        for (unit, context, target) in every_unit::all() {
            let f = map_lines!(mixed).along($drawn.axis);
            let f = f.within(context.clone()).on(target);
            let (l0, m0, by0) = $drawn.elements();
            let mut l1 = $of($drawn.outer(0) $(, $drawn.extents[$inner])*, l0).unwrap();
            let mut m1 = $of($drawn.outer(1) $(, $drawn.extents[$inner])*, m0).unwrap();
            let by1 = $of($drawn.outer(2) $(, $drawn.extents[$inner])*, by0).unwrap();
            let ran = match $drawn.is_whole() {
                true => f.run((&mut l1, &mut m1, &by1, $drawn.seed)),
                false => {
                    let [l, m, by] = [0, 1, 2].map(|container| $drawn.passed(container));
                    f.run((
                        l1.part_mut(l $(, { let _ = $inner; .. })*),
                        m1.part_mut(m $(, { let _ = $inner; .. })*),
                        &by1.part(by $(, { let _ = $inner; .. })*),
                        $drawn.seed,
                    ))
                }
            };
            prop_assert!(ran.unwrap().to_vec().unwrap() == given, "what is given on {}", unit);
            prop_assert!(l1.to_vec().unwrap() == l, "the first container on {}", unit);
            prop_assert!(m1.to_vec().unwrap() == m, "the second container on {}", unit);
            prop_assert!(by1.to_vec().unwrap() == by, "what is read on {}", unit);
        }
    }};
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn vectors_are_their_loops(drawn in drawn(1)) {
        compare!(drawn, vector_of);
    }

    #[test]
    fn lines_of_matrices_are_their_loops(drawn in drawn(2)) {
        compare!(drawn, Matrix::from_vec, 1);
    }

    #[test]
    fn lines_of_tensors_are_their_loops(drawn in drawn(3)) {
        compare!(drawn, Tensor3::from_vec, 1, 2);
    }

    #[test]
    fn lines_that_are_gathered_are_their_loops(drawn in in_few_sets()) {
        compare!(drawn, Tensor3::from_vec, 1, 2);
    }

    #[test]
    fn lines_of_tensors_of_four_dimensions_are_their_loops(drawn in drawn(4)) {
        compare!(drawn, Tensor4::from_vec, 1, 2, 3);
    }
}

#[user_function]
fn halved(l: &mut Line<u32>, #[uniform] most: u32) {
    for i in 1..l.len() {
        // Traps where a value is too large.
        l[i] = l[i] / 2 + most / (most - l[i].min(most)).min(1);
    }
}

/// A line that traps, of those that are gathered: the error says which, and an element before it.
#[test]
fn of_lines_that_are_gathered_the_first_that_traps_is_named() {
    let (len, cols) = (100, 256);
    for (unit, context, target) in every_unit::all() {
        let mut m = Matrix::from_fn(len, cols, |i, j| (10 * i + j) as u32);
        m.host_mut().unwrap()[77 * cols + 201] = 1_000_000;
        m.host_mut().unwrap()[3 * cols + 202] = 1_000_000;
        let f = map_lines!(halved).along(0).within(context).on(target);
        let ran = f.run((&mut m, 1_000_000));
        // Devices say it when it is read.
        let error = ran.and_then(|()| m.host().map(drop)).unwrap_err();
        match error {
            skel::Error::Trap { index, .. } => assert_eq!(index, Some(201), "{unit}"),
            other => panic!("{unit}: {other}"),
        }
        // What it leaves is no value, and what overwrites it is.
        assert!(m.host().is_err(), "{unit}");
    }
}

#[user_function]
fn doubled(l: &mut Line<u32>, at: Index2, by: u32) -> u32 {
    let before = l[0];
    l[0] = before * 2 + by;
    before + at.col as u32
}

/// Lines that are changed, with their index and parts of others beside them, in rows that do not fill vectors: each once.
#[test]
fn each_line_is_changed_once() {
    let (planes, rows, cols) = (3, 4, 300);
    for (unit, context, target) in every_unit::all() {
        let of = |k: usize, i: usize, j: usize| (1000 * k + 10 * i + j) as u32;
        let mut t = Tensor3::from_fn(planes, rows, cols, of);
        let by = Matrix::from_fn(rows, cols + 2, |i, j| (i * j) as u32);
        let f = map_lines!(doubled).along(0).within(context).on(target);
        let given: Matrix<u32> = f.run((&mut t, &by.part(.., 1..cols + 1))).unwrap();
        let (t, given) = (t.to_vec().unwrap(), given.to_vec().unwrap());
        for i in 0..rows {
            for j in 0..cols {
                let at = i * cols + j;
                let changed = of(0, i, j) * 2 + (i * (j + 1)) as u32;
                assert_eq!(
                    (t[at], given[at]),
                    (changed, of(0, i, j) + j as u32),
                    "{i}, {j}, {unit}"
                );
            }
        }
    }
}
