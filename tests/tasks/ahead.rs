//! Devices are given the next task while they are at work on one: by graphs, calls, and steps.

use skel::{
    Context, Error, Watchdog,
    mock::{Gate, Mock, Operation},
    prelude::*,
    tasks::{Steps, TaskGraph, Units},
};
use std::{
    sync::{
        Mutex,
        mpsc::{Receiver, RecvTimeoutError, channel},
    },
    time::Duration,
};

/// A device that ends its first launch behind the gate, and says when it was given a launch.
fn slow(gate: &Gate) -> (Mock, Receiver<()>) {
    let (told, launches) = channel();
    let told = Mutex::new(told);
    let mock = Mock::named("slow").ends_behind(1, gate);
    let mock = mock.before_each(move |operation| {
        if operation == Operation::Launch {
            let _receiver_gone = told.lock().unwrap().send(());
        }
    });
    (mock, launches)
}

fn context(mock: &Mock) -> Context {
    let builder = Context::builder().unit(mock.unit().unwrap());
    builder.build().unwrap()
}

/// Waits for two launches, of which the first has not ended, and lets it end.
fn two_at_once(gate: &Gate, launches: Receiver<()>) {
    let minute = Duration::from_secs(60);
    let both = [(); 2].map(|()| launches.recv_timeout(minute));
    gate.open();
    assert_eq!(both, [Ok(()); 2]);
}

#[test]
fn a_graph_gives_a_device_the_next_task_before_the_first_has_ended() {
    let gate = Gate::new();
    let (mock, launches) = slow(&gate);
    let context = context(&mock);
    let double = map!(|x: u32| 2 * x).within(context.clone());
    let graph = TaskGraph::builder(&context).record().build().unwrap();
    let handles: Vec<_> = (0..4_u32)
        .map(|k| graph.handle(Vector::from_fn(1000, move |i| k + i as u32)))
        .collect();
    for x in &handles {
        let double = double.clone();
        let work = move |(x,): (&mut Vector<u32>,)| {
            *x = double.run((&*x,))?;
            Ok(())
        };
        let task = graph.task("double", (x.update(),), work);
        task.units(Units::Devices).submit().unwrap();
    }
    two_at_once(&gate, launches);
    graph.wait().unwrap();
    // The worker's times do not overlap.
    let recording = graph.recording().unwrap();
    let mut busy: Vec<_> = (recording.report.executions.iter())
        .map(|run| (run.start_ns, run.end_ns))
        .collect();
    busy.sort_unstable();
    assert!(busy.windows(2).all(|two| two[0].1 <= two[1].0), "{busy:?}");
    for (k, x) in handles.into_iter().enumerate() {
        let x = graph.take(x).unwrap();
        let expected = |(i, x): (usize, &u32)| *x == 2 * (k + i) as u32;
        assert!(x.host().unwrap().iter().enumerate().all(expected));
    }
}

#[test]
fn a_call_gives_a_device_the_next_chunk_before_the_first_has_ended() {
    let gate = Gate::new();
    let (mock, launches) = slow(&gate);
    // Under a scheduler that gives cores nothing.
    let target: Target = "tasks:device,chunks=4".parse().unwrap();
    let double = map!(|x: u32| 2 * x).within(context(&mock)).on(target);
    let x = Vector::from_fn(1 << 16, |i| i as u32);
    std::thread::scope(|scope| {
        let opens = scope.spawn({
            let gate = &gate;
            move || two_at_once(gate, launches)
        });
        let y = double.run((&x,)).unwrap();
        opens.join().unwrap();
        let expected = |(i, y): (usize, &u32)| *y == 2 * i as u32;
        assert!(y.host().unwrap().iter().enumerate().all(expected));
    });
}

#[test]
fn steps_give_a_device_the_next_item_before_the_first_has_ended() {
    let gate = Gate::new();
    let (mock, launches) = slow(&gate);
    let context = context(&mock);
    let double = map!(|x: u32| 2 * x).within(context.clone());
    let mut steps = Steps::parse(&context, "0x1+1", "static").unwrap();
    let mut items: Vec<Vector<u32>> = (1..5)
        .map(|n| Vector::from_fn(100 * n, |i| i as u32))
        .collect();
    std::thread::scope(|scope| {
        let opens = scope.spawn({
            let gate = &gate;
            move || two_at_once(gate, launches)
        });
        let report = steps.run(&mut items, |item, _| {
            *item = double.run((&*item,))?;
            Ok(())
        });
        opens.join().unwrap();
        let mut busy: Vec<_> = report
            .unwrap()
            .runs
            .iter()
            .map(|run| (run.begin_ns, run.took_ns))
            .collect();
        busy.sort_unstable();
        assert!(
            busy.windows(2).all(|two| two[0].0 + two[0].1 <= two[1].0),
            "{busy:?}"
        );
    });
    for item in &items {
        assert!(
            item.host()
                .unwrap()
                .iter()
                .enumerate()
                .all(|(i, x)| *x == 2 * i as u32)
        );
    }
}

#[test]
fn one_at_a_time_is_one_at_a_time() {
    let gate = Gate::new();
    let (mock, launches) = slow(&gate);
    let context = context(&mock);
    let double = map!(|x: u32| 2 * x).within(context.clone());
    let mut steps = Steps::parse(&context, "0x1+1", "static")
        .unwrap()
        .ahead(1)
        .unwrap();
    let mut items: Vec<Vector<u32>> = (0..3).map(|_| Vector::from([1_u32; 100])).collect();
    std::thread::scope(|scope| {
        let gate = &gate;
        let waits = scope.spawn(move || {
            launches.recv().unwrap();
            let second = launches.recv_timeout(Duration::from_millis(100));
            gate.open();
            assert_eq!(second, Err(RecvTimeoutError::Timeout));
        });
        steps
            .run(&mut items, |item, _| {
                double.run((&*item,)).map(|y| *item = y)
            })
            .unwrap();
        waits.join().unwrap();
    });
    let error = |ahead| {
        Steps::parse(&context, "0x1+1", "static")
            .unwrap()
            .ahead(ahead)
            .unwrap_err()
    };
    assert!(error(0).to_string().contains("from 1 to 8"));
    assert!(matches!(error(9), Error::BadOption(_)));
    assert!("tasks:eager,ahead=0".parse::<Target>().is_err());
    let graph = TaskGraph::builder(&context).ahead(0).build();
    assert!(matches!(graph.map(drop), Err(Error::BadOption(_))));
}

/// What a device finds out is an error of the item that did it, not of the one beside it.
#[test]
fn a_trap_is_an_error_of_its_own_task() {
    let gate = Gate::new();
    gate.open();
    let (mock, _launches) = slow(&gate);
    let context = context(&mock);
    let divide = map!(|x: u32| 60 / x).within(context.clone());
    let mut steps = Steps::parse(&context, "0x1+1", "static").unwrap();
    for _ in 0..20 {
        let item = |k: u32| Vector::from_fn(100, move |i| if (k, i) == (3, 7) { 0 } else { k + 1 });
        let mut items: Vec<Vector<u32>> = (0..8).map(item).collect();
        let done = steps.run(&mut items, |item, _| {
            divide.run((&*item,)).map(|y| *item = y)
        });
        match done.map(drop) {
            Err(Error::Item {
                item: 3,
                others: 0,
                cause,
                ..
            }) => {
                assert!(
                    matches!(*cause, Error::Trap { index: Some(7), .. }),
                    "{cause}"
                );
            }
            other => panic!("{other:?}"),
        }
        for (k, item) in items.iter().enumerate().filter(|(k, _)| *k != 3) {
            assert_eq!(item.host().unwrap()[99], 60 / (k as u32 + 1));
        }
    }
}

/// Two are under way when the device vanishes, or hangs: the host computes both, or they are reported.
#[test]
fn a_device_that_is_lost_with_two_tasks_loses_neither() {
    let never = Gate::new();
    let vanishes = |launch| {
        let mock = Mock::named("vanishes").ends_behind(9, &never);
        mock.vanishes(Operation::Launch, launch)
    };
    let hangs = |launch| Mock::named("hangs").ends_behind(launch, &never);
    for mock in [vanishes(1), vanishes(2), vanishes(3), hangs(1), hangs(2)] {
        let builder = Context::builder().unit(mock.unit().unwrap());
        let watchdog = Watchdog::After(Duration::from_millis(100));
        let context = builder.watchdog(watchdog).build().unwrap();
        let double = map!(|x: u32| 2 * x).within(context.clone());
        let steps = Steps::parse(&context, "1x1+1", "static").unwrap();
        let mut steps = steps.repeatable();
        let mut items: Vec<(usize, Vec<u32>)> = (1..9).map(|n| (100 * n, Vec::new())).collect();
        let report = steps.run(&mut items, |(n, y), _| {
            let x = Vector::from_fn(*n, |i| i as u32);
            *y = double.run((&x,))?.host()?.to_vec();
            Ok(())
        });
        assert_eq!(report.unwrap().lost, [1]);
        for (n, y) in &items {
            assert_eq!(y.len(), *n);
            assert!(y.iter().enumerate().all(|(i, y)| *y == 2 * i as u32));
        }
    }
    never.open();
}

/// The first of two is over when it is done, not when both are.
#[test]
fn a_task_ends_while_the_next_one_goes_on() {
    let gate = Gate::new();
    let mock = Mock::named("slow").ends_behind(2, &gate);
    let context = context(&mock);
    let double = map!(|x: u32| 2 * x).within(context.clone());
    let graph = TaskGraph::new(&context).unwrap();
    let mut tasks = Vec::new();
    for _ in 0..2 {
        let double = double.clone();
        let work = move |()| double.run((&[1_u32, 2, 3],));
        tasks.push(
            graph
                .task("double", (), work)
                .units(Units::Devices)
                .submit()
                .unwrap(),
        );
    }
    // Two threads give them to the device, in either order: whichever comes first is over before the gate opens.
    let (told, tells) = channel();
    std::thread::scope(|scope| {
        for task in tasks {
            let told = told.clone();
            scope.spawn(move || {
                let done = task.wait().unwrap();
                told.send(()).unwrap();
                // What is read of it waits for the device.
                assert_eq!(done.host().unwrap()[..], [2, 4, 6]);
            });
        }
        let waited = tells.recv_timeout(Duration::from_secs(60));
        gate.open();
        assert_eq!(waited, Ok(()));
    });
}

/// An item that waits for a part of itself does not begin another one beneath.
#[test]
fn items_on_devices_may_use_rayon() {
    let mock = Mock::named("device");
    let context = context(&mock);
    let double = map!(|x: u32| 2 * x).within(context.clone());
    let mut steps = Steps::parse(&context, "0x1+1", "dynamic").unwrap();
    let mut items = [0_u32; 12];
    let busy = || std::thread::sleep(Duration::from_millis(2));
    for _ in 0..4 {
        let report = steps.run(&mut items, |item, _| {
            rayon::join(busy, busy);
            *item += double.run((&[1_u32, 2],))?.host()?[1];
            Ok(())
        });
        assert!(report.unwrap().failed().is_empty());
    }
    assert_eq!(items, [16; 12]);
}
