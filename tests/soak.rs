//! A million calls, of every kind, with contexts that come and go: the program has as much memory, as many
//! allocations and as many threads afterwards as before.
#![allow(unsafe_code, reason = "an allocator that counts")]

use skel::{
    Context,
    mock::Mock,
    prelude::*,
    tasks::{Steps, TaskGraph},
    unit::DeviceUnit,
    webgpu,
};
use skel_calls::{Data, KINDS, add, bump, graph_of_tasks, steps_over_items, tasks_that_borrow};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    fs,
    io::Write,
    panic,
    sync::atomic::{AtomicI64, Ordering},
    thread,
    time::Duration,
};

/// The system's allocator, and what it has given out.
struct Counting;

static LIVE_BYTES: AtomicI64 = AtomicI64::new(0);
static LIVE_ALLOCATIONS: AtomicI64 = AtomicI64::new(0);

thread_local! {
    /// How often this thread has asked for memory.
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

fn note(bytes: i64, allocations: i64) {
    if bytes > 0 {
        // A thread that ends has none any more.
        let _ended = ASKED.try_with(|asked| asked.set(asked.get() + 1));
    }
    LIVE_BYTES.fetch_add(bytes, Ordering::Relaxed);
    LIVE_ALLOCATIONS.fetch_add(allocations, Ordering::Relaxed);
}

// SAFETY: all of it is the system's allocator's; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size() as i64, 1);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        note(-(layout.size() as i64), -1);
        // SAFETY: the caller's promise for `ptr` and `layout` is passed on.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size as i64 - layout.size() as i64, 0);
        // SAFETY: the caller's promise for `ptr`, `layout` and `size` is passed on.
        unsafe { System.realloc(ptr, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What the program has.
#[derive(Clone, Copy, Debug)]
struct Size {
    bytes: i64,
    allocations: i64,
    threads: usize,
}

/// Queues and caches breathe; anything that is kept of each call, each context or each container is far more.
const SLACK_BYTES: i64 = 96 << 10;
const SLACK_ALLOCATIONS: i64 = 300;

fn threads() -> usize {
    // Where the system does not tell, only memory is compared.
    fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

impl Size {
    fn now() -> Size {
        Size {
            bytes: LIVE_BYTES.load(Ordering::Relaxed),
            allocations: LIVE_ALLOCATIONS.load(Ordering::Relaxed),
            threads: threads(),
        }
    }

    fn is_within(self, before: Size) -> bool {
        self.bytes <= before.bytes + SLACK_BYTES
            && self.allocations <= before.allocations + SLACK_ALLOCATIONS
            && self.threads <= before.threads
    }

    /// Nothing has been kept since `before`. Threads end later than what uses them, so it is checked several
    /// times.
    fn assert_flat(before: Size, what: &str) {
        for _ in 0..2000 {
            if Size::now().is_within(before) {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("{what}: {before:?} has become {:?}", Size::now());
    }
}

/// Runs `step` so many times, and compares what there is after a few of them with what there is in the end.
fn flat(what: &str, times: usize, mut step: impl FnMut()) {
    (0..times / 10).for_each(|_| step());
    let before = Size::now();
    (0..times - times / 10).for_each(|_| step());
    Size::assert_flat(before, what);
}

fn mock() -> Context {
    let device = Mock::named("device").unit().unwrap();
    Context::builder().unit(device).build().unwrap()
}

/// Traps are panics on the CPU, and what the standard hook says of them would be kept by the test's harness.
fn keep_traps_quiet() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let is_trap = info.payload_as_str() == Some("attempt to divide by zero");
        if !is_trap {
            usual(info);
        }
    }));
}

/// All in one test, since all that is allocated counts.
#[test]
fn nothing_is_kept_of_a_million_calls() {
    keep_traps_quiet();
    let (mut data, none) = (Data::default(), Context::builder().build().unwrap());
    for (target, calls) in [
        (Target::from(Cpu), 600_000),
        (Sequential.into(), 200_000),
        (Hybrid::ratio(0.5).into(), 20_000),
        (Tasks::default().chunks(3).into(), 10_000),
    ] {
        let rounds = calls / KINDS;
        flat(&target.to_string(), rounds, || {
            data.every_kind(&none, &target)
        });
    }

    let one = mock();
    for (target, calls) in [
        (Target::from(Device(0)), 20_000),
        (Hybrid::ratio(0.5).into(), 10_000),
        (Hybrid::adaptive().into(), 5_000),
        (Auto.into(), 5_000),
        (Tasks::default().chunks(3).into(), 5_000),
    ] {
        let rounds = calls / KINDS;
        let what = format!("a mock device, {target}");
        flat(&what, rounds, || data.every_kind(&one, &target));
    }
    flat("unread reductions", 100, || data.unread(&one, 1000));

    let graph = TaskGraph::new(&one).unwrap();
    flat("tasks of one graph", 1000, || graph_of_tasks(&graph, &one));
    flat("tasks that borrow", 1000, || {
        tasks_that_borrow(&graph, &one);
    });
    drop(graph);
    flat("graphs that come and go", 300, || {
        graph_of_tasks(&TaskGraph::new(&one).unwrap(), &one);
    });
    let mut steps = Steps::parse(&one, "2x1+1", "dynamic").unwrap();
    flat("steps over items", 1000, || {
        steps_over_items(&mut steps, &one)
    });
    drop(steps);
    flat("units of steps that come and go", 300, || {
        let mut steps = Steps::parse(&one, "2x1+1", "static").unwrap();
        steps_over_items(&mut steps, &one);
    });

    // The containers stay, and have been on each of the devices.
    flat("contexts that come and go", 1000, || {
        let context = mock();
        let twice = map!(add).within(context.clone()).on(Device(0));
        drop(twice.run((&data.x, &data.x)).unwrap());
        map!(bump)
            .within(context)
            .on(Device(0))
            .run((&mut data.out,))
            .unwrap();
        // Only the device has it, and its context is gone.
        drop(twice);
        data.out.host().unwrap();
    });
    flat("containers that come and go", 2000, || {
        Data::default().every_kind(&one, &Device(0).into());
    });
    drop((data, one));
    software();
}

/// Some of it on the first device that wgpu finds; says so if there is none.
fn software() {
    let found = webgpu::enumerate();
    let Some(found) = found.iter().find(|found| found.rejected.is_none()) else {
        let reason = "no device that wgpu reaches (Debian: mesa-vulkan-drivers)";
        // Past libtest, which keeps what passing tests print.
        let _unseen = writeln!(std::io::stderr(), "skipped: nothing_is_kept: {reason}");
        return;
    };
    let open = || {
        let unit = DeviceUnit::new(webgpu::open(found).unwrap()).unwrap();
        Context::builder().unit(unit).build().unwrap()
    };
    let (mut data, context) = (Data::default(), open());
    flat("a software device", 50, || {
        data.every_kind(&context, &Device(0).into())
    });
    flat("unread reductions of a software device", 10, || {
        data.unread(&context, 200)
    });
    drop(context);
    flat("software devices that come and go", 10, || {
        let context = open();
        map!(bump)
            .within(context)
            .on(Device(0))
            .run((&mut data.out,))
            .unwrap();
    });
}

#[user_function]
fn saxpy(x: u32, y: u32, #[uniform] a: u32) -> u32 {
    a.wrapping_mul(x).wrapping_add(y)
}

/// What is made for a call lies on the stack.
#[test]
fn small_calls_on_the_host_ask_for_no_memory() {
    let context = Context::builder().build().unwrap();
    let (x, y) = (Vector::from([1_u32; 100]), Vector::from([2_u32; 100]));
    let mut out = Vector::from([0_u32; 100]);
    let mut in_place = Vector::from([0_u32; 100]);
    for target in [Target::Sequential, Target::Cpu, Target::Auto] {
        let saxpy = map!(saxpy).within(context.clone()).on(&target);
        let bump = map!(bump).within(context.clone()).on(&target);
        let sum = reduce!(add).within(context.clone()).on(&target);
        let asked = |what: &str, call: &mut dyn FnMut()| {
            // What is found out of an instance in its first calls is kept.
            (0..100).for_each(|_| call());
            // A call that the system interrupts for long takes itself for long work, and calls helpers.
            let least = (0..10).map(|_| {
                let before = ASKED.get();
                (0..1000).for_each(|_| call());
                ASKED.get() - before
            });
            assert_eq!(least.min(), Some(0), "{what} on {target}");
        };
        asked("a map of three arguments into another", &mut || {
            saxpy.run_into((&x, &y, 3), &mut out).unwrap();
        });
        // With debug assertions, any function may trap, and what it changes in place is copied before.
        if !cfg!(debug_assertions) {
            asked("a map in place", &mut || {
                bump.run((&mut in_place,)).unwrap();
            });
        }
        asked("a sum", &mut || assert_eq!(sum.run((&x,)).unwrap(), 100));
    }
}

/// Once its memory has grown, the engine of tasks asks for none, whichever scheduler it has: no task costs an allocation.
#[test]
fn the_engine_of_tasks_allocates_nothing_per_task() {
    use skel::tasks::{
        Link, Machine,
        engine::{Access, Engine, Finish, Mode, NewTask, TaskId, Unknown, WorkerId},
        scheduler,
    };
    let bus = Link {
        latency_ns: 1000,
        bytes_per_ns: 10.0,
    };
    let machine = Machine::builder().arch("cpu", 3);
    let machine = machine.device("gpu", 1, None, bus).build().unwrap();
    for name in scheduler::names() {
        let scheduler = scheduler::parse(name).unwrap().build(&machine).unwrap();
        let mut engine = Engine::new(machine.clone(), scheduler, Box::new(Unknown));
        let kind = engine.kind("task");
        let data: Vec<_> = (0..8).map(|_| engine.register(64, None)).collect();
        let mut now_ns = 0;
        let mut round = |engine: &mut Engine| {
            let mut run: [Option<(TaskId, WorkerId)>; 4] = [None; 4];
            for k in 0..64 {
                let write = |at: usize| Access {
                    handle: data[at],
                    mode: Mode::Write,
                };
                let accesses = [write(k % 8), write((k + 3) % 8)];
                engine
                    .submit(NewTask::new(kind, &accesses), now_ns)
                    .unwrap();
            }
            while engine.pending() > 0 {
                for (worker, run) in run.iter_mut().enumerate() {
                    let worker = WorkerId(worker as u32);
                    *run = engine
                        .next(worker, now_ns)
                        .unwrap()
                        .map(|task| (task, worker));
                    now_ns += 10;
                }
                for (task, worker) in run.iter_mut().filter_map(Option::take) {
                    let how = Finish::Done { took_ns: 500 };
                    engine.finished(task, how, worker, now_ns).unwrap();
                }
                engine.take_wakes().for_each(drop);
                engine.take_prefetches().for_each(drop);
            }
        };
        (0..50).for_each(|_| round(&mut engine));
        let before = ASKED.get();
        (0..10).for_each(|_| round(&mut engine));
        assert_eq!(ASKED.get(), before, "{name}");
    }
}
