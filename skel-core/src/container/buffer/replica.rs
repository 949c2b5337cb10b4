//! Copies of buffers for tuning, which computes a call again to see how long it takes.
#![allow(unsafe_code, reason = "copies host memory that is valid, and says so")]

use super::{Buffer, BufferMut};
use crate::{Result, container::reads, unit::NodeId};
use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

impl Buffer {
    /// Another buffer of as many elements of the same type, none of which is valid.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`].
    pub fn alike(&self) -> Result<Buffer> {
        (self.alike)(self.len)
    }

    /// A copy on the host of what is valid anywhere. Where the elements of this buffer are does not change:
    /// what the host lacks is downloaded into the copy alone.
    ///
    /// # Errors
    /// Those of the calls that should have written the elements, as far as they show only now, and of the
    /// devices; [`crate::Error::OutOfMemory`].
    pub fn copy_to_host(&self) -> Result<Buffer> {
        self.may_read(&(0..self.len))?;
        let mut copy = self.alike()?;
        let mut target = BufferMut::new(&mut copy);
        let state = self.lock();
        for part in state.coherence.valid(NodeId::HOST).ranges() {
            // SAFETY: valid on the host, so initialised, and not written while `&self` lives.
            let elements = unsafe { self.view(part.clone()) };
            target.copy_from(elements);
        }
        for (node, part) in state.coherence.sources(0..self.len) {
            let remote = node.and_then(|n| state.copies.iter().find(|(m, _)| *m == n));
            let Some((_, remote)) = remote else {
                continue;
            };
            remote.peek(target.lend_out(part.clone()))?;
            // SAFETY: the host has written them: a `peek` that returns `Ok` has written all that it was lent.
            unsafe { target.wrote(NodeId::HOST, part) };
        }
        Ok(copy)
    }

    /// Copies what another buffer of the same type and length has on the host into this one; it is valid
    /// nowhere else then.
    ///
    /// # Errors
    /// None today.
    ///
    /// # Panics
    /// If they differ in type or length.
    pub fn restore_from(&mut self, other: &Buffer) -> Result<()> {
        assert!(
            self.layout == other.layout && self.len == other.len,
            "a buffer of other elements"
        );
        let valid = other.lock().coherence.valid(NodeId::HOST);
        let mut target = BufferMut::new(self);
        for part in valid.ranges() {
            let elements = other.host_view(part.clone())?;
            target.copy_from(elements);
        }
        Ok(())
    }

    /// A number that no other buffer of the process has or had; given when it is first asked for.
    #[must_use]
    pub fn id(&self) -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = &self.home().id;
        let known = id.load(Ordering::Relaxed);
        if known != 0 {
            return known;
        }
        let new = NEXT.fetch_add(1, Ordering::Relaxed);
        match id.compare_exchange(0, new, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => new,
            Err(other) => other,
        }
    }

    /// A number that tells where the elements are: the same as long as nothing has moved, mostly another one
    /// otherwise.
    #[must_use]
    pub fn residency(&self) -> u64 {
        let state = self.lock();
        if state.copies.is_empty() && self.is_complete_on_host() {
            return 1;
        }
        state.coherence.digest()
    }

    /// The program itself reads elements `r` on the host, not a call.
    pub(crate) fn note_read(&self, r: Range<usize>) {
        if reads::is_watched() {
            reads::tell(self.id(), r);
        }
    }
}

#[cfg(test)]
mod test {
    use crate::container::{Buffer, Vector};

    fn elements(buffer: &Buffer) -> Vec<u32> {
        buffer
            .host_view(0..buffer.len())
            .unwrap()
            .slice(0..buffer.len())
            .to_vec()
    }

    #[test]
    fn a_copy_is_one_of_its_own() {
        let original = Vector::from(vec![1_u32, 2, 3]);
        let mut copy = original.buffer().copy_to_host().unwrap();
        assert_eq!(elements(&copy), [1, 2, 3]);
        copy.restore_from(Vector::from(vec![4_u32, 5, 6]).buffer())
            .unwrap();
        assert_eq!(elements(&copy), [4, 5, 6]);
        assert_eq!(elements(original.buffer()), [1, 2, 3]);
    }

    #[test]
    fn what_no_node_has_is_not_copied() {
        let original = Vector::from(vec![1_u32, 2, 3]);
        let unwritten = original.buffer().alike().unwrap();
        assert_eq!(unwritten.len(), 3);
        assert!(unwritten.copy_to_host().unwrap().host_view(0..1).is_err());
    }

    #[test]
    fn every_buffer_has_its_own_number() {
        let (a, b) = (Vector::from(vec![1_u32]), Vector::from(vec![1_u32]));
        assert_eq!(a.buffer().id(), a.buffer().id());
        assert_ne!(a.buffer().id(), b.buffer().id());
    }
}
