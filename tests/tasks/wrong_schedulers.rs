//! Schedulers that do what they must not do.

use super::faults::of_task;
use skel::{
    Context,
    prelude::*,
    tasks::{TaskError, TaskGraph},
};

/// Schedulers that are wrong: one keeps its tasks, one gives a task twice.
#[derive(Debug, Clone, Copy)]
enum Wrong {
    Keeps,
    Repeats,
}

mod wrong {
    use super::Wrong;
    use skel::tasks::{
        BadKnob, Configuration, Machine, Scheduler, TaskId,
        engine::{ClassId, ClassSet, Hint, View, WorkerId},
    };

    impl Configuration for Wrong {
        fn text(&self) -> String {
            format!("{self:?}")
        }

        fn build(&self, _: &Machine) -> Result<Box<dyn Scheduler>, BadKnob> {
            Ok(Box::new(Tasks(*self, Vec::new())))
        }
    }

    struct Tasks(Wrong, Vec<TaskId>);

    impl Scheduler for Tasks {
        fn push(&mut self, task: TaskId, _: Option<WorkerId>, _: &View<'_>) -> Hint {
            self.1.push(task);
            Hint::any(ClassSet::ALL)
        }

        fn pop(&mut self, _: WorkerId, _: &View<'_>) -> Option<TaskId> {
            match self.0 {
                Wrong::Keeps => None,
                Wrong::Repeats => self.1.first().copied(),
            }
        }

        fn drain(&mut self) -> Vec<TaskId> {
            std::mem::take(&mut self.1)
        }

        fn ready(&self, _: ClassId) -> usize {
            self.1.len()
        }
    }
}

#[test]
fn wrong_schedulers_are_errors() {
    let context = Context::builder().build().unwrap();
    for wrong in [Wrong::Keeps, Wrong::Repeats] {
        let graph = TaskGraph::builder(&context)
            .scheduler(Box::new(wrong))
            .build()
            .unwrap();
        let tasks: Vec<_> = (0..5)
            .map_while(|_| graph.task("task", (), |()| Ok(())).submit().ok())
            .collect();
        let error = of_task(graph.wait());
        let told = matches!(error, TaskError::Stuck { .. } | TaskError::Scheduler { .. });
        assert!(told, "{wrong:?}: {error}");
        for task in tasks {
            let _ran_or_cancelled = task.wait();
        }
        assert!(graph.task("task", (), |()| Ok(())).submit().is_err());
        let double = map!(|x: u32| 2 * x).within(context.clone());
        let double = double.on(Tasks::new(wrong).chunks(10));
        let error = of_task(double.run((&vec![1_u32; 100],)));
        let told = matches!(error, TaskError::Stuck { .. } | TaskError::Scheduler { .. });
        assert!(told, "{wrong:?}: {error}");
    }
}
