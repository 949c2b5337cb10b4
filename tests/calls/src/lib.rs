//! One call of every kind, on few elements: what the soak test repeats, and what Miri and the sanitizers run.
//!
//! Without the back ends, which Miri cannot call.

use skel::{
    Context, Error,
    prelude::*,
    tasks::{Steps, TaskGraph},
};

/// A user function of two arguments, and an operator.
#[user_function]
#[must_use]
pub fn add(a: u32, b: u32) -> u32 {
    a.wrapping_add(b)
}

/// Changes its argument in place.
#[user_function]
pub fn bump(x: &mut u32) {
    *x = (*x).wrapping_add(1);
}

#[user_function]
fn quotient(a: u32, b: u32) -> u32 {
    a / b
}

#[user_function]
fn first(xs: &[u32]) -> u32 {
    xs[0]
}

#[user_function]
fn running(x: &mut Line<u32>) {
    for i in 1..x.len() {
        x[i] = x[i].wrapping_add(x[i - 1]);
    }
}

/// How many calls [`Data::every_kind`] makes.
pub const KINDS: usize = 29;

/// What is computed with.
pub struct Data {
    /// An input.
    pub x: Vector<u32>,
    m: Matrix<u32>,
    t: Tensor3<u32>,
    /// What calls write, and change in place.
    pub out: Vector<u32>,
    sum: Scalar<u32>,
}

impl Default for Data {
    fn default() -> Data {
        Data {
            x: Vector::from([1; 6]),
            m: Matrix::from_vec(2, 3, vec![1; 6]).unwrap(),
            t: Tensor3::filled(2, 3, 2, 1),
            out: Vector::from([0; 6]),
            sum: Scalar::from(0),
        }
    }
}

impl Data {
    /// One call of each kind.
    ///
    /// # Panics
    ///
    /// Where a call fails that has to succeed, a trap is not told, or a result is wrong.
    pub fn every_kind(&mut self, context: &Context, target: &Target) {
        let Data { x, m, out, sum, .. } = self;
        let within = || context.clone();
        let y = map!(add)
            .within(within())
            .on(target)
            .run((&*x, &*x))
            .unwrap();
        map!(add)
            .within(within())
            .on(target)
            .run_into((&*x, &y), &mut *out)
            .unwrap();
        map!(bump)
            .within(within())
            .on(target)
            .run((&mut *out,))
            .unwrap();
        let q = map!(quotient).within(within()).on(target);
        let part = q.run((out.part(0..3), x.part(2..5))).unwrap();
        let numbers = map!(|at: Index1| at.i as u32).within(within()).on(target);
        let made: Vector<u32> = numbers.run_shaped(5, ()).unwrap();
        drop(made);
        let near = map_overlap!(|w: Window1<u32, 1>| w[-1].wrapping_add(w[1]));
        drop(near.within(within()).on(target).run((&*x,)).unwrap());
        let near = map_overlap!(|w: Window2<u32, 1, 1>| w[(0, 1)].wrapping_add(w[(1, 0)]));
        drop(near.within(within()).on(target).run((&*m,)).unwrap());
        let near = map_overlap_reduce!(|w: Window2<u32, 1, 1>| w[(0, 1)] ^ w[(1, 0)], add);
        near.within(within()).on(target).run((&*m,)).unwrap();
        let pool = map_pool!(|p: Pool1<u32, 2>| p[0].wrapping_add(p[1]));
        drop(pool.within(within()).on(target).run((&*x,)).unwrap());
        drop(
            map_pairs!(add)
                .within(within())
                .on(target)
                .run((down(&*x), across(&*x)))
                .unwrap(),
        );
        let pairs = map_pairs_reduce!(add, add).within(within()).on(target);
        drop(pairs.run((down(&*x), across(&*x))).unwrap());
        assert_eq!(
            reduce!(add)
                .within(within())
                .on(target)
                .run((&*x,))
                .unwrap(),
            6
        );
        reduce!(add)
            .within(within())
            .on(target)
            .run_into((&y,), &mut *sum)
            .unwrap();
        drop(
            reduce!(add)
                .within(within())
                .on(target)
                .rows()
                .run((&*m,))
                .unwrap(),
        );
        drop(
            reduce!(add)
                .within(within())
                .on(target)
                .cols()
                .run((&*m,))
                .unwrap(),
        );
        map_reduce!(add, add)
            .within(within())
            .on(target)
            .run_into((&y, &*x), sum)
            .unwrap();
        let sums = scan!(add).within(within()).on(target).run((&*x,)).unwrap();
        assert_eq!(sums.host().unwrap()[5], 6);
        drop(
            scan!(add)
                .within(within())
                .on(target)
                .rows()
                .run((&*m,))
                .unwrap(),
        );
        assert_eq!(
            call!(first)
                .within(within())
                .on(target)
                .run((&*x,))
                .unwrap(),
            1
        );
        let uniform = map!(|x: u32, #[uniform] k: u32| x.wrapping_add(k));
        drop(
            uniform
                .within(within())
                .on(target)
                .run((&part, &*sum))
                .unwrap(),
        );
        self.less_usual_kinds(context, target);
        let x = &self.x;
        let trap = map!(quotient).within(within()).on(target);
        // Somewhere it shows: when the call is made, or when its result is read.
        let trapped = trap.run((x, &Vector::from([1, 1, 0, 1, 1, 1])));
        assert!(trapped.is_err() || trapped.is_ok_and(|y| y.host().is_err()));
    }

    fn less_usual_kinds(&mut self, context: &Context, target: &Target) {
        let Data { x, m, t, out, .. } = self;
        let within = || context.clone();
        let random = map!(|x: u32, random: &mut Random| x ^ random.next_u32());
        drop(random.within(within()).on(target).run((&*x,)).unwrap());
        let near = map_overlap!(|w: Window3<u32, 1, 1, 1>| {
            w[(-1, 0, 0)].wrapping_add(w[(0, 1, 0)] ^ w[(0, 0, 1)])
        });
        drop(near.within(within()).on(target).run((&*t,)).unwrap());
        let near = map_overlap!(|w: Window1<u32, 1>| w[-1].wrapping_add(w[1]));
        let near = near.within(within()).on(target);
        drop(near.iterate(2, Vector::from([1; 6]), ()).unwrap());
        let lines = map_lines!(running).within(within()).on(target);
        lines.clone().run((&mut *out,)).unwrap();
        lines.along(0).run((&mut *m,)).unwrap();
        let sums = scan!(add).within(within()).on(target);
        drop(sums.clone().cols().run((&*m,)).unwrap());
        let begins = Vector::from([false, true, false, false, true, false]);
        let of_segments = sums.run_segmented((&*x, &begins)).unwrap();
        assert_eq!(of_segments.host().unwrap()[..], [1, 1, 2, 3, 1, 2]);
        sums.run_in_place(&mut *out).unwrap();
        let across = reduce!(add).rows().then(reduce!(add));
        let _sum = across.within(within()).on(target).run((&*m,)).unwrap();
    }

    /// As many reductions, none of which is read.
    ///
    /// # Panics
    ///
    /// Where one fails, or the last is wrong.
    pub fn unread(&mut self, context: &Context, calls: usize) {
        let numbers = map!(|at: Index1| at.i as u32)
            .within(context.clone())
            .on(Device(0));
        let there: Vector<u32> = numbers.run_shaped(8, ()).unwrap();
        let sum = reduce!(add).within(context.clone()).on(Device(0));
        for _ in 0..calls {
            sum.run_into((&there,), &mut self.sum).unwrap();
        }
        assert_eq!(self.sum.get().unwrap(), 28);
    }
}

/// Data that come into a graph, tasks of each access, one that fails and one that is cancelled for it.
///
/// # Panics
///
/// Where any of that is otherwise.
pub fn graph_of_tasks(graph: &TaskGraph, context: &Context) {
    let x = graph.handle(Vector::from([1_u32; 6]));
    let sums = graph.reduction(0_u32, |a, b| a + b);
    let bump = map!(bump).within(context.clone());
    let task = graph.task("bump", (x.update(),), move |(x,)| bump.run((x,)));
    task.submit().unwrap();
    for _ in 0..2 {
        let sum = reduce!(add).within(context.clone());
        let access = (x.read(), sums.contribute());
        let task = graph.task("sum", access, move |(x, part): (&Vector<u32>, _)| {
            *part = Some(sum.run((x,))?);
            Ok(())
        });
        task.submit().unwrap();
    }
    let read = graph.task("read", (sums.read(),), |(sum,): (&u32,)| Ok(*sum));
    assert_eq!(read.submit().unwrap().wait().unwrap(), 24);
    let y = graph.handle(0_u32);
    let fails = graph.task("fail", (y.update(),), |(y,)| {
        *y = 1;
        Err::<(), _>(Error::EmptyReduce {
            instance: "of nothing".into(),
        })
    });
    let fails = fails.submit().unwrap();
    let cancelled = graph.task("cancelled", (y.read(),), |(y,): (&u32,)| Ok(*y));
    let cancelled = cancelled.submit().unwrap();
    assert!(fails.wait().is_err() && cancelled.wait().is_err());
    assert_eq!(graph.take(x).unwrap().host().unwrap()[..], [2; 6]);
}

/// Closures that borrow: one changes what the next ones read, in ranges, beside calls.
///
/// # Panics
///
/// Where one fails, or what they leave is wrong.
pub fn tasks_that_borrow(graph: &TaskGraph, context: &Context) {
    let (mut numbers, mut y) = ([0_u32; 12], Vector::from([0_u32; 6]));
    let x = Vector::from([1_u32; 6]);
    let double = map!(add).within(context.clone());
    let sum = graph.scope(|s| {
        let parts = numbers.chunks_mut(4).enumerate();
        for (k, part) in parts {
            let fill = move |()| {
                part.fill(k as u32);
                Ok(())
            };
            s.task("fill", (), fill).submit()?;
        }
        let (x, y) = (s.lend(&x), s.lend_mut(&mut y));
        let first = |(x, y): (&Vector<u32>, &mut Vector<u32>)| double.run_into((x, x), y);
        s.task("double", (x.read(), y.write()), first).submit()?;
        let last = |(y,): (&Vector<u32>,)| Ok(y.host()?.iter().sum::<u32>());
        s.task("sum", (y.read(),), last).submit()?.wait()
    });
    assert_eq!(sum.unwrap(), 12);
    assert_eq!(numbers, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);

    // Ranges of one slice, which overlap where both are read: two steps of a stencil without a barrier.
    let (mut from, mut to) = ([1_u32; 12], [0_u32; 12]);
    let steps = graph.scope(|s| {
        let (mut from, mut to) = (s.lend_slice(&mut from, 4)?, s.lend_slice(&mut to, 4)?);
        for _ in 0..2 {
            for k in (0..12_usize).step_by(4) {
                let around = k.saturating_sub(1)..(k + 5).min(12);
                let skipped = k - around.start;
                let task = move |(from, to): (&[u32], &mut [u32])| {
                    for (i, to) in to.iter_mut().enumerate() {
                        let at = skipped + i;
                        let before = at.checked_sub(1).map_or(0, |at| from[at]);
                        *to = before + from[at] + from.get(at + 1).copied().unwrap_or(0);
                    }
                    Ok(())
                };
                let accesses = (from.read(around), to.update(k..k + 4));
                s.task("around", accesses, task).submit()?;
            }
            std::mem::swap(&mut from, &mut to);
        }
        Ok(())
    });
    steps.unwrap();
    assert_eq!(from, [5, 8, 9, 9, 9, 9, 9, 9, 9, 9, 8, 5]);
}

/// Calls by chunks: two steps between containers whose chunks overlap without a barrier, changes in place, and one chunk
/// that fails.
///
/// # Panics
///
/// Where results are others than those of plain loops.
pub fn calls_by_chunks(graph: &TaskGraph, context: &Context) {
    let near = map_overlap!(|w: Window1<u32, 1>| w[-1].wrapping_add(w[1]));
    let near = near.within(context.clone());
    let bump = map!(bump).within(context.clone());
    let start: [u32; 12] = std::array::from_fn(|k| k as u32 * k as u32);
    let (mut from, mut to) = (
        graph.handle(Vector::from(start)),
        graph.handle(Vector::from([0; 12])),
    );
    for _ in 0..2 {
        let (near, bump) = (near.clone(), bump.clone());
        let step = graph.call("near", (from.read(), to.write()), move |(from, to)| {
            near.run_into((from,), to)
        });
        step.chunks(3).submit().unwrap();
        let bump = graph.call("bump", (to.update(),), move |(x,)| bump.run((x,)));
        bump.chunks(2).submit().unwrap();
        std::mem::swap(&mut from, &mut to);
    }
    let mut expected = start;
    for _ in 0..2 {
        let x = expected;
        expected = std::array::from_fn(|k| x[k.saturating_sub(1)] + x[(k + 1).min(11)] + 1);
    }
    let quotients = map!(quotient).within(context.clone());
    let divisors = graph.handle(Vector::from([1, 1, 1, 0, 1, 1]));
    let results = graph.handle(Vector::from([0; 6]));
    let accesses = (divisors.read(), results.write());
    let divide = graph.call("divide", accesses, move |(x, y)| {
        quotients.run_into((x, x), y)
    });
    assert!(divide.chunks(3).submit().unwrap().wait().is_err());
    assert_eq!(graph.take(from).unwrap().host().unwrap()[..], expected);
}

/// A step that is done, and one of whose items fails.
///
/// # Panics
///
/// Where that is not what happens.
pub fn steps_over_items(steps: &mut Steps, context: &Context) {
    let bump = map!(bump).within(context.clone());
    let mut items: Vec<Vector<u32>> = (0..5).map(|k| Vector::from([k; 6])).collect();
    steps.run(&mut items, |x, _| bump.run((x,))).unwrap();
    assert_eq!(items[4].host().unwrap()[..], [5; 6]);
    let empty = |instance: &str| Error::EmptyReduce {
        instance: instance.into(),
    };
    let failed = steps.run(&mut [0, 1, 2], |x, _| match *x {
        1 => Err(empty("of nothing")),
        _ => Ok(()),
    });
    assert!(failed.is_err());
}
