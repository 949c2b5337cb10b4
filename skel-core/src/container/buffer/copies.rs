//! The device copies of a buffer.
#![allow(
    unsafe_code,
    reason = "lends host memory that is valid, and believes what callers say of devices"
)]

use super::{Buffer, Remote};
use crate::{Result, frame::View, unit::NodeId};
use std::{ops::Range, sync::Arc};

impl Buffer {
    /// The copy on `node`, made by `make` if there is none; pinned, so that what is valid there from now on
    /// stays there.
    ///
    /// # Errors
    /// Those of `make`.
    ///
    /// # Safety
    /// What `make` gives is this buffer's copy and no other's: as many elements of its layout, in the memory
    /// of `node`. It is made without looking at the buffer, whose lock is held. Only the buffer tells the
    /// copy that elements were overwritten or claimed.
    pub unsafe fn remote(
        &self,
        node: NodeId,
        make: impl FnOnce() -> Result<Arc<dyn Remote>>,
    ) -> Result<Arc<dyn Remote>> {
        let mut state = self.lock();
        if let Some((_, remote)) = state.copies.iter().find(|(n, _)| *n == node) {
            let remote = Arc::clone(remote);
            remote.pin();
            // What was dropped before it was pinned.
            state.note_what_was_dropped();
            return Ok(remote);
        }
        let remote = make()?;
        remote.pin();
        state.copies.push((node, Arc::clone(&remote)));
        Ok(remote)
    }

    /// The parts of `r` that are not valid on `node`.
    #[must_use]
    pub fn missing(&self, node: NodeId, r: Range<usize>) -> Vec<Range<usize>> {
        self.lock().coherence.missing(node, r)
    }

    /// Brings to `node` what it lacks of `r`: `post` queues the upload of a part, and must not wait.
    /// Says what was posted.
    ///
    /// Posting and noting it are one step for other threads, so a command that was queued because an element
    /// is valid on the node comes after its upload.
    ///
    /// # Errors
    /// Those of downloading to the host what only another node has.
    ///
    /// # Safety
    /// Before `post` returns, it has queued an upload of all elements it was given to this buffer's copy on
    /// `node` ([`Buffer::remote`]), ahead of everything that will read them there; and if that upload fails,
    /// a [`Remote::download`] of them does. It does not look at the buffer, whose lock is held.
    pub unsafe fn upload_missing<'e>(
        &'e self,
        node: NodeId,
        r: Range<usize>,
        mut post: impl FnMut(View<'e>),
    ) -> Result<Vec<Range<usize>>> {
        self.may_read(&r)?;
        loop {
            for part in self.missing(node, r.clone()) {
                self.host_view(part)?;
            }
            let mut state = self.lock();
            // Another thread may have brought some of it, or taken some back after a failure.
            let parts = state.coherence.missing(node, r.clone());
            if parts.iter().all(|part| {
                state
                    .coherence
                    .missing(NodeId::HOST, part.clone())
                    .is_empty()
            }) {
                for part in &parts {
                    // SAFETY: valid on the host, so initialised, and not written while `&self` lives.
                    post(unsafe { self.view(part.clone()) });
                    state.coherence.upload(node, part.clone());
                }
                return Ok(parts);
            }
        }
    }

    /// What of `r` the host has is to be uploaded to `node` again, since the last upload failed. Nothing is
    /// lost by it, whatever the reason: what only the device has stays valid there. (Commands that were
    /// queued before get the device's own error.)
    pub fn retract(&self, node: NodeId, r: Range<usize>) {
        self.lock().coherence.retract(node, r);
    }
}
