//! Work that nobody waits for: if it fails, or is never done, the device's [`Watch`] is told.

use super::watch::Watch;
use skel_core::Error;
use std::{ops::Range, sync::Arc};

/// A command on its way, for a call that has returned.
pub(super) struct Flight {
    watch: Arc<Watch>,
    call: String,
    elements: Range<usize>,
    landed: bool,
}

impl Flight {
    pub(super) fn new(watch: &Arc<Watch>, call: &str, elements: &Range<usize>) -> Self {
        watch.flies();
        Flight {
            watch: Arc::clone(watch),
            call: call.to_owned(),
            elements: elements.clone(),
            landed: false,
        }
    }

    /// The command was run.
    pub(super) fn land<R>(mut self, result: &skel_core::Result<R>) {
        self.landed = true;
        if let Err(error) = result {
            self.tell(error.clone());
        }
    }

    fn tell(&self, error: Error) {
        // Traps say where they are themselves; others say whose they are.
        let error = match error.is_of_device() {
            false => error,
            true => Error::Late {
                call: self.call.clone(),
                elements: self.elements.clone(),
                cause: Arc::new(error),
            },
        };
        self.watch.note_late(error);
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        if !self.landed {
            self.tell(self.watch.lost());
        }
        self.watch.lands();
    }
}
