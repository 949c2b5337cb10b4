//! What schedulers are told of times, and how long tasks wait for a worker.

use super::faults::graph_of;
use skel::tasks::{
    BadOption, Configuration, Machine, Scheduler, TaskGraph, TaskId,
    engine::{Arch, ClassId, ClassSet, Hint, Ns, View, WorkerId},
};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread::sleep,
    time::Duration,
};

/// Notes how long tasks took, and what was believed of that when they became ready.
#[derive(Debug, Clone, Default)]
struct Notes {
    took: Arc<Mutex<Vec<Ns>>>,
    believed: Arc<Mutex<Vec<Option<Ns>>>>,
}

struct Queue(Notes, Vec<TaskId>);

impl Configuration for Notes {
    fn text(&self) -> String {
        "notes".into()
    }

    fn build(&self, _: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        Ok(Box::new(Queue(self.clone(), Vec::new())))
    }
}

impl Scheduler for Queue {
    fn push(&mut self, task: TaskId, _: Option<WorkerId>, view: &View<'_>) -> Hint {
        let believed = view.exec_ns(task, Arch(0));
        self.0.believed.lock().unwrap().push(believed);
        self.1.push(task);
        Hint::any(view.able(task).collect::<ClassSet>())
    }

    fn pop(&mut self, _: WorkerId, _: &View<'_>) -> Option<TaskId> {
        self.1.pop()
    }

    fn finished(&mut self, _: TaskId, _: WorkerId, took_ns: Ns, _: &View<'_>) {
        self.0.took.lock().unwrap().push(took_ns);
    }

    fn drain(&mut self) -> Vec<TaskId> {
        std::mem::take(&mut self.1)
    }

    fn ready(&self, _: ClassId) -> usize {
        self.1.len()
    }
}

/// Also those that do not ask what time it is.
#[test]
fn schedulers_are_told_how_long_tasks_took() {
    let notes = Notes::default();
    let context = skel::Context::builder().build().unwrap();
    let graph = TaskGraph::builder(&context)
        .scheduler(notes.clone())
        .build()
        .unwrap();
    for _ in 0..5 {
        let nap = |()| {
            sleep(Duration::from_millis(2));
            Ok(())
        };
        graph.task("nap", (), nap).submit().unwrap();
    }
    graph.wait().unwrap();
    let took = notes.took.lock().unwrap();
    assert_eq!(took.len(), 5);
    assert!(took.iter().all(|ns| *ns >= 2_000_000), "{took:?}");
}

/// A thread that goes on submitting, and sleeps in between, does not keep the last core from working.
#[test]
fn tasks_run_while_others_are_submitted_now_and_then() {
    let graph = graph_of(2);
    let (go, wait) = mpsc::channel::<()>();
    let (began, begins) = mpsc::channel();
    let long = move |()| {
        began.send(()).unwrap();
        let _gone = wait.recv();
        Ok(())
    };
    graph.task("long", (), long).submit().unwrap();
    begins.recv().unwrap();
    let ran = Arc::new(AtomicUsize::new(0));
    let mut submitted = 0;
    while ran.load(Ordering::Relaxed) == 0 && submitted < 2000 {
        let ran = Arc::clone(&ran);
        let short = move |()| Ok(ran.fetch_add(1, Ordering::Relaxed));
        graph.task("short", (), short).submit().unwrap();
        submitted += 1;
        sleep(Duration::from_micros(150));
    }
    let ran = ran.load(Ordering::Relaxed);
    go.send(()).unwrap();
    graph.wait().unwrap();
    assert!(ran > 0, "none of {submitted} tasks ran beside the long one");
}

/// Its values are dropped when all else of the thread is gone.
#[test]
fn a_graph_of_a_thread_ends_with_it() {
    thread_local! {
        static GRAPH: TaskGraph = graph_of(2);
    }
    let thread = std::thread::spawn(|| {
        GRAPH.with(|graph| graph.task("one", (), |()| Ok(1)).submit()?.wait())
    });
    assert_eq!(thread.join().unwrap().unwrap(), 1);
}

/// Naps of two milliseconds in a graph that keeps what it learns.
fn naps(scheduler: impl Configuration + 'static, name: &str) {
    let context = skel::Context::builder().build().unwrap();
    let graph = TaskGraph::builder(&context).scheduler(scheduler);
    let graph = graph.learn_as(name).build().unwrap();
    for _ in 0..20 {
        let nap = |()| {
            sleep(Duration::from_millis(2));
            Ok(())
        };
        let task = graph.task("nap", (), nap).work(8).submit().unwrap();
        task.wait().unwrap();
    }
}

/// The programs of the test below: one graph each.
#[test]
fn program_that_learns() {
    let Ok(role) = std::env::var("TEST_LEARNS") else {
        return;
    };
    if role == "learns" {
        // This scheduler does not mind times: they are measured for what is kept.
        return naps(skel::tasks::scheduler::Eager, "naps");
    }
    let notes = Notes::default();
    naps(notes.clone(), &role);
    let first = notes.believed.lock().unwrap()[0];
    println!("believed {}", first.map_or(0, |ns| ns / 1_000_000));
}

/// From one run of a program to the next.
#[test]
fn what_was_learned_under_a_name_is_known_in_the_next_run() {
    let folder = std::env::temp_dir().join(format!("skel-learned-{}", std::process::id()));
    let program = |role: &str| {
        let mut program = std::process::Command::new(std::env::current_exe().unwrap());
        program.args([
            "tasks::times::program_that_learns",
            "--exact",
            "--nocapture",
            "--test-threads=1",
        ]);
        program.env("TEST_LEARNS", role);
        program
            .env("SKEL_CACHE_DIR", &folder)
            .env_remove("SKEL_CACHE");
        let output = program.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(program("naps").contains("believed 0"), "nothing is known");
    std::fs::remove_dir_all(&folder).unwrap();
    program("learns");
    assert!(program("others").contains("believed 0"), "of another name");
    let said = program("naps");
    let believed = said
        .split("believed ")
        .nth(1)
        .and_then(|ms| ms.trim_start().split(|c: char| !c.is_ascii_digit()).next());
    let believed_ms: u64 = believed.unwrap().parse().unwrap();
    assert!((2..200).contains(&believed_ms), "{said}");
    std::fs::remove_dir_all(folder).unwrap();
}
