//! Random graphs on real threads, under every scheduler: what tasks see is what they would see one after the other.

use super::range_faults::context;
use skel::{
    mock::Mock,
    tasks::{Handle, Task, TaskGraph, Units, scheduler},
};

const HANDLES: usize = 4;
const TASKS: usize = 120;

/// Numbers that look random (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

/// What tasks have seen, and what they have to see.
#[derive(Default)]
struct Seen {
    numbers: Vec<(Task<u64>, u64)>,
    texts: Vec<(Task<Vec<u64>>, Vec<u64>)>,
}

/// Submits random tasks, and does the same with `now` at once; what each contributes is in `given`.
fn submit(
    graph: &TaskGraph,
    dice: &mut Dice,
    (x, sum): (&[Handle<u64>], &skel::tasks::Reduction<Vec<u64>>),
    (now, given): (&mut [u64; HANDLES], &mut Vec<u64>),
) -> Seen {
    let mut seen = Seen::default();
    for k in 0..TASKS as u64 {
        let (a, b) = (dice.roll(4) as usize, dice.roll(4) as usize);
        let (priority, units) = (
            dice.roll(5) as i32,
            [Units::Any, Units::Cores][dice.roll(2) as usize],
        );
        let other = (a + 1 + b % (HANDLES - 1)) % HANDLES;
        macro_rules! task {
            ($name:literal, $accesses:expr, $work:expr) => {
                (graph
                    .task($name, $accesses, $work)
                    .priority(priority)
                    .units(units))
                .submit()
                .unwrap()
            };
        }
        match dice.roll(8) {
            0 => {
                task!("write", (x[a].write(),), move |(a,)| Ok(*a = k));
                now[a] = k;
            }
            1 | 2 => {
                let work = move |(a, b): (&mut u64, &u64)| {
                    *a = a.wrapping_mul(31).wrapping_add(*b);
                    Ok(*a)
                };
                let task = task!("update", (x[a].update(), x[other].read()), work);
                now[a] = now[a].wrapping_mul(31).wrapping_add(now[other]);
                seen.numbers.push((task, now[a]));
            }
            3 | 4 => {
                // Two of them commute, in whichever order they come.
                let work = move |(a, b): (&mut u64, &mut u64)| {
                    *a = a.wrapping_add(k);
                    *b = b.wrapping_add(3 * k);
                    Ok(())
                };
                task!("commute", (x[a].commute(), x[other].commute()), work);
                now[a] = now[a].wrapping_add(k);
                now[other] = now[other].wrapping_add(3 * k);
            }
            5 => {
                let work = move |(said,): (&mut Option<Vec<u64>>,)| Ok(*said = Some(vec![k]));
                task!("contribute", (sum.contribute(),), work);
                given.push(k);
            }
            6 => {
                let task = task!("sum", (sum.read(),), |(all,): (&Vec<u64>,)| Ok(all.clone()));
                seen.texts.push((task, given.clone()));
            }
            _ => {
                let work = |(a, b): (&u64, &u64)| Ok(a ^ b.rotate_left(7));
                let task = task!("read", (x[a].read(), x[other].read()), work);
                seen.numbers
                    .push((task, now[a] ^ now[other].rotate_left(7)));
            }
        }
    }
    seen
}

#[test]
fn random_graphs_are_as_one_task_after_the_other_under_every_scheduler() {
    let context = context(&[Mock::named("device")]);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
    let pool = pool.unwrap();
    for name in scheduler::names() {
        for seed in 1..4 {
            let mut dice = Dice(seed);
            let builder = TaskGraph::builder(&context);
            let builder = builder.scheduler(scheduler::parse(name).unwrap());
            let graph = pool.install(|| builder.build()).unwrap();
            let x: Vec<_> = (0..HANDLES).map(|k| graph.handle(k as u64)).collect();
            let sum = graph.reduction(Vec::new(), |mut a: Vec<u64>, b| {
                a.extend(b);
                a
            });
            let mut now = std::array::from_fn(|k| k as u64);
            let mut given = Vec::new();
            for round in 0..2 {
                let what = format!("{name} {seed} {round}");
                let mut all = || submit(&graph, &mut dice, (&x, &sum), (&mut now, &mut given));
                // Some schedulers plan what they know of.
                let seen = if round == 0 { all() } else { graph.batch(all) };
                for (task, expected) in seen.numbers {
                    assert_eq!(task.wait().unwrap(), expected, "{what}");
                }
                for (task, expected) in seen.texts {
                    assert_eq!(task.wait().unwrap(), expected, "{what}");
                }
                graph.wait().unwrap();
            }
            for (x, now) in x.into_iter().zip(now) {
                assert_eq!(graph.take(x).unwrap(), now, "{name} {seed}");
            }
        }
    }
}
