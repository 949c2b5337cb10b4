//! The crew: caller and helpers take indices from one counter.
#![allow(
    unsafe_code,
    reason = "helpers borrow from the caller, which waits for them"
)]

use super::gate::Gate;
use crate::fork::OwnerProcess;
use rayon::ThreadPool;
use std::{
    cell::Cell,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread::LocalKey,
    time::{Duration, Instant},
};

/// At most so many invitations of one calling thread wait in the pool's queue, or as many as a call has helpers, of which
/// each invites [`FAN`] more. A pool that is busy leaves them there, so without a limit a long job that makes many calls
/// would pile them up.
const MOST_INVITED: usize = 8;

/// A helper that has not come by then, though it was invited, is late: waking takes up to some 50 µs. The system may
/// have put it on a core that is busy with this call, where it waits for a time slice while other cores are idle. So
/// another one is invited.
const LATE: Duration = Duration::from_micros(100);

/// How many helpers each helper invites when it comes: the caller pays for one wake-up, and sixteen threads are called
/// in four rounds of them.
const FAN: usize = 2;

/// For how long a helper that has done its part stays awake, for the next call: waking it takes as long.
const STAYS: Duration = Duration::from_micros(50);

/// And at most, however many calls there are: it may have come while it waits for something else of the pool.
const STAYS_AT_MOST: Duration = Duration::from_millis(1);

thread_local! {
    /// Invitations of this thread's crews that no worker has taken yet.
    static INVITED: Arc<AtomicUsize> = Arc::default();
}

/// How many threads the current rayon pool has; 1 in a process that was forked from one that had the pool's
/// threads: they are not there.
pub(crate) fn threads() -> usize {
    static OWNER: OnceLock<OwnerProcess> = OnceLock::new();
    match OWNER.get_or_init(OwnerProcess::here).is_ancestor() {
        true => 1,
        false => rayon::current_num_threads(),
    }
}

/// Shared by the caller and its helpers; lives as long as the last of them.
struct Crew {
    /// The next index to take.
    next: AtomicUsize,
    count: AtomicUsize,
    /// What `body` points to is there while it is not closed, and as long as a helper is inside.
    gate: Gate,
    /// Helpers still to invite.
    to_invite: AtomicUsize,
    /// Helpers that may be invited beyond those, if others are late.
    spare: AtomicUsize,
    /// Helpers that are invited and have not come, and when the last one was invited, in nanoseconds from `began`.
    awaited: AtomicUsize,
    invited_at_ns: AtomicU64,
    began: Instant,
    /// The caller's count of unanswered invitations, and how many there are to be at most.
    invited: Arc<AtomicUsize>,
    most_invited: usize,
    /// Whose threads are invited, if not those of the pool that the inviting thread is of.
    pool: Option<Arc<ThreadPool>>,
    /// May be called by those inside, and by the caller, while it waits for those inside.
    body: *const Body,
}

type Body = dyn Fn(usize, &More<'_>) + Sync;

/// By which a body says that there is more to do than there was when helpers left.
pub(crate) struct More<'c>(Option<&'c Arc<Crew>>);

impl More<'_> {
    /// The body is called once more, with a further index; by another helper, if one is idle.
    pub(crate) fn once(&self) {
        if let Some(crew) = self.0 {
            crew.count.fetch_add(1, Ordering::Relaxed);
            crew.to_invite.fetch_add(1, Ordering::Relaxed);
            crew.invite(&crew.to_invite);
        }
    }
}

// SAFETY: `body` points to something `Sync`, and is called only while the caller waits.
unsafe impl Send for Crew {}
// SAFETY: many threads may call what `body` points to, which is `Sync`; all else is atomic.
unsafe impl Sync for Crew {}

impl Crew {
    fn work(self: &Arc<Self>) {
        // SAFETY: the caller of `run` has not returned: we are it, or we are inside.
        let body = unsafe { &*self.body };
        loop {
            // Never beyond the count, which may grow.
            let count = self.count.load(Ordering::Relaxed);
            let one_more = |next: usize| (next < count).then_some(next + 1);
            let relaxed = Ordering::Relaxed;
            let Ok(index) = self.next.try_update(relaxed, relaxed, one_more) else {
                return;
            };
            body(index, &More(Some(self)));
            self.invite_for_the_late();
        }
    }

    /// What a helper does when it comes; whether there was something to do.
    fn help(self: &Arc<Self>) -> bool {
        // Leaves also if `body` panics, which it must not: a stuck caller would be worse.
        let Some(_inside) = self.gate.enter() else {
            return false;
        };
        let is_more = self.next.load(Ordering::Relaxed) < self.count.load(Ordering::Relaxed);
        if is_more {
            for _ in 0..FAN {
                self.invite(&self.to_invite);
            }
            self.work();
        }
        is_more
    }

    /// Invites one of so many helpers, which will invite the next ones. Says whether there was one left.
    fn invite(self: &Arc<Self>, left: &AtomicUsize) -> bool {
        let one_less = |left: usize| left.checked_sub(1);
        let crowded = self.invited.load(Ordering::Relaxed) >= self.most_invited;
        let ordering = Ordering::Relaxed;
        if crowded || left.try_update(ordering, ordering, one_less).is_err() {
            return false;
        }
        self.invited.fetch_add(1, Ordering::Relaxed);
        self.awaited.fetch_add(1, Ordering::Relaxed);
        self.invited_at_ns
            .store(self.elapsed_ns(), Ordering::Relaxed);
        let crew = Arc::clone(self);
        let come = move || {
            crew.invited.fetch_sub(1, Ordering::Relaxed);
            crew.awaited.fetch_sub(1, Ordering::Relaxed);
            if crew.help() {
                drop(crew);
                HELPED.set(HELPED.get() + 1);
                stay();
            }
        };
        match &self.pool {
            None => rayon::spawn(come),
            Some(pool) => pool.spawn(come),
        }
        true
    }

    /// Invites one more helper, if one is late. See [`LATE`].
    fn invite_for_the_late(self: &Arc<Self>) {
        if self.awaited.load(Ordering::Relaxed) == 0 {
            return;
        }
        let invited_at_ns = self.invited_at_ns.load(Ordering::Relaxed);
        let waited_ns = self.elapsed_ns().saturating_sub(invited_at_ns);
        if u128::from(waited_ns) > LATE.as_nanos() {
            let _ = self.invite(&self.to_invite) || self.invite(&self.spare);
        }
    }

    fn elapsed_ns(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}

thread_local! {
    /// How many calls this thread has helped with.
    static HELPED: Cell<u64> = const { Cell::new(0) };
    /// Whether it stays already: what it does meanwhile returns to there.
    static STAYING: Cell<bool> = const { Cell::new(false) };
}

/// Stays awake for a while after having helped, for more of that. The pool's other work ends it: below, there may be
/// something that waits for a part of its own.
fn stay() {
    if STAYING.replace(true) {
        return;
    }
    // Also if what it does panics.
    let _no_more = NoMore(&STAYING);
    let (began, mut since) = (Instant::now(), Duration::ZERO);
    loop {
        let helped = HELPED.get();
        match rayon::yield_now() {
            Some(rayon::Yield::Executed) if HELPED.get() != helped => since = began.elapsed(),
            Some(rayon::Yield::Idle) => std::thread::yield_now(),
            Some(rayon::Yield::Executed) | None => return,
        }
        let now = began.elapsed();
        if now - since > STAYS || now > STAYS_AT_MOST {
            return;
        }
    }
}

struct NoMore(&'static LocalKey<Cell<bool>>);

impl Drop for NoMore {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

/// Calls `body(0)`, …, `body(count - 1)`, each once, taken in this order, on the caller and at most
/// `helpers` workers of the current rayon pool; one more, where one of them is late and the caller is none of the
/// pool's. `body` must not panic.
pub(crate) fn run(count: usize, helpers: usize, body: &(dyn Fn(usize) + Sync)) {
    run_and_more(count, helpers, &|index, _| body(index));
}

/// The same; helpers are workers of this pool.
pub(crate) fn run_of(
    pool: &Arc<ThreadPool>,
    count: usize,
    helpers: usize,
    body: &(dyn Fn(usize) + Sync),
) {
    let pool = Some(Arc::clone(pool));
    run_with(pool, count, helpers, &|index, _| body(index));
}

/// As [`run`], of which the body may be called more often: as often as it says by [`More`], if it does so before the
/// caller has done with what there was.
pub(crate) fn run_and_more(count: usize, helpers: usize, body: &(dyn Fn(usize, &More<'_>) + Sync)) {
    run_with(None, count, helpers, body);
}

fn run_with(
    pool: Option<Arc<ThreadPool>>,
    count: usize,
    helpers: usize,
    body: &(dyn Fn(usize, &More<'_>) + Sync),
) {
    if helpers == 0 || count <= 1 {
        (0..count).for_each(|index| body(index, &More(None)));
        return;
    }
    let body: *const (dyn Fn(usize, &More<'_>) + Sync + '_) = body;
    let spare = usize::from(rayon::current_thread_index().is_none());
    let crew = Arc::new(Crew {
        next: AtomicUsize::new(0),
        count: AtomicUsize::new(count),
        gate: Gate::new(),
        to_invite: AtomicUsize::new(helpers.min(count - 1)),
        spare: AtomicUsize::new(spare),
        awaited: AtomicUsize::new(0),
        invited_at_ns: AtomicU64::new(0),
        began: Instant::now(),
        // What waits in the queue of one pool says nothing of another's. A thread that is being torn down has no count
        // any more.
        invited: match pool {
            None => INVITED.try_with(Arc::clone).unwrap_or_default(),
            Some(_) => Arc::default(),
        },
        most_invited: helpers.max(MOST_INVITED),
        pool,
        // SAFETY: only the lifetime changes. What it borrows is there until this function ends, and `close`, a variable of
        // it, is dropped before, also when it unwinds: that waits until no helper is inside, and lets none in.
        body: unsafe {
            std::mem::transmute::<
                *const (dyn Fn(usize, &More<'_>) + Sync + '_),
                *const (dyn Fn(usize, &More<'_>) + Sync),
            >(body)
        },
    });
    let close = Close(&crew);
    crew.invite(&crew.to_invite);
    crew.work();
    drop(close);
}

struct Close<'c>(&'c Crew);

impl Drop for Close<'_> {
    fn drop(&mut self) {
        self.0.gate.close();
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use std::sync::atomic::AtomicU32;

    fn each_index_once(count: usize, helpers: usize) {
        let seen: Vec<AtomicU32> = (0..count).map(|_| AtomicU32::new(0)).collect();
        run(count, helpers, &|i| {
            seen[i].fetch_add(1, Ordering::Relaxed);
        });
        assert!(seen.iter().all(|s| s.load(Ordering::Relaxed) == 1));
    }

    #[test]
    fn every_index_is_taken_once() {
        for count in [0, 1, 2, 7, 100] {
            for helpers in [0, 1, 3] {
                each_index_once(count, helpers);
            }
        }
    }

    #[test]
    fn a_busy_pool_does_not_keep_threads_of_another_from_coming() {
        let pool = || {
            rayon::ThreadPoolBuilder::new()
                .num_threads(2)
                .build()
                .unwrap()
        };
        let (busy, idle) = (pool(), Arc::new(pool()));
        let (is_over, came) = (AtomicU32::new(0), AtomicU32::new(0));
        let caller = std::thread::current().id();
        let wait_for = |flag: &AtomicU32| {
            let begun = Instant::now();
            while flag.load(Ordering::Acquire) == 0 {
                assert!(begun.elapsed() < Duration::from_secs(60), "no helper came");
                std::thread::yield_now();
            }
        };
        busy.in_place_scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|_| wait_for(&is_over));
            }
            for _ in 0..MOST_INVITED + 1 {
                run(2, 1, &|_| {});
            }
            run_of(
                &idle,
                2,
                1,
                &|_| match std::thread::current().id() == caller {
                    true => wait_for(&came),
                    false => came.store(1, Ordering::Release),
                },
            );
            is_over.store(1, Ordering::Release);
        });
    }

    /// What comes to be done while the caller is busy, a helper does that had left.
    #[test]
    fn a_helper_that_has_left_comes_back_for_more() {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(2)
            .build()
            .unwrap();
        let (done, caller) = (AtomicU32::new(0), std::thread::current().id());
        let wait = |calls| {
            let begun = Instant::now();
            while done.load(Ordering::Acquire) < calls {
                assert!(begun.elapsed() < Duration::from_secs(60), "no helper came");
                std::thread::yield_now();
            }
        };
        pool.in_place_scope(|_| {
            run_and_more(2, 1, &|_, more| {
                if std::thread::current().id() != caller {
                    done.fetch_add(1, Ordering::AcqRel);
                    return;
                }
                // The helper does the other one and leaves, twice.
                wait(1);
                more.once();
                wait(2);
            });
        });
        assert_eq!(done.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn another_helper_is_invited_in_place_of_one_that_is_late() {
        let body: *const Body = &|_, _| {};
        let crew = |began, awaited| {
            Arc::new(Crew {
                next: AtomicUsize::new(1),
                count: AtomicUsize::new(1),
                gate: Gate::new(),
                to_invite: AtomicUsize::new(1),
                spare: AtomicUsize::new(1),
                awaited: AtomicUsize::new(awaited),
                invited_at_ns: AtomicU64::new(0),
                began,
                invited: Arc::default(),
                most_invited: MOST_INVITED,
                pool: None,
                body,
            })
        };
        let left = |crew: &Crew| [&crew.to_invite, &crew.spare].map(|n| n.load(Ordering::Relaxed));
        let now = Instant::now();
        let long_ago = now.checked_sub(10 * LATE).unwrap();
        let none_is_awaited = crew(long_ago, 0);
        none_is_awaited.invite_for_the_late();
        assert_eq!(left(&none_is_awaited), [1, 1]);
        let later = crew(now + 1000 * LATE, 1);
        later.invite_for_the_late();
        assert_eq!(left(&later), [1, 1], "it may still come");
        let late = crew(long_ago, 1);
        late.invite_for_the_late();
        assert_eq!(left(&late), [0, 1]);
        let late = crew(long_ago, 1);
        late.to_invite.store(0, Ordering::Relaxed);
        late.invite_for_the_late();
        assert_eq!(left(&late), [0, 0]);
        late.invited_at_ns.store(0, Ordering::Relaxed);
        late.invite_for_the_late();
        assert_eq!(left(&late), [0, 0], "no more than the spare one");
    }

    #[test]
    fn calls_from_many_threads_and_from_within_small_pools_end() {
        let rounds = if cfg!(miri) { 2 } else { 50 };
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.scope(|s| {
                for _ in 0..4 {
                    s.spawn(|_| (0..rounds).for_each(|_| each_index_once(16, 3)));
                }
            });
            pool.install(|| rayon::join(|| each_index_once(32, 2), || each_index_once(32, 2)));
        }
        std::thread::scope(|s| {
            for _ in 0..8 {
                s.spawn(|| (0..rounds).for_each(|_| each_index_once(16, 3)));
            }
        });
    }
}
