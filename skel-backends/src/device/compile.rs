//! Kernels are compiled on threads of their own, and waited for no longer than a budget.
//!
//! A compiler is foreign code: its time is not bounded by the size of its input. The device's thread waits
//! for it as long as the budget says. A longer compilation goes on in the background. Until it ends, the
//! device takes no part in calls of that kernel ([`Compilations::overdue`]), and other units compute them.
//! Afterwards [`Driver::launch`] finds the result, and the device takes part.
//!
//! A kernel's first launch is waited for by its caller, so that another unit can compute it instead. Later ones
//! may need another form of the kernel after the call has returned. No other unit can compute one that changes
//! elements of which this device has the only copy. Then the device's thread waits longer ([`OverBudget`]), and the device takes no part in any
//! call meanwhile.
//!
//! [`Driver::launch`]: super::Driver::launch

use super::watch::Watch;
use skel_core::{Error, Result, notice};
use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
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

/// How long a kernel may be compiled by default: see
/// [`ContextBuilder::compile_budget`](crate::ContextBuilder::compile_budget).
pub const COMPILE_BUDGET: Duration = Duration::from_secs(30);

/// Compilations beyond the budget that a device may have at the same time. Further kernels are not begun.
const MOST_OVERDUE: usize = 4;

/// Compilers recurse as deep as what they compile is nested. Memory is taken as it is touched.
const STACK_BYTES: usize = 64 << 20;

/// What becomes of a launch whose kernel is not there when the budget is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OverBudget {
    /// It is refused: the caller has another unit compute the elements.
    Refuse,
    /// It waits as long as it takes: its call has returned, and without it, what it is to change in place is
    /// lost.
    Wait,
}

/// The compilations of one device.
pub(super) struct Compilations {
    /// Nanoseconds that one may take; 0 for as long as it takes.
    budget: AtomicU64,
    state: Mutex<State>,
    /// One has ended.
    ended: Condvar,
    /// How many of them are beyond the budget.
    overdue: AtomicUsize,
}

#[derive(Default)]
struct State {
    /// Those that are on their way, by the hashes of their kernels.
    running: HashMap<u64, Running>,
    /// The kernels of which one has ended, or was not needed.
    done: HashSet<u64>,
    /// For which kernel the device's thread waits beyond the budget.
    awaited: Option<&'static str>,
}

struct Running {
    name: &'static str,
    exclusive: bool,
    /// The budget, once it is spent.
    spent: Option<Duration>,
}

impl Default for Compilations {
    fn default() -> Self {
        let compilations = Compilations {
            budget: AtomicU64::new(0),
            state: Mutex::default(),
            ended: Condvar::new(),
            overdue: AtomicUsize::new(0),
        };
        compilations.set_budget(COMPILE_BUDGET);
        compilations
    }
}

impl State {
    /// Those that are beyond the budget, by name.
    fn overdue(&self) -> Vec<&'static str> {
        let overdue = self.running.values().filter(|one| one.spent.is_some());
        let mut names: Vec<&'static str> = overdue.map(|one| one.name).collect();
        names.sort_unstable();
        names
    }

    /// The one because of which the device does nothing else.
    fn exclusive(&self) -> Option<&'static str> {
        let mut overdue = self.running.values().filter(|one| one.spent.is_some());
        overdue.find_map(|one| one.exclusive.then_some(one.name))
    }

    /// Why a kernel, of which something is left to be compiled, cannot be now.
    fn refusal(&self, kernel: u64) -> Option<String> {
        if let Some(own) = self.running.get(&kernel) {
            return own.spent.map(reason);
        }
        if let Some(name) = self.exclusive() {
            return Some(alone(name));
        }
        let overdue = self.overdue();
        (overdue.len() >= MOST_OVERDUE).then(|| {
            let others = overdue.join("`, `");
            format!("the kernels of `{others}` are still being compiled, and no more are begun")
        })
    }
}

impl Compilations {
    /// From now on, a kernel may be compiled so long; zero is as long as it takes.
    pub(super) fn set_budget(&self, budget: Duration) {
        let nanos = u64::try_from(budget.as_nanos()).unwrap_or(u64::MAX);
        self.budget.store(nanos, Ordering::Relaxed);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why the device cannot run a kernel now, because compilations take too long.
    pub(super) fn overdue(&self, kernel: u64) -> Option<String> {
        if self.overdue.load(Ordering::Acquire) == 0 {
            return None;
        }
        let state = self.state();
        let own = state.running.contains_key(&kernel);
        match state.awaited.filter(|_| !own) {
            Some(name) => Some(alone(name)),
            // One that was compiled, for the most part in all of its forms, needs no compiler.
            None if state.done.contains(&kernel) && !own => state.exclusive().map(alone),
            None => state.refusal(kernel),
        }
    }

    /// The kernels of which that is so, by name.
    pub(super) fn all_overdue(&self) -> Vec<&'static str> {
        self.state().overdue()
    }

    /// Whether the device is at a compilation, beyond the budget, and does nothing else.
    pub(super) fn is_exclusive(&self) -> bool {
        self.overdue.load(Ordering::Acquire) > 0 && self.state().exclusive().is_some()
    }

    /// Whether a kernel has been compiled, for the most part in all of its forms, or needed no compiler.
    pub(super) fn is_ready(&self, kernel: u64) -> bool {
        self.state().done.contains(&kernel)
    }

    /// The driver has all of a kernel that a launch needs.
    pub(super) fn ready(&self, kernel: u64) {
        self.state().done.insert(kernel);
    }

    /// The budget is spent. Whether the compilation has ended in the last moment.
    fn spend(&self, kernel: u64, budget: Duration, over_budget: OverBudget) -> bool {
        let mut state = self.state();
        let State {
            running, awaited, ..
        } = &mut *state;
        match running.get_mut(&kernel) {
            Some(one) => {
                one.spent = Some(budget);
                *awaited = (over_budget == OverBudget::Wait).then_some(one.name);
                self.overdue.fetch_add(1, Ordering::Release);
                false
            }
            None => true,
        }
    }

    fn end(&self, kernel: u64) {
        let mut state = self.state();
        state.done.insert(kernel);
        let ended = state.running.remove(&kernel);
        if ended.is_some_and(|one| one.spent.is_some()) {
            self.overdue.fetch_sub(1, Ordering::Release);
        }
        self.ended.notify_all();
    }

    /// Waits as long as the kernel could not be compiled. Whether that was so: then it may have been, by now.
    pub(super) fn wait_for_turn(&self, kernel: u64, name: &'static str) -> bool {
        self.wait_while(name, |state| state.refusal(kernel).is_some())
    }

    fn wait_while(&self, name: &'static str, holds: impl Fn(&State) -> bool) -> bool {
        let (mut state, mut waited) = (self.state(), false);
        while holds(&state) {
            (state.awaited, waited) = (Some(name), true);
            let waiting = self.ended.wait(state);
            state = waiting.unwrap_or_else(PoisonError::into_inner);
        }
        state.awaited = None;
        waited
    }
}

/// What is said of a kernel that took longer than this so far.
fn reason(budget: Duration) -> String {
    format!("its kernel is still being compiled, after the {budget:?} that it may take")
}

/// What is said of the others, where the device waits for that one.
fn alone(name: &str) -> String {
    format!(
        "the kernel of `{name}` is still being compiled, for longer than it may take, and the device does nothing else meanwhile"
    )
}

/// The end of a compilation, also of one that panics: noted before the waiting thread is woken.
struct End(Arc<Watch>, u64);

impl Drop for End {
    fn drop(&mut self) {
        let End(watch, kernel) = self;
        if watch.compilations.is_exclusive() {
            // Before it is noted: a thread that checks the clock finds the restart or the note.
            watch.restart();
        }
        watch.compilations.end(*kernel);
    }
}

/// Does the work on a thread of its own, and waits for it as long as the budget says, or as long as it takes.
///
/// # Errors
/// [`Error::Unsupported`] where it takes longer, or others do, and that is a reason to refuse;
/// [`Error::Device`] if there is no thread to have.
pub(super) fn run(
    watch: &Arc<Watch>,
    (kernel, name): (u64, &'static str),
    Compilation { work, exclusive }: Compilation,
    over_budget: OverBudget,
) -> Result<()> {
    let compilations = &watch.compilations;
    let unsupported = |reason: String| Error::Unsupported {
        unit: watch.device().to_owned(),
        instance: name.to_owned(),
        reason,
    };
    let refusal = compilations.state().refusal(kernel);
    if let Some(reason) = refusal {
        return Err(unsupported(reason));
    }
    let (done, ended) = channel::<()>();
    let running = Running {
        name,
        exclusive,
        spent: None,
    };
    compilations.state().running.insert(kernel, running);
    let end = End(Arc::clone(watch), kernel);
    let thread = thread::Builder::new()
        .name(format!("skel compiles {name}"))
        .stack_size(STACK_BYTES);
    let spawned = thread.spawn(move || {
        // Dropped in this order, also by a panic: the end is noted, and then the waiting thread goes on.
        let _done = done;
        let _end = end;
        work();
    });
    spawned.map_err(|error| Error::Device {
        device: watch.device().to_owned(),
        operation: "starting a thread that compiles",
        message: error.to_string(),
    })?;
    let budget = Duration::from_nanos(compilations.budget.load(Ordering::Relaxed));
    // Nothing is ever sent: the sender goes when the work is done.
    let waited = match budget.is_zero() {
        true => ended.recv().map_err(RecvTimeoutError::from),
        false => ended.recv_timeout(budget),
    };
    if !matches!(waited, Err(RecvTimeoutError::Timeout))
        || compilations.spend(kernel, budget, over_budget)
    {
        return Ok(());
    }
    let device = watch.device();
    notice::say(format_args!(
        "{device} takes no part in calls of `{name}`: {}",
        reason(budget)
    ));
    match over_budget {
        OverBudget::Refuse => Err(unsupported(reason(budget))),
        OverBudget::Wait => {
            compilations.wait_while(name, |state| state.running.contains_key(&kernel));
            Ok(())
        }
    }
}

#[cfg(test)]
mod test;
