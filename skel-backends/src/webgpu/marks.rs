//! Marks: whether what had been submitted by some moment is done, asked for without waiting.

use super::gpu::Gpu;
use crate::device::Mark;
use skel_core::Result;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// The marks that have not been seen to pass, each with what wgpu sets when it has.
#[derive(Debug, Default)]
pub(super) struct Marks {
    next: u64,
    set: Vec<(u64, Arc<AtomicBool>)>,
}

impl Marks {
    /// Sets a mark behind all that was submitted.
    pub(super) fn set(&mut self, gpu: &Gpu) -> Result<Mark> {
        let done = Arc::new(AtomicBool::new(false));
        let sets = Arc::clone(&done);
        gpu.scoped("a mark", 0, |_, queue| {
            queue.on_submitted_work_done(move || sets.store(true, Ordering::Release));
        })?;
        self.next += 1;
        self.set.push((self.next, done));
        Ok(Mark(self.next))
    }

    /// Whether all is done that was submitted before the mark.
    pub(super) fn has_passed(&mut self, gpu: &Gpu, mark: Mark) -> Result<bool> {
        let Some(at) = self.set.iter().position(|(number, _)| *number == mark.0) else {
            return Ok(true);
        };
        // This asks how the device is, and calls back for what is done.
        let asked = gpu.scoped("waiting", 0, |_, _| ());
        if asked.is_ok() && !self.set[at].1.load(Ordering::Acquire) {
            return Ok(false);
        }
        self.set.remove(at);
        asked.map(|()| true)
    }
}
