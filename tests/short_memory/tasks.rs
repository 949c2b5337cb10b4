//! Calls of a graph's tasks and of a step's items.

use super::with_each_failing;
use skel::{
    Context, Result,
    mock::Mock,
    prelude::*,
    tasks::{Steps, TaskGraph},
};

/// Elements: 4 bytes each, so well above what counts as large.
const N: usize = 20_000;

#[user_function]
fn step(x: &mut u32) {
    *x = 3 * *x + 1;
}

fn with_device() -> Context {
    let device = Mock::named("device").unit().expect("a mock");
    Context::builder().unit(device).build().expect("a context")
}

/// What `steps` of them make of element `i`.
fn stepped(i: usize, steps: usize) -> u32 {
    (0..steps).fold(i as u32, |x, _| 3 * x + 1)
}

#[track_caller]
fn assert_stepped(x: &Vector<u32>, steps: usize) -> Result<()> {
    let host = x.host()?;
    let differs = (0..N).find(|i| host[*i] != stepped(*i, steps));
    assert_eq!(differs, None, "an element is wrong");
    Ok(())
}

#[test]
fn graphs_of_tasks() {
    let _alone = super::alone();
    let context = with_device();
    with_each_failing("a graph of tasks", &context, &|| {
        let graph = TaskGraph::new(&context)?;
        let x = graph.handle(Vector::try_from_fn(N, |i| i as u32)?);
        let sums = graph.reduction(0_u32, |a, b| a.wrapping_add(b));
        let mut ends = Vec::new();
        for _ in 0..2 {
            let step = map!(step).within(context.clone());
            let task = graph.task("step", (x.update(),), move |(x,)| step.run((x,)));
            ends.push(task.submit()?);
            let sum = reduce!(|a: u32, b: u32| a.wrapping_add(b)).within(context.clone());
            let access = (x.read(), sums.contribute());
            let task = graph.task("sum", access, move |(x, part): (&Vector<u32>, _)| {
                *part = Some(sum.run((x,))?);
                Ok(())
            });
            ends.push(task.submit()?);
        }
        let sum = graph.task("read", (sums.read(),), |(sum,): (&u32,)| Ok(*sum));
        let sum = sum.submit()?;
        // The first that failed says why; those behind it, that they were cancelled.
        ends.into_iter().try_for_each(|end| end.wait())?;
        let found = sum.wait()?;
        let all = |steps| (0..N).fold(0, |sum: u32, i| sum.wrapping_add(stepped(i, steps)));
        assert_eq!(found, all(1).wrapping_add(all(2)));
        assert_stepped(&graph.take(x)?, 2)
    });
}

#[test]
fn steps_over_items() {
    let _alone = super::alone();
    let context = with_device();
    for units in ["2x1", "1x1+1", "0x1+1"] {
        with_each_failing(&format!("steps of {units}"), &context, &|| {
            let mut steps = Steps::parse(&context, units, "dynamic")?;
            let step = map!(step).within(context.clone());
            let mut items = Vec::new();
            for _ in 0..4 {
                items.push(Vector::try_from_fn(N, |i| i as u32)?);
            }
            for _ in 0..2 {
                steps.run(&mut items, |item, _| step.run((item,)))?;
            }
            items.iter().try_for_each(|item| assert_stepped(item, 2))
        });
    }
}
