//! Every kind of call once on each target, with a mock device and without one. The results are the other tests' concern:
//! this is what Miri and the sanitizers run (`cargo xtask miri`, `asan`, `tsan`), so it is small.

use skel::{
    Context,
    mock::Mock,
    prelude::*,
    tasks::{Steps, TaskGraph},
};
use skel_calls::{Data, calls_by_chunks, graph_of_tasks, steps_over_items, tasks_that_borrow};

fn mock() -> Context {
    let device = Mock::named("device").unit().unwrap();
    Context::builder().unit(device).build().unwrap()
}

#[test]
fn calls_without_a_device() {
    let (mut data, context) = (Data::default(), Context::builder().build().unwrap());
    for target in [
        Target::from(Cpu),
        Sequential.into(),
        Hybrid::ratio(0.5).into(),
        Tasks::default().chunks(3).into(),
    ] {
        data.every_kind(&context, &target);
    }
}

#[test]
fn calls_on_a_device_and_beside_it() {
    let (mut data, context) = (Data::default(), mock());
    for target in [
        Target::from(Device(0)),
        Hybrid::ratio(0.5).into(),
        Hybrid::adaptive().into(),
        Auto.into(),
        Tasks::default().chunks(3).into(),
    ] {
        data.every_kind(&context, &target);
    }
}

#[test]
fn reductions_that_are_not_read() {
    Data::default().unread(&mock(), 20);
}

#[test]
fn graphs_of_tasks() {
    let context = mock();
    let graph = TaskGraph::new(&context).unwrap();
    graph_of_tasks(&graph, &context);
    tasks_that_borrow(&graph, &context);
}

#[test]
fn graphs_of_calls_by_chunks() {
    let context = mock();
    let graph = TaskGraph::new(&context).unwrap();
    calls_by_chunks(&graph, &context);
}

#[test]
fn steps() {
    let context = mock();
    let mut steps = Steps::parse(&context, "2x1+1", "dynamic").unwrap();
    steps_over_items(&mut steps, &context);
}
