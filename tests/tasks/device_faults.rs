//! Devices that hang, or are out of memory, in graphs: what they do not do is done by their threads, and nothing waits for
//! ever.

use skel::{
    Context, Error, Watchdog,
    mock::{Gate, Mock, Operation},
    prelude::*,
    tasks::{TaskGraph, Units, scheduler},
};
use std::time::Duration;

fn context(mock: &Mock) -> Context {
    let watchdog = Watchdog::After(Duration::from_millis(100));
    let builder = Context::builder().unit(mock.unit().unwrap());
    builder.watchdog(watchdog).build().unwrap()
}

/// Doubles vectors of 1,000 elements on a device, each by a chain of tasks between which they stay there. How many chains
/// have lost theirs with the device.
fn chains(graph: &TaskGraph, context: &Context, what: &str) -> usize {
    let handles: Vec<_> = (0..5_u32)
        .map(|k| graph.handle(Vector::from_fn(1000, move |i| k + i as u32)))
        .collect();
    for _ in 0..3 {
        for x in &handles {
            let double = map!(|x: &mut u32| *x *= 2).within(context.clone());
            let task = graph.task("double", (x.update(),), move |(x,)| double.run((x,)));
            task.units(Units::Devices).submit().unwrap();
        }
    }
    let mut lost = 0;
    for (k, x) in handles.into_iter().enumerate() {
        match graph.take(x).and_then(|x| x.to_vec()) {
            Ok(found) => {
                let expected = (0..1000).map(|i| 8 * (k as u32 + i));
                assert!(found.into_iter().eq(expected), "{what}: {k}");
            }
            // The cause is the error of the task that has found it, or the data's own.
            Err(Error::Task(_)) => lost += 1,
            Err(error) => {
                let cause = error.root_cause();
                assert!(matches!(cause, Error::DeviceLost { .. }), "{what}: {error}");
                lost += 1;
            }
        }
    }
    assert_eq!(graph.pending(), 0, "{what}");
    lost
}

#[test]
fn a_device_that_hangs_leaves_the_tasks_of_a_graph_to_its_thread() {
    let (never, mut kept) = (Gate::new(), 0);
    for n in [1, 2, 4, 7] {
        let waits = |operation| Mock::named("hangs").waits(operation, n, &never);
        let mocks = [
            waits(Operation::Upload),
            waits(Operation::Launch),
            waits(Operation::Download),
            Mock::named("hangs").ends_behind(n, &never),
        ];
        for (k, mock) in mocks.iter().enumerate() {
            let what = format!("{n} {k}");
            let context = context(mock);
            let graph = TaskGraph::new(&context).unwrap();
            let lost = chains(&graph, &context, &what);
            if (n, k) == (1, 0) {
                assert_eq!(lost, 0, "nothing was ever only on the device");
            }
            kept += 5 - lost;
            if let Err(error) = graph.wait() {
                assert!(lost > 0, "{what}: {error}");
                let cause = error.root_cause();
                assert!(matches!(cause, Error::DeviceLost { .. }), "{what}: {error}");
            }
            // From then on, nothing is given to it. That many downloads there may not have been.
            if context.devices()[0].rejected.is_some() {
                assert_eq!(chains(&graph, &context, &what), 0, "{what}");
                assert!(graph.wait().is_ok(), "{what}");
            }
        }
    }
    // Of sixteen devices, each with five chains.
    assert!(kept > 40, "{kept}");
    never.open();
}

#[test]
fn a_device_that_is_out_of_memory_goes_on_with_what_it_has_room_for() {
    let named = || Mock::named("small");
    let mut mocks = vec![
        // No room for one of the vectors; for one; for two of five.
        named().memory_bytes(1000),
        named().memory_bytes(4000),
        named().memory_bytes(9000),
        named().largest_array_bytes(2000),
    ];
    for n in [1, 2, 4] {
        let operations = [Operation::Allocate, Operation::Upload, Operation::Launch];
        mocks.extend(operations.map(|operation| named().runs_short(operation, n)));
    }
    for (k, mock) in mocks.iter().enumerate() {
        let context = context(mock);
        let graph = TaskGraph::new(&context).unwrap();
        let what = k.to_string();
        assert_eq!(chains(&graph, &context, &what), 0, "{what}");
        graph.wait().unwrap();
        assert_eq!(context.devices()[0].rejected, None, "{what}");
    }
}

/// Its threads would compute on the host, one call after the other, while a scheduler takes them for a device.
#[test]
fn a_device_that_is_lost_leaves_tasks_of_any_unit_to_the_cores() {
    let context = context(&Mock::named("gone").vanishes(Operation::Launch, 1));
    let device = scheduler::parse("device").unwrap();
    let graph = TaskGraph::builder(&context).scheduler(device);
    let graph = graph.build().unwrap();
    let x = graph.handle(Vector::from_fn(1000, |i| i as u32));
    let double = map!(|x: u32| 2 * x).within(context.clone());
    for _ in 0..100 {
        let double = double.clone();
        let work = move |(x,): (&Vector<u32>,)| Ok(double.run((x,))?.host()?[999]);
        graph.task("double", (x.read(),), work).submit().unwrap();
    }
    if let Err(error) = graph.wait() {
        let cause = error.root_cause();
        assert!(matches!(cause, Error::DeviceLost { .. }), "{error}");
    }
    let (device, cores) = {
        let mut ran = graph.tasks_by_worker();
        (ran.pop().unwrap(), ran.into_iter().sum::<u64>())
    };
    // Each of its threads had a task when it was lost.
    assert!(device <= 2, "{device}");
    assert_eq!(device + cores, 100);
}
