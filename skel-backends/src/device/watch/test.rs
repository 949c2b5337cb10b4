use super::*;
use crate::device::{
    compile::{self, Compilation, OverBudget},
    deadline::{Deadline, Fetch},
};
use std::sync::{Arc, mpsc};

#[test]
fn it_gets_worse_and_never_better() {
    let watch = Watch::new("test");
    assert_eq!(watch.health(), Health::Well);
    watch.fail("first");
    watch.fail("second");
    let because = |reason: &str| Health::Quarantined {
        reason: reason.into(),
    };
    assert_eq!(watch.health(), because("first"));
    assert!(!watch.is_gone());
    watch.lose("third");
    watch.fail("fourth");
    assert_eq!(watch.health(), because("third"));
    assert!(watch.is_gone() && !watch.is_hung());
}

#[test]
fn patience_ends_only_with_a_limit_and_grows_with_what_is_waited_for() {
    let watch = Watch::new("test");
    watch.begin(CommandKind::Other);
    assert!(matches!(watch.patience(), Patience::Unlimited));
    let seconds = |s| Watchdog::After(Duration::from_secs(s));
    watch.set(seconds(1000));
    assert!(matches!(watch.patience(), Patience::For(_)), "idle");
    for _ in 0..3 {
        watch.begin(CommandKind::Other);
        watch.launched(None);
    }
    assert_eq!(lock(&watch.allowance).allowed, Duration::from_secs(3000));
    match watch.patience() {
        Patience::For(left) => assert!(left <= Duration::from_secs(1000)),
        _ => panic!("it hangs, or has all the time of the world"),
    }
    watch.settled();
    watch.set(Watchdog::After(Duration::from_nanos(1)));
    watch.begin(CommandKind::Other);
    std::thread::sleep(Duration::from_nanos(2));
    assert!(matches!(watch.patience(), Patience::Over));
    assert!(watch.is_hung());
    watch.end();
    assert!(matches!(watch.patience(), Patience::Over));
}

#[test]
fn what_is_waited_for_aside_is_not_the_devices_time() {
    let watch = Watch::new("test");
    watch.set(Watchdog::After(Duration::from_nanos(1)));
    watch.begin(CommandKind::Other);
    watch.aside(|| {
        std::thread::sleep(Duration::from_nanos(2));
        assert!(matches!(watch.patience(), Patience::For(_)));
    });
    assert!(!watch.is_hung());
    watch.end();
}

#[test]
fn what_is_fetched_may_take_what_its_launches_may_and_its_own_time() {
    let watch = Watch::new("test");
    watch.set(Watchdog::by_model());
    let allowed = |kind| {
        watch.begin(kind);
        lock(&watch.allowance).allowed
    };
    let fetch = CommandKind::Fetch { bytes: 1000 };
    assert_eq!(allowed(fetch), Duration::from_secs(60), "nothing is known");
    let (ms, ns_per_byte) = (Duration::from_millis, 1000.0);
    let piece = CommandKind::Piece(Deadline {
        piece: ms(50),
        fetch: Fetch {
            least: ms(5),
            ns_per_byte,
        },
    });
    for k in 0..3 {
        assert_eq!(allowed(piece), ms(50 * (k + 1)));
        watch.launched(Some((7, None, false)));
        // Those of the same command are one.
        watch.launched(None);
    }
    assert_eq!(allowed(fetch), ms(3 * 50 + 5 + 1));
    watch.settled();
    assert_eq!(allowed(fetch), ms(5 + 1));
    assert!(watch.has_run(&(7, None, false)) && !watch.has_run(&(7, None, true)));
}

#[test]
fn a_kernel_that_does_not_compile_is_known() {
    let watch = Watch::new("test");
    assert_eq!(watch.unable(1), None);
    watch.cannot(1, "no such type");
    assert_eq!(watch.unable(1).as_deref(), Some("no such type"));
    assert_eq!(watch.unable(2), None);
}

#[test]
fn while_the_queue_compiles_beyond_the_budget_nothing_else_hangs() {
    let watch = Arc::new(Watch::new("test"));
    watch.set(Watchdog::After(Duration::from_nanos(1)));
    watch.compilations.set_budget(Duration::from_nanos(1));
    let (release, released) = mpsc::channel::<()>();
    let hangs = move || {
        let _released = released.recv();
    };
    let work = Compilation::new(hangs).exclusive(true);
    compile::run(&watch, (1, "f"), work, OverBudget::Refuse).unwrap_err();
    // A download, say, behind the compilation.
    watch.begin(CommandKind::Other);
    let began = lock(&watch.allowance).since;
    std::thread::sleep(Duration::from_nanos(2));
    assert!(matches!(watch.patience(), Patience::For(_)));
    assert!(!watch.is_hung());
    drop(release);
    while watch.unable(1).is_some() {
        std::thread::yield_now();
    }
    // Its own time begins when the compilation ends, and it has a limit again.
    assert!(lock(&watch.allowance).since > began);
    std::thread::sleep(Duration::from_nanos(2));
    assert!(matches!(watch.patience(), Patience::Over));
}
