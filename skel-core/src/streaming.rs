//! Which results go to memory past the caches.
//!
//! A plain store reads its cache line before it writes it. A result that is larger than the caches is not there any more
//! when the next call reads it, so it is streamed: written without being read, which saves a third of what a triad moves.
//! Only what is computed without loops is, and prefixes of floats under `+`, `*`, `min` and `max`, which are scanned in
//! blocks: other functions do not wait for memory. Of x86-64, machines with AVX2 stream; for others, a loop more would have to
//! be compiled for each function.
//!
//! They are written a block at a time, as soon as it is computed: so what is read and what is written is on its way together.
//! A stage of 8 KiB in the cache would need no loops of its own, but reads and writes take turns then: a triad took 29 ms
//! instead of 22 (2²⁵ elements, one thread of a Zen 4). Even one of a kibibyte made a scan of `f32` take 10 to 25 ms, by
//! where memory lay, and plain stores 9: what is stored there and loaded again waits behind streaming stores.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Results of so many bytes in a call are streamed. The last caches of cores hold 16 to 32 MiB, and arguments want a part
/// of them.
const AT_LEAST_BYTES: usize = 32 << 20;

static CHOSEN: AtomicUsize = AtomicUsize::new(AT_LEAST_BYTES);

/// From now on, results of so many bytes are streamed; `None` for as many as usual. For tests and benchmarks: what is
/// written is the same.
pub fn choose(at_least_bytes: Option<usize>) {
    CHOSEN.store(at_least_bytes.unwrap_or(AT_LEAST_BYTES), Relaxed);
}

/// Whether so many bytes of results are streamed.
pub(crate) fn pays(bytes: usize) -> bool {
    bytes >= CHOSEN.load(Relaxed)
}
