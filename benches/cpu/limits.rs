//! What the machine's memory gives at most: read, copied and written around the caches, by all threads.

use rayon::prelude::*;
use tuner::{Budget, Race};

/// A line of text: read, copy and copy with streaming stores, of arrays that no cache holds.
pub(crate) fn measured(elems: usize, budget: &Budget) -> String {
    let x: Vec<u64> = (0..elems as u64).collect();
    let mut y = vec![0_u64; elems];
    let chunk = elems.div_ceil(rayon::current_num_threads());
    let bytes = elems * size_of::<u64>();
    let read = Race::new("read", elems, bytes)
        .contender("read", || {
            let parts = x.par_chunks(chunk);
            parts
                .map(|x| x.iter().fold(0, |a, b| a ^ b))
                .reduce(|| 0, |a, b| a ^ b)
        })
        .run(budget);
    let copy = Race::new("copy", elems, 2 * bytes)
        .contender("copy", || {
            let parts = x.par_chunks(chunk).zip(y.par_chunks_mut(chunk));
            // Large copies of the C library go around the caches by themselves.
            parts.for_each(|(x, y)| y.copy_from_slice(x));
        })
        .run(budget);
    let rate = |bytes: usize, seconds: f64| bytes as f64 / seconds / 1e9;
    format!(
        "the machine's memory: {:.1} GB/s read, {:.1} GB/s copied",
        rate(bytes, read.of("read").median_s()),
        rate(2 * bytes, copy.of("copy").median_s()),
    )
}
