//! Sweeps drawn at random beside their plain loops: shapes, directions, edges, what elements see, on every unit.

use crate::every_unit;
use proptest::prelude::*;
use skel::prelude::*;
use std::array;

/// Up to so many weights.
const WEIGHTS: usize = 13;

/// What a function with these offsets sees, each along planes, rows and columns.
type Offsets = &'static [[isize; 3]];

/// `sum of weights[k] · w[offsets[k]]`, as a user function and as a list of offsets.
macro_rules! weighted {
    ($f:ident($w:ident: $kind:ty), $list:ident: $([$($offset:literal),+] = [$($at:tt)+];)*) => {
        #[user_function]
        fn $f($w: $kind, #[uniform] weights: [u32; WEIGHTS]) -> u32 {
            let mut sum = 1_u32;
            let mut k = 0;
            $(
                sum = sum.wrapping_add(weights[k].wrapping_mul($w[$($at)+]));
                k += 1;
            )*
            // Each bit of what is seen counts in each bit that others see.
            sum ^ (sum >> (16 + k as u32 % 2))
        }

        const $list: Offsets = &[$([$($offset),+]),*];
    };
}

weighted! {
    of_vectors(w: Sweep1<u32, 3>), VECTORS:
    [0, 0, 0] = [0]; [0, 0, -1] = [-1]; [0, 0, -2] = [-2]; [0, 0, -3] = [-3];
    [0, 0, 1] = [1]; [0, 0, 2] = [2]; [0, 0, 3] = [3];
}
weighted! {
    of_matrices(w: Sweep2<u32, 2, 1>), MATRICES:
    [0, 0, 0] = [(0, 0)]; [0, 0, -1] = [(0, -1)]; [0, -1, 0] = [(-1, 0)]; [0, -1, -1] = [(-1, -1)];
    [0, -2, 0] = [(-2, 0)]; [0, -2, -1] = [(-2, -1)];
    [0, 0, 1] = [(0, 1)]; [0, 1, 0] = [(1, 0)]; [0, 2, 1] = [(2, 1)];
}
weighted! {
    of_rows(w: Sweep2<u32, 0, 2>), ROWS:
    [0, 0, 0] = [(0, 0)]; [0, 0, -2] = [(0, -2)]; [0, 0, -1] = [(0, -1)]; [0, 0, 1] = [(0, 1)];
}
weighted! {
    of_tensors(w: Sweep3<u32, 1, 1, 2>), TENSORS:
    [0, 0, 0] = [(0, 0, 0)]; [-1, 0, 0] = [(-1, 0, 0)]; [0, -1, 0] = [(0, -1, 0)]; [0, 0, -1] = [(0, 0, -1)];
    [0, 0, -2] = [(0, 0, -2)]; [-1, -1, 0] = [(-1, -1, 0)]; [-1, 0, -2] = [(-1, 0, -2)];
    [0, -1, -1] = [(0, -1, -1)]; [-1, -1, -1] = [(-1, -1, -1)];
    [1, 0, 0] = [(1, 0, 0)]; [0, 1, 0] = [(0, 1, 0)]; [0, 0, 2] = [(0, 0, 2)]; [1, 1, 1] = [(1, 1, 1)];
}
weighted! {
    of_rows_of_planes(w: Sweep3<u32, 2, 0, 1>), PLANES:
    [0, 0, 0] = [(0, 0, 0)]; [-1, 0, 0] = [(-1, 0, 0)]; [-2, 0, -1] = [(-2, 0, -1)]; [0, 0, -1] = [(0, 0, -1)];
    [1, 0, 1] = [(1, 0, 1)];
}

/// A sweep that is drawn.
#[derive(Clone, Debug)]
struct Drawn {
    rank: usize,
    extents: [usize; 3],
    down: [bool; 3],
    pad: Option<u32>,
    weights: [u32; WEIGHTS],
    elements: Vec<u32>,
}

impl Drawn {
    /// The dimensions of the container that it goes down.
    fn turned(&self) -> Vec<usize> {
        let first = 3 - self.rank;
        (0..self.rank).filter(|d| self.down[first + d]).collect()
    }

    /// The plain loop.
    fn expected(&self, offsets: Offsets) -> Vec<u32> {
        let [planes, rows, cols] = self.extents;
        let mut all = self.elements.clone();
        let count = planes * rows * cols;
        for n in 0..count {
            let place = [n / (rows * cols), n / cols % rows, n % cols];
            let at: [isize; 3] = array::from_fn(|d| {
                let place = place[d] as isize;
                match self.down[d] {
                    true => self.extents[d] as isize - 1 - place,
                    false => place,
                }
            });
            let sees = |offset: &[isize; 3]| {
                let mut index = 0;
                for d in 0..3 {
                    let step = if self.down[d] { -offset[d] } else { offset[d] };
                    let last = self.extents[d] as isize - 1;
                    let there = (at[d] + step).clamp(0, last);
                    if there != at[d] + step
                        && let Some(pad) = self.pad
                    {
                        return pad;
                    }
                    index = index * self.extents[d] + there as usize;
                }
                all[index]
            };
            let terms = offsets.iter().zip(self.weights);
            let sum = terms.fold(1_u32, |sum, (offset, weight)| {
                sum.wrapping_add(weight.wrapping_mul(sees(offset)))
            });
            let index = at
                .iter()
                .zip(self.extents)
                .fold(0, |index, (at, extent)| index * extent + *at as usize);
            all[index] = sum ^ (sum >> (16 + offsets.len() as u32 % 2));
        }
        all
    }
}

/// Small ones, and some that are long along one dimension; none of so many elements that a debug build takes long.
fn drawn(rank: usize) -> impl Strategy<Value = Drawn> {
    let extent = || prop_oneof![4 => 1_usize..12, 2 => 12_usize..70, 1 => 70_usize..200];
    let extents = [extent(), extent(), extent()].prop_map(move |mut extents| {
        extents[..3 - rank].fill(1);
        while extents.iter().product::<usize>() > 20_000 {
            extents.iter_mut().for_each(|n| *n = n.div_ceil(2));
        }
        extents
    });
    let weights = prop::array::uniform13(prop_oneof![1 => Just(0_u32), 3 => any::<u32>()]);
    let rest = (
        any::<[bool; 3]>(),
        any::<Option<u32>>(),
        weights,
        any::<u32>(),
    );
    (extents, rest).prop_map(move |(extents, (down, pad, weights, seed))| Drawn {
        rank,
        extents,
        down: array::from_fn(|d| down[d] && d >= 3 - rank),
        pad,
        weights,
        elements: (0..extents.iter().product())
            .map(|i: usize| (i as u32 ^ seed).wrapping_mul(2_654_435_761))
            .collect(),
    })
}

/// Compares a sweep on every unit with its plain loop.
macro_rules! compare {
    ($f:ident, $offsets:ident, $drawn:ident, $container:expr) => {{
        let expected = $drawn.expected($offsets);
        for (unit, context, target) in every_unit::each() {
            let mut swept = $container;
            let f = sweep!($f).within(context.clone()).on(target);
            let f = match $drawn.turned()[..] {
                [] => f,
                [a] => f.descending([a]),
                [a, b] => f.descending([a, b]),
                _ => f.descending([0, 1, 2]),
            };
            let ran = match $drawn.pad {
                Some(pad) => f.pad(pad).run((&mut swept, $drawn.weights)),
                None => f.run((&mut swept, $drawn.weights)),
            };
            ran.unwrap();
            let found = swept.to_vec().unwrap();
            let off = (0..found.len()).find(|i| found[*i] != expected[*i]);
            prop_assert_eq!(off, None, "an element of {} on {}", stringify!($f), unit);
        }
    }};
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn sweeps_of_vectors_are_their_loops(drawn in drawn(1)) {
        compare!(of_vectors, VECTORS, drawn, Vector::from(drawn.elements.clone()));
    }

    #[test]
    fn sweeps_of_matrices_are_their_loops(drawn in drawn(2)) {
        let [_, rows, cols] = drawn.extents;
        let matrix = || Matrix::from_vec(rows, cols, drawn.elements.clone()).unwrap();
        compare!(of_matrices, MATRICES, drawn, matrix());
        compare!(of_rows, ROWS, drawn, matrix());
    }

    #[test]
    fn sweeps_of_tensors_are_their_loops(drawn in drawn(3)) {
        let [planes, rows, cols] = drawn.extents;
        let tensor = || Tensor3::from_vec(planes, rows, cols, drawn.elements.clone()).unwrap();
        compare!(of_tensors, TENSORS, drawn, tensor());
        compare!(of_rows_of_planes, PLANES, drawn, tensor());
    }
}
