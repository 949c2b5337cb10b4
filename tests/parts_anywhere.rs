//! Maps that write parts drawn at random, beside plain loops: ranges, steps, reversed and exchanged dimensions, of
//! containers of one to four dimensions, on every unit. What lies outside of a part stays as it is.

use crate::every_unit;
use proptest::prelude::*;
use skel::prelude::*;

#[user_function]
fn spread(x: u32, y: &mut u32, #[uniform] k: u32) -> u16 {
    let before = *y;
    *y = before.rotate_left(7).wrapping_mul(31) ^ x.wrapping_add(k);
    (before ^ (*y >> 16)) as u16
}

/// What changes nothing may be computed twice, where rows do not fill vectors.
#[user_function]
fn joined(x: u32, y: u32, #[uniform] k: u32) -> u16 {
    (x.wrapping_mul(31) ^ y.rotate_left(7).wrapping_add(k)) as u16
}

const RANK: usize = 4;

/// A part of a container, of a shape that is given: a range along each dimension of the container, every `step`th
/// index of it, perhaps from the last one to the first; then two dimensions change places.
#[derive(Clone, Debug)]
struct Cut {
    start: [usize; RANK],
    step: [usize; RANK],
    behind: [usize; RANK],
    reversed: [bool; RANK],
    swapped: (usize, usize),
}

impl Cut {
    /// How many indices are taken along each dimension of the container.
    fn taken(&self, shape: &[usize]) -> Vec<usize> {
        let mut taken = shape.to_vec();
        taken.swap(self.swapped.0, self.swapped.1);
        taken
    }

    /// Where the range along a dimension ends.
    fn end(&self, shape: &[usize], d: usize) -> usize {
        self.start[d] + (self.taken(shape)[d] - 1) * self.step[d] + 1
    }

    /// The shape of the container.
    fn around(&self, shape: &[usize]) -> Vec<usize> {
        let extent = |d| self.end(shape, d) + self.behind[d];
        (0..shape.len()).map(extent).collect()
    }

    /// The places in the container of all elements of the part, in order.
    fn places(&self, shape: &[usize]) -> Vec<usize> {
        let (taken, around) = (self.taken(shape), self.around(shape));
        let place = |n: usize| {
            let mut index = vec![0; shape.len()];
            let mut rest = n;
            for d in (0..shape.len()).rev() {
                index[d] = rest % shape[d];
                rest /= shape[d];
            }
            index.swap(self.swapped.0, self.swapped.1);
            (0..shape.len()).fold(0, |place, d| {
                let k = match self.reversed[d] {
                    true => taken[d] - 1 - index[d],
                    false => index[d],
                };
                place * around[d] + self.start[d] + k * self.step[d]
            })
        };
        (0..shape.iter().product()).map(place).collect()
    }
}

/// A call that is drawn: the shape of its parts, and how they are cut out of the container that is read, the one that
/// is changed, and the one that is written.
#[derive(Clone, Debug)]
struct Drawn {
    shape: Vec<usize>,
    cuts: [Cut; 3],
    seed: u32,
}

impl Drawn {
    /// The elements of a container.
    fn elements(&self, container: usize) -> Vec<u32> {
        let n: usize = self.cuts[container].around(&self.shape).iter().product();
        let salt = self.seed.wrapping_add(container as u32);
        let element = |i: u32| (i ^ salt).wrapping_mul(2_654_435_761);
        (0..n as u32).map(element).collect()
    }

    fn written(&self) -> Vec<u16> {
        self.elements(2).into_iter().map(|x| x as u16).collect()
    }

    /// The plain loop: what is changed, and what is written.
    fn expected(&self) -> (Vec<u32>, Vec<u16>) {
        let (x, mut y, mut z) = (self.elements(0), self.elements(1), self.written());
        let [from, changed, to] = [0, 1, 2].map(|k| self.cuts[k].places(&self.shape));
        for ((from, changed), to) in from.into_iter().zip(changed).zip(to) {
            let before = y[changed];
            let after = before.rotate_left(7).wrapping_mul(31) ^ x[from].wrapping_add(self.seed);
            y[changed] = after;
            z[to] = (before ^ (after >> 16)) as u16;
        }
        (y, z)
    }

    /// The same of [`joined`].
    fn expected_of_joined(&self) -> Vec<u16> {
        let (x, y, mut z) = (self.elements(0), self.elements(1), self.written());
        let [from, other, to] = [0, 1, 2].map(|k| self.cuts[k].places(&self.shape));
        for ((from, other), to) in from.into_iter().zip(other).zip(to) {
            z[to] = joined(x[from], y[other], self.seed);
        }
        z
    }
}

fn cut(rank: usize) -> impl Strategy<Value = Cut> {
    let step = prop_oneof![3 => Just(1_usize), 1 => 2_usize..4];
    let margin = || prop_oneof![2 => Just(0_usize), 1 => 1_usize..4];
    (
        prop::array::uniform4(margin()),
        prop::array::uniform4(step),
        prop::array::uniform4(margin()),
        prop::array::uniform4(prop::bool::weighted(0.3)),
        (0..rank, 0..rank),
    )
        .prop_map(|(start, step, behind, reversed, swapped)| Cut {
            start,
            step,
            behind,
            reversed,
            swapped,
        })
}

/// Small ones, and some that are long along one dimension; none of so many elements that a debug build takes long.
fn drawn(rank: usize) -> impl Strategy<Value = Drawn> {
    let extent = prop_oneof![
        4 => 1_usize..9,
        2 => 9_usize..70,
        1 => 70_usize..200,
        1 => 120_usize..129,
    ];
    let shape = prop::collection::vec(extent, rank).prop_map(|mut shape| {
        while shape.iter().product::<usize>() > 3_000 {
            shape.iter_mut().for_each(|n| *n = n.div_ceil(2));
        }
        shape
    });
    let cuts = [cut(rank), cut(rank), cut(rank)];
    (shape, cuts, any::<u32>()).prop_map(|(shape, cuts, seed)| Drawn { shape, cuts, seed })
}

/// The part that is drawn, by these dimensions.
macro_rules! part {
    ($container:ident.$method:ident, $cut:expr, $shape:expr, 0) => {{
        let (cut, shape) = ($cut, &$shape);
        let part = $container.$method(cut.start[0]..cut.end(shape, 0));
        let part = part.step_by(cut.step[0]);
        match cut.reversed[0] {
            true => part.reversed(),
            false => part,
        }
    }};
    ($container:ident.$method:ident, $cut:expr, $shape:expr, $($d:literal)+) => {{
        let (cut, shape) = ($cut, &$shape);
        let mut part = $container.$method($(cut.start[$d]..cut.end(shape, $d)),+);
        $(
            part = part.step_by_along($d, cut.step[$d]);
            if cut.reversed[$d] {
                part = part.reversed_along($d);
            }
        )+
        part.swapped(cut.swapped.0, cut.swapped.1)
    }};
}

/// Compares a call on every unit with a plain loop.
macro_rules! compare {
    ($drawn:ident, $of:path, $($d:tt)+) => {{
        let (changed, written) = $drawn.expected();
        let [from, to, out] = &$drawn.cuts;
        for (unit, context, target) in every_unit::all() {
            let f = map!(spread).within(context.clone()).on(target);
            let around = |k: usize| $drawn.cuts[k].around(&$drawn.shape);
            let (n, x) = (around(0), $drawn.elements(0));
            let x = $of($(n[$d],)+ x).unwrap();
            let (n, y) = (around(1), $drawn.elements(1));
            let mut y = $of($(n[$d],)+ y).unwrap();
            let (n, z) = (around(2), $drawn.written());
            let mut z = $of($(n[$d],)+ z).unwrap();
            let args = (
                part!(x.part, from, $drawn.shape, $($d)+),
                part!(y.part_mut, to, $drawn.shape, $($d)+),
                $drawn.seed,
            );
            let ran = f.run_into(args, part!(z.part_mut, out, $drawn.shape, $($d)+));
            ran.unwrap();
            prop_assert!(y.to_vec().unwrap() == changed, "what is changed on {}", unit);
            prop_assert!(z.to_vec().unwrap() == written, "what is written on {}", unit);

            let f = map!(joined).within(context.clone()).on(target);
            let (n, y) = (around(1), $drawn.elements(1));
            let y = $of($(n[$d],)+ y).unwrap();
            let (n, z) = (around(2), $drawn.written());
            let mut z = $of($(n[$d],)+ z).unwrap();
            let args = (
                part!(x.part, from, $drawn.shape, $($d)+),
                part!(y.part, to, $drawn.shape, $($d)+),
                $drawn.seed,
            );
            let ran = f.run_into(args, part!(z.part_mut, out, $drawn.shape, $($d)+));
            ran.unwrap();
            prop_assert!(z.to_vec().unwrap() == $drawn.expected_of_joined(), "joined on {}", unit);
        }
    }};
}

fn vector_of<T: skel::Element>(_: usize, elements: Vec<T>) -> skel::Result<Vector<T>> {
    Ok(Vector::from(elements))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn parts_of_vectors_are_their_loops(drawn in drawn(1)) {
        compare!(drawn, vector_of, 0);
    }

    #[test]
    fn parts_of_matrices_are_their_loops(drawn in drawn(2)) {
        compare!(drawn, Matrix::from_vec, 0 1);
    }

    #[test]
    fn parts_of_tensors_are_their_loops(drawn in drawn(3)) {
        compare!(drawn, Tensor3::from_vec, 0 1 2);
    }

    #[test]
    fn parts_of_tensors_of_four_dimensions_are_their_loops(drawn in drawn(4)) {
        compare!(drawn, Tensor4::from_vec, 0 1 2 3);
    }
}
