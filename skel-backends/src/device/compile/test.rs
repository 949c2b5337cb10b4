use super::*;
use std::sync::mpsc::{Receiver, Sender};

/// A compiler that is done when the test says so.
fn held() -> (Sender<()>, Compilation) {
    let (release, released): (Sender<()>, Receiver<()>) = channel();
    let work = move || {
        let _released = released.recv();
    };
    (release, Compilation::new(work))
}

fn watch(budget: Duration) -> Arc<Watch> {
    let watch = Arc::new(Watch::new("device"));
    watch.compilations.set_budget(budget);
    watch
}

/// With a budget that no caller extends.
fn run(watch: &Arc<Watch>, named: (u64, &'static str), work: Compilation) -> Result<()> {
    super::run(watch, named, work, OverBudget::Refuse)
}

const SOON: Duration = Duration::from_nanos(1);

fn ends(watch: &Watch, kernel: u64) {
    while watch.unable(kernel).is_some() {
        thread::yield_now();
    }
}

#[test]
fn what_ends_in_time_is_ready() {
    for budget in [Duration::ZERO, Duration::MAX, Duration::from_secs(1 << 20)] {
        let (watch, done) = (watch(budget), Arc::new(AtomicUsize::new(0)));
        let counted = Arc::clone(&done);
        let work = move || {
            counted.fetch_add(1, Ordering::Relaxed);
        };
        run(&watch, (1, "f"), Compilation::new(work)).unwrap();
        assert_eq!(done.load(Ordering::Relaxed), 1);
        assert_eq!(watch.unable(1), None);
        assert!(watch.compilations.state().running.is_empty());
    }
}

#[test]
fn what_does_not_is_left_alone_until_it_ends() {
    let watch = watch(SOON);
    let (release, work) = held();
    let error = run(&watch, (1, "f"), work).unwrap_err().to_string();
    assert!(
        error.contains("still being compiled") && error.contains("1ns"),
        "{error}"
    );
    assert!(watch.unable(1).unwrap().contains("still being compiled"));
    assert_eq!(watch.compilations.all_overdue(), ["f"]);
    // It is not begun again, and others are.
    let again = run(
        &watch,
        (1, "f"),
        Compilation::new(|| panic!("it is on its way")),
    );
    assert!(matches!(again, Err(Error::Unsupported { .. })));
    assert_eq!(watch.unable(2), None);
    watch.compilations.set_budget(Duration::ZERO);
    run(&watch, (2, "g"), Compilation::new(|| ())).unwrap();
    release.send(()).unwrap();
    ends(&watch, 1);
    run(&watch, (1, "f"), Compilation::new(|| ())).unwrap();
    assert!(watch.compilations.all_overdue().is_empty());
}

#[test]
fn there_is_a_bound_on_those_that_are_overdue() {
    const READY: u64 = 1 << 32;
    let watch = watch(Duration::ZERO);
    run(&watch, (READY, "ready"), Compilation::new(|| ())).unwrap();
    watch.compilations.set_budget(SOON);
    let most = MOST_OVERDUE as u64;
    let held: Vec<_> = (0..most)
        .map(|kernel| {
            let (release, work) = held();
            run(&watch, (kernel, "f"), work).unwrap_err();
            release
        })
        .collect();
    let refused = run(
        &watch,
        (most, "g"),
        Compilation::new(|| panic!("it is not begun")),
    );
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("no more are begun"), "{refused}");
    // So it is refused before anything is lent for it; what was compiled before is not.
    assert!(watch.unable(most).unwrap().contains("no more are begun"));
    assert_eq!(watch.unable(READY), None);
    drop(held);
    (0..most).for_each(|kernel| ends(&watch, kernel));
    watch.compilations.set_budget(Duration::ZERO);
    run(&watch, (most, "g"), Compilation::new(|| ())).unwrap();
}

#[test]
fn a_compiler_that_panics_has_ended() {
    let watch = watch(Duration::ZERO);
    run(&watch, (1, "f"), Compilation::new(|| panic!("on purpose"))).unwrap();
    assert_eq!(watch.unable(1), None);
    assert!(watch.compilations.state().running.is_empty());
}

#[test]
fn a_queue_that_compiles_does_nothing_else() {
    let watch = watch(SOON);
    let (release, work) = held();
    run(&watch, (1, "f"), work.exclusive(true)).unwrap_err();
    let other = watch.unable(2).unwrap();
    assert!(
        other.contains("`f`") && other.contains("nothing else"),
        "{other}"
    );
    let refused = run(
        &watch,
        (2, "g"),
        Compilation::new(|| panic!("it is not begun")),
    );
    assert!(matches!(refused, Err(Error::Unsupported { .. })));
    drop(release);
    ends(&watch, 1);
    assert_eq!(watch.unable(2), None);
}

/// A launch that waits, on a thread of its own, until it waits.
fn waiting(watch: &Arc<Watch>, wait: impl FnOnce() + Send + 'static) -> thread::JoinHandle<()> {
    let thread = thread::spawn(wait);
    while watch.compilations.state().awaited.is_none() {
        thread::yield_now();
    }
    thread
}

#[test]
fn a_launch_that_no_unit_makes_good_waits_and_the_device_takes_nothing_else() {
    let watch = watch(SOON);
    let (release, work) = held();
    let own = Arc::clone(&watch);
    let waits = waiting(&watch, move || {
        super::run(&own, (1, "f"), work, OverBudget::Wait).unwrap();
    });
    assert!(watch.unable(1).unwrap().contains("still being compiled"));
    assert!(watch.unable(2).unwrap().contains("nothing else"));
    assert_eq!(watch.compilations.all_overdue(), ["f"]);
    release.send(()).unwrap();
    waits.join().unwrap();
    assert_eq!((watch.unable(1), watch.unable(2)), (None, None));
}

#[test]
fn it_waits_for_a_compilation_that_another_launch_began() {
    let watch = watch(SOON);
    let (release, work) = held();
    run(&watch, (1, "f"), work).unwrap_err();
    assert!(!watch.compilations.wait_for_turn(2, "g"), "another kernel");
    let own = Arc::clone(&watch);
    let waits = waiting(&watch, move || {
        assert!(own.compilations.wait_for_turn(1, "f"));
    });
    release.send(()).unwrap();
    waits.join().unwrap();
    assert_eq!(watch.unable(1), None);
}
