//! Kernels are compiled on threads of their own, and waited for no longer than a budget.
//!
//! A compiler is a program of somebody else's: what it takes is not bounded by what is given to it. The
//! device's thread waits for it as long as the budget says. What takes longer goes on in the background, and
//! until it ends the device takes no part in calls of that kernel ([`Compiles::overdue`]), so that others
//! compute; when it has ended, [`Driver::launch`] finds what was made, and the device takes part.
//!
//! [`Driver::launch`]: super::Driver::launch

use super::watch::Watch;
use skel_core::{Error, Result, notice};
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};

/// The work that makes a kernel ready to be launched: see [`Driver::compilation`](super::Driver::compilation).
pub struct Compilation {
    work: Box<dyn FnOnce() + Send>,
    exclusive: bool,
}

impl Compilation {
    /// Work beside which the device can compute.
    pub fn new(work: impl FnOnce() + Send + 'static) -> Self {
        Compilation {
            work: Box::new(work),
            exclusive: false,
        }
    }

    /// The same; whether the device does nothing else meanwhile, because it is its queue that compiles.
    #[must_use]
    pub fn exclusive(self, exclusive: bool) -> Self {
        Compilation { exclusive, ..self }
    }
}

/// How long a kernel may be compiled, if nobody says otherwise: see
/// [`ContextBuilder::compile_budget`](crate::ContextBuilder::compile_budget).
pub const COMPILE_BUDGET: Duration = Duration::from_secs(30);

/// Compilations beyond the budget that a device may have at the same time. Further kernels are not begun.
const MOST_OVERDUE: usize = 4;

/// Compilers recurse as deep as what they compile is nested. Memory is taken as it is touched.
const STACK_BYTES: usize = 64 << 20;

/// The compilations of one device.
pub(super) struct Compiles {
    /// Nanoseconds that one may take; 0 for as long as it takes.
    budget: AtomicU64,
    /// Those that are on their way, by the hashes of their kernels.
    running: Mutex<HashMap<u64, Running>>,
    /// How many of them are beyond the budget.
    overdue: AtomicUsize,
}

struct Running {
    name: &'static str,
    exclusive: bool,
    /// The budget, once it is spent.
    spent: Option<Duration>,
}

impl Default for Compiles {
    fn default() -> Self {
        let compiles = Compiles {
            budget: AtomicU64::new(0),
            running: Mutex::default(),
            overdue: AtomicUsize::new(0),
        };
        compiles.set_budget(COMPILE_BUDGET);
        compiles
    }
}

impl Compiles {
    /// From now on, a kernel may be compiled so long; zero is as long as it takes.
    pub(super) fn set_budget(&self, budget: Duration) {
        let nanos = u64::try_from(budget.as_nanos()).unwrap_or(u64::MAX);
        self.budget.store(nanos, Ordering::Relaxed);
    }

    fn running(&self) -> MutexGuard<'_, HashMap<u64, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why the device cannot run a kernel now, if it is being compiled for too long.
    pub(super) fn overdue(&self, kernel: u64) -> Option<String> {
        if self.overdue.load(Ordering::Acquire) == 0 {
            return None;
        }
        let running = self.running();
        if let Some(own) = running.get(&kernel) {
            return own.spent.map(reason);
        }
        let mut others = running.values().filter(|one| one.exclusive);
        let (name, spent) = others.find_map(|one| Some((one.name, one.spent?)))?;
        Some(format!(
            "the kernel of `{name}` is still being compiled, after the {spent:?} that it may take, and the device does nothing else meanwhile"
        ))
    }

    /// The kernels of which that is so, by name.
    pub(super) fn all_overdue(&self) -> Vec<&'static str> {
        let running = self.running();
        let overdue = running.values().filter(|one| one.spent.is_some());
        let mut names: Vec<&'static str> = overdue.map(|one| one.name).collect();
        names.sort_unstable();
        names
    }

    /// The budget is spent. Whether the compilation has ended in the last moment.
    fn spend(&self, kernel: u64, budget: Duration) -> bool {
        match self.running().get_mut(&kernel) {
            Some(one) => {
                one.spent = Some(budget);
                self.overdue.fetch_add(1, Ordering::Release);
                false
            }
            None => true,
        }
    }

    fn end(&self, kernel: u64) {
        let ended = self.running().remove(&kernel);
        if ended.is_some_and(|one| one.spent.is_some()) {
            self.overdue.fetch_sub(1, Ordering::Release);
        }
    }
}

/// What is said of a kernel that took longer than this so far.
fn reason(budget: Duration) -> String {
    format!("its kernel is still being compiled, after the {budget:?} that it may take")
}

/// Does the work on a thread of its own, and waits for it as long as the budget says.
///
/// # Errors
/// [`Error::Unsupported`] where it takes longer, or others do; [`Error::Device`] if there is no thread to have.
pub(super) fn run(
    watch: &Arc<Watch>,
    (kernel, name): (u64, &'static str),
    Compilation { work, exclusive }: Compilation,
) -> Result<()> {
    /// The end of a compilation, also of one that panics: noted before the one who waits is told.
    struct End(Arc<Watch>, u64);
    impl Drop for End {
        fn drop(&mut self) {
            self.0.compiles.end(self.1);
        }
    }
    let compiles = &watch.compiles;
    let unsupported = |reason: String| Error::Unsupported {
        unit: watch.device().to_owned(),
        instance: name.to_owned(),
        reason,
    };
    if let Some(reason) = compiles.overdue(kernel) {
        return Err(unsupported(reason));
    }
    if compiles.overdue.load(Ordering::Acquire) >= MOST_OVERDUE {
        let others = compiles.all_overdue().join("`, `");
        return Err(unsupported(format!(
            "the kernels of `{others}` are still being compiled, and no more are begun"
        )));
    }
    let (done, ended) = channel::<()>();
    let running = Running {
        name,
        exclusive,
        spent: None,
    };
    compiles.running().insert(kernel, running);
    let end = End(Arc::clone(watch), kernel);
    let thread = thread::Builder::new()
        .name(format!("skel compiles {name}"))
        .stack_size(STACK_BYTES);
    let spawned = thread.spawn(move || {
        // Dropped in this order, also by a panic: the end is noted, and then whoever waits goes on.
        let _done = done;
        let _end = end;
        work();
    });
    spawned.map_err(|error| Error::Device {
        device: watch.device().to_owned(),
        operation: "starting a thread that compiles",
        message: error.to_string(),
    })?;
    let budget = Duration::from_nanos(compiles.budget.load(Ordering::Relaxed));
    // Nothing is ever sent: the sender goes when the work is done.
    let waited = match budget.is_zero() {
        true => ended.recv().map_err(RecvTimeoutError::from),
        false => ended.recv_timeout(budget),
    };
    match waited {
        Err(RecvTimeoutError::Timeout) if !compiles.spend(kernel, budget) => {
            let device = watch.device();
            notice::say(format_args!(
                "{device} takes no part in calls of `{name}`: {}",
                reason(budget)
            ));
            Err(unsupported(reason(budget)))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod test;
