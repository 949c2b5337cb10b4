//! Buffers that arrays have left, for arrays to come: making one costs more than a short kernel.
//!
//! The next array may have a buffer at once, since all that uses it goes through one queue, in order.
//! Sizes are rounded up to classes, so that arrays of nearly the same size have each other's.

use super::{gpu::Gpu, limits::Limits};
use skel_core::{Error, Result};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use wgpu::{Buffer, BufferUsages};

/// Bytes that are kept, at most.
const MOST_BYTES: u64 = 256 << 20;

/// Buffers that are kept, at most: a small one costs the driver more than its bytes.
const MOST_BUFFERS: usize = 1024;

/// What is kept. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Pool(Arc<Mutex<FreeBuffers>>);

#[derive(Debug, Default)]
struct FreeBuffers {
    /// By size.
    buffers: HashMap<u64, Vec<Buffer>>,
    count: usize,
    bytes: u64,
}

/// The size of a buffer for so many bytes: at most an eighth more.
pub(super) fn class_bytes(bytes: u64) -> u64 {
    let step = (bytes.checked_next_power_of_two().unwrap_or(bytes) / 16).max(256);
    bytes.checked_next_multiple_of(step).unwrap_or(bytes)
}

impl Pool {
    fn kept(&self) -> MutexGuard<'_, FreeBuffers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A buffer for an array's elements, which has any contents. If there is no room for a new one, what is
    /// kept goes first.
    pub(super) fn take(&self, gpu: &Gpu, limits: &Limits, bytes: u64) -> Result<Buffer> {
        let size = class_bytes(bytes).min(limits.buffer_bytes).max(bytes);
        let mut kept = self.kept();
        if let Some(buffer) = kept.buffers.get_mut(&size).and_then(Vec::pop) {
            kept.bytes -= size;
            kept.count -= 1;
            return Ok(buffer);
        }
        drop(kept);
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        match gpu.buffer("array", size, usage) {
            Err(Error::OutOfMemory { .. }) => {
                self.clear();
                // Buffers that the device still uses are freed when it does not.
                gpu.idle()?;
                gpu.buffer("array", size, usage)
            }
            made => made,
        }
    }

    /// Keeps nothing.
    pub(super) fn clear(&self) {
        *self.kept() = FreeBuffers::default();
    }

    /// An array does not need this buffer any more.
    pub(super) fn give(&self, buffer: Buffer) {
        let (mut kept, size) = (self.kept(), buffer.size());
        if kept.bytes.saturating_add(size) <= MOST_BYTES && kept.count < MOST_BUFFERS {
            kept.bytes += size;
            kept.count += 1;
            kept.buffers.entry(size).or_default().push(buffer);
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn classes_are_few_and_waste_little() {
        for bytes in [1, 255, 256, 257, 5000, 1 << 20, (1 << 20) + 1, 3 << 30] {
            let size = class_bytes(bytes);
            assert!(size >= bytes && size.is_multiple_of(256), "{bytes}: {size}");
            assert!(size < bytes + bytes / 8 + 256, "{bytes}: {size}");
            assert_eq!(class_bytes(size), size);
        }
        assert_eq!(class_bytes(1_000_000), class_bytes(999_999));
        assert_eq!(class_bytes(u64::MAX), u64::MAX);
    }
}
