//! Which tasks this thread runs, and so which worker it works for.

use crate::positions::{FIRST_DEVICE, SEQUENTIAL};
use skel_core::schedule::UnitIndex;
use std::{
    cell::RefCell,
    sync::atomic::{AtomicU64, Ordering},
};

/// A task that a thread runs, and what of it calls on that thread ask for.
#[derive(Clone, Copy)]
pub(crate) struct CurrentTask {
    /// The context of its graph or steps, by address.
    pub(crate) context: usize,
    /// Its graph or steps, by address.
    pub(crate) graph: usize,
    /// The unit that it has: one of the host, or a device.
    pub(crate) unit: UnitIndex,
    /// The item of a step, by which what goes wrong with its calls is known; nothing in a graph, whose calls say so
    /// themselves.
    pub(crate) item: Option<ItemId>,
}

/// In the place of a graph's address, which it is not.
const WAKING: usize = usize::MAX;

/// An item of a step, on its way: no other one has been given the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemId(u64);

impl ItemId {
    /// One that no other item has.
    pub(crate) fn unique() -> ItemId {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        ItemId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The item that this thread computes.
pub(crate) fn item() -> Option<ItemId> {
    with(|all| all.last().and_then(|task| task.item))?
}

#[cfg(loom)]
loom::thread_local! {
    static RUNNING: RefCell<Vec<CurrentTask>> = RefCell::new(Vec::new());
}
#[cfg(not(loom))]
thread_local! {
    /// The innermost last: a task that drops a graph, say, runs what is left of that.
    static RUNNING: RefCell<Vec<CurrentTask>> = const { RefCell::new(Vec::new()) };
}

/// Nothing where the thread has ended all but what is dropped with it: there it runs no task.
fn with<R>(body: impl FnOnce(&mut Vec<CurrentTask>) -> R) -> Option<R> {
    RUNNING.try_with(|all| body(&mut all.borrow_mut())).ok()
}

/// All that this thread does from now on is part of a task.
pub(crate) fn always(task: CurrentTask) {
    with(|all| all.push(task));
}

/// Runs `body` as part of a task.
pub(crate) fn within<R>(task: CurrentTask, body: impl FnOnce() -> R) -> R {
    /// Also after a panic.
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            with(|all| all.pop());
        }
    }
    with(|all| all.push(task));
    let _leave = Leave;
    body()
}

/// The unit on which calls of this thread run, if it runs a task: that of the innermost one. A device is one of its
/// own context only.
pub(crate) fn unit(context: usize) -> Option<UnitIndex> {
    let task = with(|all| all.last().copied())??;
    (task.unit < FIRST_DEVICE || task.context == context).then_some(task.unit)
}

/// How many tasks this thread runs, each of which the one before it runs.
pub(crate) fn depth() -> usize {
    with(|all| all.len()).unwrap_or(0)
}

/// Whether this thread runs a task.
pub(crate) fn is_in_a_task() -> bool {
    depth() > 0
}

/// Runs `wake`, which may poll futures on this thread, and waits for none of them.
pub(crate) fn waking(wake: impl FnOnce()) {
    let waking = CurrentTask {
        context: 0,
        graph: WAKING,
        unit: SEQUENTIAL,
        item: None,
    };
    within(waking, wake);
}

/// Whether that is what this thread is at.
pub(crate) fn is_waking() -> bool {
    with(|all| all.last().is_some_and(|task| task.graph == WAKING)).unwrap_or(false)
}

/// Whether this thread runs a task of the graph.
pub(crate) fn is_within(graph: usize) -> bool {
    with(|all| all.iter().any(|task| task.graph == graph)).unwrap_or(false)
}
