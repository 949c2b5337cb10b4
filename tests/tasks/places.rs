//! Where data lies when a graph is given it, and the ways to there, as schedulers see that.

use crate::virtual_machine;
use skel::{
    Context,
    mock::{Law, Mock},
    prelude::*,
    tasks::{
        BadOption, Configuration, Machine, Scheduler, TaskGraph, TaskId,
        engine::{ClassId, ClassSet, Hint, Link, MemoryNode, Ns, View, WorkerId},
    },
    tuning::{self, Options},
};
use std::sync::{Arc, Mutex};

/// First come, first served; notes where the data of each task lies.
#[derive(Debug, Clone, Default)]
struct Notes(Arc<Mutex<Vec<Vec<MemoryNode>>>>);

impl Configuration for Notes {
    fn text(&self) -> String {
        "notes".into()
    }

    fn build(&self, _: &Machine) -> std::result::Result<Box<dyn Scheduler>, BadOption> {
        Ok(Box::new(Noting(self.clone(), Vec::new())))
    }
}

struct Noting(Notes, Vec<TaskId>);

impl Scheduler for Noting {
    fn push(&mut self, task: TaskId, _: Option<WorkerId>, view: &View<'_>) -> Hint {
        let places = view
            .accesses(task)
            .iter()
            .map(|access| view.valid(access.handle));
        let mut notes = self.0.0.lock().unwrap();
        notes.extend(places.map(|nodes| nodes.iter().collect::<Vec<_>>()));
        self.1.push(task);
        Hint::any(ClassSet::ALL)
    }

    fn pop(&mut self, _: WorkerId, _: &View<'_>) -> Option<TaskId> {
        self.1.pop()
    }

    fn finished(&mut self, _: TaskId, _: WorkerId, _: Ns, _: &View<'_>) {}

    fn drain(&mut self) -> Vec<TaskId> {
        std::mem::take(&mut self.1)
    }

    fn ready(&self, _: ClassId) -> usize {
        self.1.len()
    }
}

#[test]
fn schedulers_see_where_earlier_calls_left_data() {
    let mut builder = Context::builder();
    for k in 0..2 {
        builder = builder.unit(Mock::named(format!("mock {k}")).unit().unwrap());
    }
    let context = builder.build().unwrap();
    let double = map!(|x: u32| 2 * x).within(context.clone());
    let x = Vector::from_fn(1000, |i| i as u32);
    let on_first = double.clone().on(Device(0)).run((&x,)).unwrap();
    let on_second = double.clone().on(Device(1)).run((&on_first,)).unwrap();
    let in_halves = double
        .on(Hybrid::shares([0.0, 1.0, 1.0]))
        .run((&x,))
        .unwrap();
    let notes = Notes::default();
    let graph = TaskGraph::builder(&context)
        .scheduler(notes.clone())
        .build()
        .unwrap();
    let (host, first, second) = (MemoryNode::HOST, MemoryNode(1), MemoryNode(2));
    let cases = [
        (on_second, vec![second]),
        // What the second has read went by way of the host.
        (on_first, vec![host, first, second]),
        (x, vec![host, first]),
        // Nowhere as a whole: it counts as the host's.
        (in_halves, vec![host]),
        (Vector::filled(1000, 1), vec![host]),
    ];
    for (data, places) in cases {
        let data = graph.handle(data);
        let read = |(data,): (&Vector<u32>,)| Ok(data.len());
        let task = graph.task("read", (data.read(),), read).submit().unwrap();
        assert_eq!(task.wait().unwrap(), 1000);
        assert_eq!(notes.0.lock().unwrap().pop(), Some(places));
    }
    // In a scope, too.
    let lent = Vector::from_fn(10, |i| i as u32);
    let result = map!(|x: u32| x + 1)
        .within(context.clone())
        .on(Device(0))
        .run((&lent,))
        .unwrap();
    graph
        .scope(|s| {
            let result = s.lend(&result);
            s.task("read", (result.read(),), |(data,): (&Vector<u32>,)| {
                Ok(data.len())
            })
            .submit()?;
            Ok(())
        })
        .unwrap();
    assert_eq!(notes.0.lock().unwrap().pop(), Some(vec![first]));
}

/// Keeps the way from the host to the first device.
#[derive(Debug, Clone, Default)]
struct Ways(Arc<Mutex<Option<Link>>>);

impl Configuration for Ways {
    fn text(&self) -> String {
        "ways".into()
    }

    fn build(&self, machine: &Machine) -> std::result::Result<Box<dyn Scheduler>, BadOption> {
        *self.0.lock().unwrap() = machine.link(MemoryNode::HOST, MemoryNode(1)).copied();
        Notes::default().build(machine)
    }
}

#[test]
fn ways_to_devices_are_those_that_were_measured_with_any_instance() {
    let device = Law::per_elem_ns(1.0).transfers(3_000.0, 2.0);
    let context =
        virtual_machine::machine(Law::per_elem_ns(4.0), Law::per_elem_ns(10.0), &[device]);
    let way = || {
        let ways = Ways::default();
        let builder = TaskGraph::builder(&context).scheduler(ways.clone());
        drop(builder.build().unwrap());
        let way = ways.0.lock().unwrap().take();
        way.unwrap()
    };
    // Supposed: that of a usual bus.
    assert_eq!(way().latency_ns, 10_000);
    let double = map!(|x: f32| 2.0 * x).within(context.clone());
    let x = Vector::filled(10_000, 1.0_f32);
    let (result, _) = tuning::tune(&context, &Options::quick(), || double.run((&x,)).map(drop));
    result.unwrap();
    let measured = way();
    assert!(
        (2_500..=3_500).contains(&measured.latency_ns),
        "{measured:?}"
    );
    assert!(
        (0.45..=0.55).contains(&measured.bytes_per_ns),
        "{measured:?}"
    );
    // Also a call of another instance as tasks goes by it.
    let ways = Ways::default();
    let triple = map!(|x: f32| 3.0 * x).within(context.clone());
    let as_tasks = triple.on(Tasks::new(ways.clone()));
    assert_eq!(as_tasks.run((&x,)).unwrap().host().unwrap()[9_999], 3.0);
    assert_eq!(ways.0.lock().unwrap().take(), Some(measured));
}
