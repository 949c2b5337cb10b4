use super::*;
use crate::device::watch::Watch;
use std::time::Duration;

#[test]
fn a_panic_while_waiting_leaves_no_lease_unsettled() {
    let watch = Arc::new(Watch::new("test"));
    watch.set(Duration::from_secs(60).into());
    let guards = [0, 1, 2].map(|_| LeaseGuard::new(&watch));
    let settled = std::sync::atomic::AtomicUsize::new(0);
    let settle = |lease: &Lease| {
        if settled.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 0 {
            panic!("expected by the test");
        }
        lease.revoke();
    };
    let all = || settle_all(guards.iter().map(|guard| &**guard.lease()), settle);
    let panicked = catch(all).unwrap_err();
    assert_eq!(panicked.message(), "expected by the test");
    for guard in &guards {
        assert!(guard.touch(|_| ()).is_err(), "it can still be used");
    }
}
