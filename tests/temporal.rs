//! Several steps of a stencil together: they give what single steps give, and the same errors.
#![allow(unsafe_code, reason = "a body by hand, of a function that counts")]

use proptest::prelude::*;
use skel::{Context, Error, Target, observe, prelude::*};
use skel_backends::cpu::CpuUnit;
use skel_core::{
    call::{Call, Executor},
    frame::Partial,
};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Takes steps together wherever that can be done, in groups of about so many elements.
struct Together {
    unit: CpuUnit,
    group_elems: usize,
    /// Whether elements trap.
    traps: bool,
    /// How many steps were taken so.
    steps: AtomicUsize,
}

impl Together {
    fn in_groups(group_elems: usize) -> Self {
        Together {
            unit: CpuUnit::cores(),
            group_elems,
            traps: false,
            steps: AtomicUsize::new(0),
        }
    }

    fn steps(&self) -> usize {
        self.steps.load(Ordering::Relaxed)
    }
}

impl Executor for Together {
    fn execute(&self, call: &mut Call<'_>, _: &Target) -> skel::Result<Partial> {
        self.unit.run(call)
    }

    fn execute_steps(
        &self,
        call: &mut Call<'_>,
        _: &Target,
        most_steps: usize,
    ) -> skel::Result<usize> {
        let Some(blocks) = call.temporal_blocks(most_steps) else {
            return Ok(0);
        };
        let blocks = blocks.in_groups(self.group_elems);
        let done = self.unit.run_together(call, &blocks);
        // Single steps would hide it.
        assert!(self.traps || done.is_ok(), "{done:?}");
        let done = done?;
        assert_eq!(done, blocks.steps());
        self.steps.fetch_add(done, Ordering::Relaxed);
        Ok(done)
    }
}

fn alone() -> (Context, Target) {
    (
        Context::builder().build().expect("a context"),
        Target::Sequential,
    )
}

const EDGES: [Edge; 5] = [
    Edge::Duplicate,
    Edge::Reflect,
    Edge::Symmetric,
    Edge::Pad,
    Edge::Cyclic,
];

fn input(n: usize, seed: u32) -> Vec<u32> {
    (0..n as u32)
        .map(|i| (i ^ seed).wrapping_mul(2_654_435_761))
        .collect()
}

#[user_function]
fn along(w: Window1<u32, 3>, #[uniform] k: u32) -> u32 {
    (w[-3].wrapping_mul(5) ^ w[3]).wrapping_add(w[-1] ^ w[0].wrapping_mul(k))
}

#[user_function]
fn around(w: Window2<u32, 2, 1>, factor: u32, at: Index2) -> u32 {
    let rows = w[(-2, 0)].wrapping_mul(3) ^ w[(2, 1)];
    rows.wrapping_add(w[(0, -1)].wrapping_mul(factor)) ^ (at.row * 7 + at.col) as u32
}

#[user_function]
fn beside(a: Window3<u32, 1, 1, 1>, b: Window3<u32, 0, 2, 0>, table: &[u32]) -> (u32, u32) {
    let next = a[(-1, 0, 0)].wrapping_add(a[(1, 1, -1)].wrapping_mul(3)) ^ b[(0, 2, 0)];
    let k = (b[(0, 0, 0)] % 16) as usize;
    (next, b[(0, -2, 0)].wrapping_mul(table[k]) ^ a[(0, 0, 1)])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn vectors_and_rows(
        (rows, cols) in prop_oneof![Just((0, 1)), (1..40_usize, 1..300_usize)],
        elems in 1..20_000_usize,
        (steps, group) in (0..20_usize, 1..3_000_usize),
        (edge, down) in (prop::sample::select(&EDGES[..]), any::<bool>()),
        seed in any::<u32>(),
    ) {
        let (context, target) = alone();
        let single = map_overlap!(along).pad(9).edge(edge);
        let together = single.clone().within(Together::in_groups(group));
        let single = single.within(context).on(target);
        if rows == 0 {
            let x = || Vector::from(input(elems, seed));
            let expected = single.iterate(steps, x(), (3,)).unwrap().to_vec().unwrap();
            let found = together.iterate(steps, x(), (3,)).unwrap().to_vec().unwrap();
            prop_assert!(found == expected);
            return Ok(());
        }
        let x = || Matrix::from_vec(rows, cols, input(rows * cols, seed)).unwrap();
        let (single, together) = match down {
            true => (single.down_columns(), together.down_columns()),
            false => (single, together),
        };
        let expected = single.iterate(steps, x(), (3,)).unwrap().to_vec().unwrap();
        let found = together.iterate(steps, x(), (3,)).unwrap().to_vec().unwrap();
        prop_assert!(found == expected);
    }

    #[test]
    fn matrices(
        (rows, cols) in (1..150_usize, 1..90_usize),
        (steps, group) in (0..20_usize, 1..3_000_usize),
        edge in prop::sample::select(&EDGES[..]),
        seed in any::<u32>(),
    ) {
        let (context, target) = alone();
        let n = rows * cols;
        let x = || Matrix::from_vec(rows, cols, input(n, seed)).unwrap();
        let factors = Matrix::from_vec(rows, cols, input(n, !seed)).unwrap();
        let f = map_overlap!(around).pad(9).edge(edge);
        let found = f.clone().within(Together::in_groups(group)).iterate(steps, x(), (&factors,));
        let expected = f.within(context).on(target).iterate(steps, x(), (&factors,));
        prop_assert!(found.unwrap().to_vec().unwrap() == expected.unwrap().to_vec().unwrap());
    }

    #[test]
    fn several_tensors(
        (planes, rows, cols) in (1..40_usize, 1..20_usize, 1..30_usize),
        (steps, group) in (0..12_usize, 1..3_000_usize),
        edge in prop::sample::select(&EDGES[..]),
        seed in any::<u32>(),
    ) {
        let (context, target) = alone();
        let n = planes * rows * cols;
        let x = |seed| Tensor3::from_vec(planes, rows, cols, input(n, seed)).unwrap();
        let (table, start) = (input(16, 1), || (x(seed), x(!seed)));
        let f = map_overlap!(beside).pad(9).edge(edge);
        let found = f.clone().within(Together::in_groups(group)).iterate(steps, start(), (&table,));
        let expected = f.within(context).on(target).iterate(steps, start(), (&table,));
        let (found, expected) = (found.unwrap(), expected.unwrap());
        prop_assert!(found.0.to_vec().unwrap() == expected.0.to_vec().unwrap());
        prop_assert!(found.1.to_vec().unwrap() == expected.1.to_vec().unwrap());
    }
}

#[test]
fn steps_are_taken_together_in_pieces_of_several_threads() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build();
    let pool = pool.expect("a pool");
    let factors = Matrix::filled(300, 100, 5);
    for edge in EDGES {
        let together = Together::in_groups(500);
        let (context, target) = alone();
        let single = map_overlap!(along).pad(9).edge(edge);
        let x = || Vector::from(input(100_000, 7));
        let f = single.clone().within(&together);
        let found = pool.install(|| f.iterate(19, x(), (3,))).unwrap();
        assert_eq!(together.steps(), 8 + 8 + 3);
        let expected = single.within(context.clone()).on(&target);
        let expected = expected.iterate(19, x(), (3,)).unwrap();
        assert!(found.to_vec().unwrap() == expected.to_vec().unwrap());

        let single = map_overlap!(around).pad(9).edge(edge);
        let x = || Matrix::from_vec(300, 100, input(30_000, 7)).unwrap();
        let f = single.clone().within(&together);
        let found = pool.install(|| f.iterate(20, x(), (&factors,))).unwrap();
        assert_eq!(together.steps(), 19 + 20);
        let expected = single.within(context).on(&target);
        let expected = expected.iterate(20, x(), (&factors,)).unwrap();
        assert!(found.to_vec().unwrap() == expected.to_vec().unwrap());
    }
}

#[user_function]
fn five(w: Window2<f32, 1, 1>) -> f32 {
    0.2 * (w[(0, 0)] + w[(-1, 0)] + w[(1, 0)] + w[(0, -1)] + w[(0, 1)])
}

/// The containers are so large, and the steps so many, that both ways are measured and the faster one is taken.
#[test]
fn a_large_plate_is_what_loops_make_of_it() {
    let (rows, cols, steps) = (1_100, 1_003, 60);
    let mut expected: Vec<f32> = (0..rows * cols).map(|i| (i % 17) as f32).collect();
    let plate = Matrix::from_vec(rows, cols, expected.clone()).unwrap();
    let context = Context::builder().build().expect("a context");
    let f = map_overlap!(five).within(context).on(Cpu);
    let found = f.iterate(steps, plate, ()).unwrap();
    for _ in 0..steps {
        let x = expected.clone();
        let at = |i: usize, j: usize| x[i.min(rows - 1) * cols + j.min(cols - 1)];
        for i in 0..rows {
            for j in 0..cols {
                let (up, left) = (at(i.saturating_sub(1), j), at(i, j.saturating_sub(1)));
                let sum = at(i, j) + up + at(i + 1, j) + left + at(i, j + 1);
                expected[i * cols + j] = 0.2 * sum;
            }
        }
    }
    assert!(*found.host().unwrap() == *expected);
}

/// Falls by one in each step, down to a division by zero.
#[user_function]
fn falls(w: Window2<u32, 1, 1>) -> u32 {
    let next = w[(0, 0)] - 1;
    next + 100 / next / 1_000 + w[(-1, 0)] / 1_000
}

#[test]
fn a_trap_in_the_middle_is_that_of_single_steps() {
    let (rows, cols, bad) = (1_100, 1_000, 700_123);
    let x = || Matrix::from_fn(rows, cols, |i, j| if i * cols + j == bad { 10 } else { 50 });
    let trap = |result: skel::Result<Matrix<u32>>| match result {
        Err(Error::Trap { index, message, .. }) => (index, message),
        other => panic!("no trap, but {other:?}"),
    };
    let context = Context::builder().build().expect("a context");
    let f = map_overlap!(falls).within(context.clone()).on(Cpu);
    let found = trap(f.iterate(30, x(), ()));
    assert_eq!(found.0, Some(bad));
    // And of an executor that takes all steps together.
    let together = Together {
        traps: true,
        ..Together::in_groups(5_000)
    };
    let again = trap(map_overlap!(falls).within(&together).iterate(30, x(), ()));
    assert_eq!(again, found);
    assert_eq!(together.steps(), 8);
    // The next call works.
    let later = f.iterate(9, x(), ()).unwrap();
    assert_eq!(later.host().unwrap()[bad], 1);
}

const STEPS: usize = 3 + 16;

/// How many elements there are, how many were computed in each step, and how many before all of the step before were.
static ELEMS: AtomicUsize = AtomicUsize::new(0);
static COMPUTED: [AtomicUsize; STEPS] = [const { AtomicUsize::new(0) }; STEPS];
static EARLY: AtomicUsize = AtomicUsize::new(0);

#[user_function(unsafe(wgsl = "return step + 1u;", cuda = "return step + 1u;"), pure)]
fn counted_by_step(step: u32) -> u32 {
    let (step, relaxed) = (step as usize, Ordering::Relaxed);
    let before = step.checked_sub(1).map(|k| COMPUTED[k].load(relaxed));
    if before.is_some_and(|before| before < ELEMS.load(relaxed)) {
        EARLY.fetch_add(1, relaxed);
    }
    COMPUTED[step].fetch_add(1, relaxed);
    step as u32 + 1
}

#[user_function]
fn next_step(w: Window1<u32, 1>) -> u32 {
    counted_by_step(w[1])
}

#[test]
fn the_cpu_alone_takes_steps_together_unless_it_is_watched() {
    let context = Context::builder().build().expect("a context");
    let mut elems = 600_000;
    let mut are_together = |target: &Target, is_watched: bool| {
        // Measured anew.
        elems += 1;
        ELEMS.store(elems, Ordering::Relaxed);
        for count in COMPUTED.iter().chain([&EARLY]) {
            count.store(0, Ordering::Relaxed);
        }
        let f = map_overlap!(next_step).within(context.clone()).on(target);
        let run = || f.iterate(STEPS, Vector::filled(elems, 0), ());
        let found = match is_watched {
            true => observe(run).0,
            false => run(),
        };
        assert!(found.unwrap().host().unwrap().iter().all(|x| *x == 19));
        EARLY.load(Ordering::Relaxed) > 0
    };
    for target in [Target::Cpu, Target::Auto, Target::Sequential] {
        assert!(are_together(&target, false), "{target:?}");
        assert!(!are_together(&target, true), "{target:?}, watched");
    }
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

#[user_function(unsafe(wgsl = "return w_0;", cuda = "return w_0;"))]
fn counted(x: u32) -> u32 {
    CALLS.fetch_add(1, Ordering::Relaxed);
    x
}

#[user_function]
fn copied(w: Window1<u32, 1>) -> u32 {
    counted(w[0])
}

#[user_function]
fn drawn(w: Window1<u32, 1>, random: &mut Random) -> u32 {
    w[1] ^ random.next_u32()
}

#[test]
fn what_may_not_be_computed_again_goes_step_by_step() {
    let together = Together::in_groups(100);
    let x = || Vector::from(input(1_000, 7));
    let f = map_overlap!(copied).within(&together);
    f.iterate(5, x(), ()).unwrap();
    assert_eq!(CALLS.load(Ordering::Relaxed), 5 * 1_000);
    let (context, target) = alone();
    let drawn = map_overlap!(drawn);
    let found = drawn.clone().within(&together).iterate(5, x(), ()).unwrap();
    let expected = drawn.within(context).on(target).iterate(5, x(), ());
    assert!(found.to_vec().unwrap() == expected.unwrap().to_vec().unwrap());
    assert_eq!(together.steps(), 0);
}
