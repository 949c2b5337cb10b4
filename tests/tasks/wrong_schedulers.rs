//! Schedulers that do what they must not do.

use super::faults::of_task;
use crate::virtual_machine;
use skel::{
    Context, Error,
    mock::Law,
    prelude::*,
    tasks::{TaskError, TaskGraph},
};
use std::sync::{Arc, Mutex, Weak};

/// Schedulers that are wrong: one keeps its tasks, one gives a task twice, others panic when they are asked something.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Wrong {
    Keeps,
    Repeats,
    PanicsAtPush,
    PanicsAtPop,
    PanicsAtReady,
    PanicsAtFinished,
    PanicsWithGraph,
    /// Each so-many-th time that it is asked, it gives nothing.
    Hesitates(usize),
}

const ALL: [Wrong; 6] = [
    Wrong::Keeps,
    Wrong::Repeats,
    Wrong::PanicsAtPush,
    Wrong::PanicsAtPop,
    Wrong::PanicsAtReady,
    Wrong::PanicsAtFinished,
];

fn is_told(wrong: Wrong, error: &TaskError) -> bool {
    match wrong {
        Wrong::Keeps | Wrong::Repeats => {
            matches!(error, TaskError::Stuck { .. } | TaskError::Scheduler { .. })
        }
        _ => matches!(error, TaskError::Panicked { message, .. } if message == "asked"),
    }
}

mod wrong {
    use super::{Asks, Wrong};
    use skel::tasks::{
        BadOption, Configuration, Machine, Scheduler, TaskId,
        engine::{ClassId, ClassSet, Hint, Ns, View, WorkerId},
    };

    impl Configuration for Wrong {
        fn text(&self) -> String {
            format!("{self:?}")
        }

        fn build(&self, _: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
            Ok(Box::new(Tasks(*self, Vec::new(), 0)))
        }
    }

    struct Tasks(Wrong, Vec<TaskId>, usize);

    impl Tasks {
        fn asked(&self, when: Wrong) {
            assert!(self.0 != when, "asked");
        }
    }

    impl Scheduler for Tasks {
        fn push(&mut self, task: TaskId, _: Option<WorkerId>, _: &View<'_>) -> Hint {
            self.asked(Wrong::PanicsAtPush);
            self.1.push(task);
            Hint::any(ClassSet::ALL)
        }

        fn pop(&mut self, _: WorkerId, _: &View<'_>) -> Option<TaskId> {
            self.asked(Wrong::PanicsAtPop);
            if self.0 == Wrong::PanicsWithGraph {
                std::panic::panic_any(Asks);
            }
            self.2 += 1;
            match self.0 {
                Wrong::Keeps => None,
                Wrong::Hesitates(times) if self.2.is_multiple_of(times) => None,
                Wrong::Repeats => self.1.first().copied(),
                _ => self.1.pop(),
            }
        }

        fn finished(&mut self, _: TaskId, _: WorkerId, _: Ns, _: &View<'_>) {
            self.asked(Wrong::PanicsAtFinished);
        }

        fn drain(&mut self) -> Vec<TaskId> {
            std::mem::take(&mut self.1)
        }

        fn ready(&self, _: ClassId) -> usize {
            self.asked(Wrong::PanicsAtReady);
            self.1.len()
        }
    }
}

#[test]
fn wrong_schedulers_are_errors() {
    let context = Context::builder().build().unwrap();
    for wrong in ALL {
        let graph = TaskGraph::builder(&context)
            .scheduler(wrong)
            .build()
            .unwrap();
        let tasks: Vec<_> = (0..5)
            .map_while(|_| graph.task("task", (), |()| Ok(())).submit().ok())
            .collect();
        let error = of_task(graph.wait());
        assert!(is_told(wrong, &error), "{wrong:?}: {error}");
        for task in tasks {
            let _ran_or_cancelled = task.wait();
        }
        assert!(graph.task("task", (), |()| Ok(())).submit().is_err());
        let double = map!(|x: u32| 2 * x).within(context.clone());
        let double = double.on(Tasks::new(wrong).chunks(10));
        let error = of_task(double.run((&vec![1_u32; 100],)));
        assert!(is_told(wrong, &error), "{wrong:?}: {error}");
    }
}

/// In virtual time, one thread asks for all workers in turn: a call is an error, or all of it is computed.
#[test]
fn what_a_scheduler_keeps_in_virtual_time_is_no_result() {
    let law = Law::per_elem_ns;
    let machine = virtual_machine::machine(law(3.0), law(10.0), &[law(1.0), law(2.0)]);
    let sum = reduce!(|a: u32, b: u32| a + b).within(machine.clone());
    let double = map!(|x: u32| 2 * x).within(machine);
    let ones = vec![1_u32; 100_000];
    let mut refused = 0;
    for wrong in ALL.into_iter().chain((1..9).map(Wrong::Hesitates)) {
        let on = || Tasks::new(wrong).chunks(10);
        for _again in 0..2 {
            match sum.clone().on(on()).run((&ones,)) {
                Ok(found) => assert_eq!(found, 100_000, "{wrong:?}"),
                Err(error) => {
                    refused += 1;
                    let Error::Task(error) = error else {
                        panic!("{wrong:?}: {error}");
                    };
                    let hesitates = matches!(wrong, Wrong::Hesitates(_));
                    let is_stuck = matches!(error, TaskError::Stuck { .. });
                    assert!(
                        hesitates && is_stuck || is_told(wrong, &error),
                        "{wrong:?}: {error}"
                    );
                }
            }
            if let Ok(found) = double.clone().on(on()).run((&ones,)) {
                assert!(found.host().unwrap().iter().all(|x| *x == 2), "{wrong:?}");
            }
        }
    }
    // Those of `ALL` at least, and one that never gives anything.
    assert!(refused >= 2 * (ALL.len() + 1), "{refused}");
}

/// A payload that asks a graph when it is dropped.
struct Asks;

static ASKED: Mutex<Option<Weak<TaskGraph>>> = Mutex::new(None);

impl Drop for Asks {
    fn drop(&mut self) {
        let graph = ASKED.lock().unwrap().as_ref().and_then(Weak::upgrade);
        let _pending = graph.map(|graph| graph.pending());
    }
}

#[test]
fn a_payload_is_not_dropped_while_the_graph_is_locked() {
    let context = Context::builder().build().unwrap();
    let graph = TaskGraph::builder(&context).scheduler(Wrong::PanicsWithGraph);
    let graph = Arc::new(graph.build().unwrap());
    *ASKED.lock().unwrap() = Some(Arc::downgrade(&graph));
    let task = graph.task("task", (), |()| Ok(())).submit();
    assert!(graph.wait().is_err());
    drop((task, graph));
}
