//! Which worker this thread works for.

use crate::positions::SEQUENTIAL;
use skel_core::schedule::UnitIndex;
use std::cell::Cell;

/// A task is being run.
#[derive(Clone, Copy)]
pub(crate) struct Here {
    /// The context of its graph, by address.
    pub(crate) context: usize,
    /// Its graph, by address.
    pub(crate) graph: usize,
    /// The unit that it has: [`SEQUENTIAL`], or a device.
    pub(crate) unit: UnitIndex,
}

thread_local! {
    static HERE: Cell<Option<Here>> = const { Cell::new(None) };
}

/// Runs `body` as part of a task.
pub(crate) fn within<R>(here: Here, body: impl FnOnce() -> R) -> R {
    /// Puts back what was there, also after a panic.
    struct Restore(Option<Here>);
    impl Drop for Restore {
        fn drop(&mut self) {
            HERE.set(self.0);
        }
    }
    let _restore = Restore(HERE.replace(Some(here)));
    body()
}

/// The unit on which calls of this thread run, if it runs a task: that of the task. A device is one of its own
/// context only.
pub(crate) fn here(context: usize) -> Option<UnitIndex> {
    let here = HERE.get()?;
    (here.unit == SEQUENTIAL || here.context == context).then_some(here.unit)
}

/// Whether this thread runs a task of the graph.
pub(crate) fn is_within(graph: usize) -> bool {
    HERE.get().is_some_and(|here| here.graph == graph)
}
