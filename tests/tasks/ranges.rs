//! Calls by chunks in graphs: results are those of calls in sequence, steps overlap, and what fails, fails alone.

use super::faults::graph_of;
use crate::every_unit;
use proptest::prelude::*;
use skel::{
    Context,
    mock::Mock,
    prelude::*,
    tasks::{TaskGraph, Units, scheduler},
};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc::channel,
    },
    time::Duration,
};

fn context(mocks: &[Mock]) -> Context {
    let builder = Context::builder();
    let add = |builder: skel::ContextBuilder, mock: &Mock| builder.unit(mock.unit().unwrap());
    mocks.iter().fold(builder, add).build().unwrap()
}

fn field(rows: usize, cols: usize, seed: u64) -> Matrix<f32> {
    let mut state = seed | 1;
    Matrix::from_fn(rows, cols, |_, _| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 40) as f32 / (1 << 20) as f32
    })
}

const PAD: f32 = 0.25;

/// A step of a Jacobi iteration, as a plain loop.
fn plain_step(x: &[f32], (rows, cols): (usize, usize), edge: Edge) -> Vec<f32> {
    let at = |i: isize, j: isize| {
        let inside = |k: isize, n: usize| (0..n as isize).contains(&k);
        let place = |k: isize, n: usize| match edge {
            Edge::Cyclic => k.rem_euclid(n as isize) as usize,
            _ => k.clamp(0, n as isize - 1) as usize,
        };
        match edge {
            Edge::Pad if !(inside(i, rows) && inside(j, cols)) => PAD,
            _ => x[place(i, rows) * cols + place(j, cols)],
        }
    };
    let mut y = Vec::with_capacity(x.len());
    for i in 0..rows as isize {
        for j in 0..cols as isize {
            let around = at(i - 2, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1);
            y.push(0.5 * at(i, j) + 0.125 * around);
        }
    }
    y
}

/// Steps by chunks on the units of a context, which must give what plain loops give.
fn check_steps(
    context: &Context,
    (rows, cols): (usize, usize),
    edge: Edge,
    (steps, chunks): (usize, Option<usize>),
    scheduler: &str,
    seed: u64,
) {
    let start = field(rows, cols, seed);
    let mut expected = start.to_vec().unwrap();
    for _ in 0..steps {
        expected = plain_step(&expected, (rows, cols), edge);
    }
    let step = map_overlap!(|t: Window2<f32, 2, 1>| {
        let around = t[(-2, 0)] + t[(1, 0)] + t[(0, -1)] + t[(0, 1)];
        0.5 * t[(0, 0)] + 0.125 * around
    });
    let step = step.pad(PAD).edge(edge).within(context.clone());
    let scheduler = scheduler::parse(scheduler).unwrap();
    let graph = TaskGraph::builder(context).scheduler(scheduler);
    let graph = graph.build().unwrap();
    let (mut x, mut y) = (
        graph.handle(start),
        graph.handle(Matrix::filled(rows, cols, 0.0)),
    );
    for _ in 0..steps {
        let step = step.clone();
        let call = graph.call("step", (x.read(), y.write()), move |(x, y)| {
            step.run_into((x,), y)
        });
        let call = match chunks {
            Some(chunks) => call.chunks(chunks),
            None => call,
        };
        call.submit().unwrap();
        std::mem::swap(&mut x, &mut y);
    }
    let found = graph.take(x).unwrap();
    assert!(*found.host().unwrap() == expected[..]);
    graph.wait().unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn steps_by_chunks_give_what_plain_loops_give(
        (rows, cols) in (1_usize..40, 1_usize..40),
        edge in 0..3,
        (steps, chunks) in (1_usize..9, proptest::option::of(1_usize..12)),
        (mocks, memory_bytes) in (0_usize..3, proptest::option::of(500_u64..8000)),
        scheduler in 0_usize..4,
        seed in any::<u64>(),
    ) {
        let edge = match edge {
            0 => Edge::Duplicate,
            1 => Edge::Cyclic,
            _ => Edge::Pad,
        };
        let named = |k| Mock::named(format!("mock {k}"));
        // A device without room for what is there has parts of it leave, or leaves chunks to others.
        let mock = |k| memory_bytes.map_or(named(k), |bytes| named(k).memory_bytes(bytes));
        let mocks: Vec<Mock> = (0..mocks).map(mock).collect();
        let scheduler = ["eager", "ws", "dmda", "laheteroprio"][scheduler];
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        pool.install(|| {
            check_steps(&context(&mocks), (rows, cols), edge, (steps, chunks), scheduler, seed);
        });
    }
}

/// Chunks of both calls are under way at once: the last of the first waits for the first of the second.
#[test]
fn a_chunk_begins_before_the_call_before_it_has_ended() {
    for threads in [2, 4] {
        let graph = graph_of(threads);
        let context = Context::builder().build().unwrap();
        let mean = map_overlap!(|x: Window1<f64, 1>| (x[-1] + x[0] + x[1]) / 3.0);
        let mean = mean.edge(Edge::Duplicate).within(context);
        let (x, y, z) = (
            graph.handle(Vector::from_fn(400, |i| i as f64)),
            graph.handle(Vector::filled(400, 0.0)),
            graph.handle(Vector::filled(400, 0.0)),
        );
        let (began, second) = channel();
        let (began, second, runs) = (Mutex::new(began), Mutex::new(second), AtomicUsize::new(0));
        let (first, behind) = (mean.clone(), mean);
        let chunks = 4;
        let one = graph.call("first", (x.read(), y.write()), move |(x, y)| {
            // Once to plan, and then chunk by chunk.
            if runs.fetch_add(1, Ordering::SeqCst) == chunks {
                let waited = second.lock().unwrap().recv_timeout(Duration::from_secs(60));
                assert_eq!(waited, Ok(()), "there is a barrier between the calls");
            }
            first.run_into((x,), y)
        });
        let one = one.chunks(chunks).submit().unwrap();
        let planned = AtomicUsize::new(0);
        let two = graph.call("second", (y.read(), z.write()), move |(y, z)| {
            if planned.fetch_add(1, Ordering::SeqCst) > 0 {
                let _received = began.lock().unwrap().send(());
            }
            behind.run_into((y,), z)
        });
        let two = two.chunks(chunks).submit().unwrap();
        assert_eq!((one.len(), two.len()), (4, 4));
        // The thread that waits works in a core's place, and may be the one that waits for the other call.
        one.wait().unwrap();
        two.wait().unwrap();
        let z = graph.take(z).unwrap();
        assert!((z.host().unwrap()[200] - 200.0).abs() < 1e-9);
    }
}

/// The recorded program has the order of the chunks: a chunk behind its neighbours, and behind no others.
#[test]
fn the_recording_has_the_order_of_chunks() {
    let context = context(&[]);
    let graph = TaskGraph::builder(&context).record().build().unwrap();
    let mean = map_overlap!(|x: Window1<f32, 1>| x[-1] + x[1]);
    let mean = mean.edge(Edge::Duplicate).within(context.clone());
    let whole = map!(|x: f32| 2.0 * x).within(context);
    let (x, y) = (
        graph.handle(Vector::filled(640, 1.0_f32)),
        graph.handle(Vector::filled(640, 1.0_f32)),
    );
    graph
        .task("whole", (x.update(),), move |(x,)| {
            *x = whole.run((&*x,))?;
            Ok(())
        })
        .submit()
        .unwrap();
    for (from, to) in [(&x, &y), (&y, &x)] {
        let mean = mean.clone();
        let call = graph.call("mean", (from.read(), to.write()), move |(x, y)| {
            mean.run_into((x,), y)
        });
        call.chunks(5).submit().unwrap();
    }
    graph
        .task("last", (x.read(),), |(x,): (&Vector<f32>,)| {
            assert_eq!(x.host()?[639], 8.0);
            Ok(())
        })
        .submit()
        .unwrap();
    graph.wait().unwrap();
    let recording = graph.recording().unwrap();
    let mut before = vec![Vec::new(); 12];
    recording.program.edges(|a, b| before[b].push(a));
    for edges in &mut before {
        edges.sort_unstable();
        edges.dedup();
    }
    for (chunk, edges) in before[1..6].iter().enumerate() {
        assert_eq!(*edges, [0], "chunk {chunk}");
    }
    for (chunk, edges) in before[6..11].iter().enumerate() {
        let neighbours = chunk.saturating_sub(1)..(chunk + 2).min(5);
        let of_neighbours: Vec<usize> = neighbours.map(|k| 1 + k).collect();
        assert_eq!(*edges, of_neighbours, "chunk {chunk}");
    }
    assert_eq!(before[11], [6, 7, 8, 9, 10]);
}

#[test]
fn every_unit_alone_and_with_cores_gives_what_plain_loops_give() {
    for (name, context, _) in every_unit::each() {
        let graph = TaskGraph::new(context).unwrap();
        let double = map!(|x: u32| 2 * x).within(context.clone());
        let (x, y) = (
            graph.handle(Vector::from_fn(5000, |i| i as u32)),
            graph.handle(Vector::filled(5000, 0_u32)),
        );
        let devices = graph.machine().workers() > rayon::current_num_threads();
        let all = [Units::Any, Units::Cores, Units::Devices];
        for units in all.into_iter().take(if devices { 3 } else { 2 }) {
            for (from, to) in [(&x, &y), (&y, &x)] {
                let double = double.clone();
                let call = graph.call("double", (from.read(), to.write()), move |(x, y)| {
                    double.run_into((x,), y)
                });
                call.chunks(7).units(units).submit().unwrap();
            }
        }
        let rounds = if devices { 64 } else { 16 };
        let x = graph.take(x).unwrap();
        let expected = (0..5000).map(|x| rounds * x);
        assert!(x.host().unwrap().iter().copied().eq(expected), "{name}");
    }
}

#[test]
fn stencils_on_every_unit_give_what_plain_loops_give() {
    for (_, context, _) in every_unit::each() {
        for edge in [Edge::Duplicate, Edge::Cyclic, Edge::Pad] {
            check_steps(context, (50, 30), edge, (6, Some(7)), "eager", 3);
        }
    }
}

#[test]
fn calls_in_a_scope_borrow_containers_and_what_their_closures_capture() {
    let context = context(&[Mock::named("mock")]);
    let graph = TaskGraph::new(&context).unwrap();
    let mean = map_overlap!(|x: Window1<f64, 1>| 0.5 * (x[-1] + x[1]));
    let mean = mean.edge(Edge::Cyclic).within(context.clone());
    let (mut x, mut y) = (
        Vector::from_fn(1000, |i| (i % 3) as f64),
        Vector::filled(1000, 0.0),
    );
    let weights = Vector::filled(1000, 2.0_f64);
    let scale = map!(|x: &mut f64, weight: f64| *x *= weight).within(context);
    let (mut expected, mut next) = (x.try_clone().unwrap(), Vector::filled(1000, 0.0));
    for _ in 0..5 {
        mean.run_into((&expected,), &mut next).unwrap();
        scale.run((&mut next, &weights)).unwrap();
        std::mem::swap(&mut expected, &mut next);
    }
    let result = graph.scope(|s| {
        let (mut x, mut y) = (s.lend_mut(&mut x), s.lend_mut(&mut y));
        let weights = s.lend(&weights);
        for _ in 0..5 {
            s.call("mean", (x.read(), y.write()), |(x, y)| {
                mean.run_into((x,), y)
            })
            .chunks(6)
            .submit()?;
            s.call("scale", (y.update(), weights.read()), |(y, w)| {
                scale.run((y, w))
            })
            .chunks(4)
            .submit()?;
            std::mem::swap(&mut x, &mut y);
        }
        Ok(())
    });
    result.unwrap();
    // After an odd number of steps.
    assert_eq!(y.to_vec().unwrap(), expected.to_vec().unwrap());
}

#[test]
fn of_no_elements_there_is_no_chunk() {
    let context = context(&[]);
    let graph = TaskGraph::new(&context).unwrap();
    let next = map!(|x: u32| x + 1).within(context);
    let (x, y) = (
        graph.handle(Vector::filled(0, 1_u32)),
        graph.handle(Vector::filled(0, 1_u32)),
    );
    let call = graph.call("next", (x.read(), y.write()), move |(x, y)| {
        next.run_into((x,), y)
    });
    let tasks = call.chunks(3).submit().unwrap();
    assert!(tasks.is_empty());
    tasks.wait().unwrap();
}

/// Calls of every kind that can be computed by chunks, each beside what the call as a whole gives.
#[test]
fn whatever_computes_its_elements_alone_is_computed_by_chunks() {
    for mocks in 0..3 {
        let mocks: Vec<Mock> = (0..mocks)
            .map(|k| Mock::named(format!("mock {k}")))
            .collect();
        let context = context(&mocks);
        let graph = TaskGraph::new(&context).unwrap();
        let x = || field(30, 20, 7);
        let blank = || Matrix::filled(30, 20, 0.0_f32);

        // A part that is transposed, a uniform value, and the index.
        let parts = map!(|at: Index2, x: f32, #[uniform] k: f32| k * x + at.row as f32)
            .within(context.clone());
        let source = Matrix::from_fn(20, 40, |i, j| (i * 40 + j) as f32);
        let mut expected = blank();
        parts
            .run_into((source.part(.., 5..35).transposed(), 3.0), &mut expected)
            .unwrap();
        let (source, y) = (graph.handle(source), graph.handle(blank()));
        let call = graph.call("parts", (source.read(), y.write()), move |(x, y)| {
            parts.run_into((x.part(.., 5..35).transposed(), 3.0), y)
        });
        call.chunks(6).submit().unwrap();
        assert_eq!(
            graph.take(y).unwrap().to_vec().unwrap(),
            expected.to_vec().unwrap()
        );

        // In place, with what is read at random.
        let table = map!(|x: &mut f32, all: &[f32]| *x += all[*x as usize % all.len()]);
        let table = table.within(context.clone());
        let all = Vector::from_fn(10, |i| i as f32);
        let mut expected = x();
        table.run((&mut expected, &all)).unwrap();
        let (all, y) = (graph.handle(all), graph.handle(x()));
        let call = graph.call("table", (y.update(), all.read()), move |(y, all)| {
            table.run((y, all))
        });
        call.chunks(4).submit().unwrap();
        assert_eq!(
            graph.take(y).unwrap().to_vec().unwrap(),
            expected.to_vec().unwrap()
        );

        // Two outputs; one input is no handle's.
        let both = map!(|x: f32, y: f32| (x + y, x - y)).within(context.clone());
        let (mut sums, mut differences) = (blank(), blank());
        let other = Arc::new(field(30, 20, 9));
        both.run_into((&x(), &*other), (&mut sums, &mut differences))
            .unwrap();
        let (a, b, c) = (
            graph.handle(x()),
            graph.handle(blank()),
            graph.handle(blank()),
        );
        let call = graph.call(
            "both",
            (a.read(), b.write(), c.write()),
            move |(a, b, c)| both.run_into((a, &*other), (b, c)),
        );
        call.chunks(5).submit().unwrap();
        assert_eq!(
            graph.take(b).unwrap().to_vec().unwrap(),
            sums.to_vec().unwrap()
        );
        assert_eq!(
            graph.take(c).unwrap().to_vec().unwrap(),
            differences.to_vec().unwrap()
        );

        // Lines, in place.
        let lines = map_lines!(|l: &mut Line<f32>| {
            for k in 1..l.len() {
                l[k] += l[k - 1];
            }
        });
        let lines = lines.within(context.clone());
        let mut expected = x();
        lines.run((&mut expected,)).unwrap();
        let y = graph.handle(x());
        let call = graph.call("lines", (y.update(),), move |(y,)| lines.run((y,)));
        call.chunks(3).submit().unwrap();
        assert_eq!(
            graph.take(y).unwrap().to_vec().unwrap(),
            expected.to_vec().unwrap()
        );
        edges_pools_and_pairs(&context, &graph);
        graph.wait().unwrap();
    }
}

/// The edges that `check_steps` leaves out, pools, and pairs: beside what the calls as a whole give.
fn edges_pools_and_pairs(context: &Context, graph: &TaskGraph) {
    for (edge, shape) in [
        (Edge::Reflect, (30, 20)),
        (Edge::Symmetric, (30, 20)),
        (Edge::None, (26, 18)),
    ] {
        let around = map_overlap!(|w: Window2<f32, 2, 1>| w[(-2, 0)] - w[(2, 1)] + w[(0, -1)]);
        let around = around.edge(edge).within(context.clone());
        let blank = || Matrix::filled(shape.0, shape.1, 0.0_f32);
        let (source, mut expected) = (field(30, 20, 3), blank());
        around.run_into((&source,), &mut expected).unwrap();
        let (x, y) = (graph.handle(source), graph.handle(blank()));
        let call = graph.call("around", (x.read(), y.write()), move |(x, y)| {
            around.run_into((x,), y)
        });
        call.chunks(4).submit().unwrap();
        let y = graph.take(y).unwrap().to_vec().unwrap();
        assert_eq!(y, expected.to_vec().unwrap(), "{edge:?}");
    }

    let pool = map_pool!(|p: Pool2<f32, 2, 2>| p[(0, 0)].max(p[(1, 1)]) - p[(0, 1)]);
    let pool = pool.within(context.clone());
    let (source, mut expected) = (field(30, 20, 5), Matrix::filled(15, 10, 0.0_f32));
    pool.run_into((&source,), &mut expected).unwrap();
    let (x, y) = (
        graph.handle(source),
        graph.handle(Matrix::filled(15, 10, 0.0_f32)),
    );
    let call = graph.call("pool", (x.read(), y.write()), move |(x, y)| {
        pool.run_into((x,), y)
    });
    let chunks = call.chunks(64).submit().unwrap();
    assert_eq!(chunks.len(), 15, "of neighbourhoods, whole rows");
    let y = graph.take(y).unwrap().to_vec().unwrap();
    assert_eq!(y, expected.to_vec().unwrap());

    let pairs = map_pairs!(|a: f32, b: f32| 2.0 * a - b).within(context.clone());
    let (a, b) = (
        Vector::from_fn(12, |i| i as f32),
        Vector::from_fn(9, |j| 1.0 / (1.0 + j as f32)),
    );
    let mut expected = Matrix::filled(12, 9, 0.0_f32);
    pairs
        .run_into((down(&a), across(&b)), &mut expected)
        .unwrap();
    let (a, b, y) = (
        graph.handle(a),
        graph.handle(b),
        graph.handle(Matrix::filled(12, 9, 0.0_f32)),
    );
    let call = graph.call(
        "pairs",
        (a.read(), b.read(), y.write()),
        move |(a, b, y)| pairs.run_into((down(a), across(b)), y),
    );
    call.chunks(5).submit().unwrap();
    let y = graph.take(y).unwrap().to_vec().unwrap();
    assert_eq!(y, expected.to_vec().unwrap());
}
