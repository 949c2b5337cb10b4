//! What the machine can do at most.

use crate::stats;
use std::{hint::black_box, thread, time::Instant};

/// Bytes per second, in 10^9, that all cores together read and write when they copy arrays much
/// larger than the caches: the best of `rounds`.
#[must_use]
pub fn copy_gigabytes_per_s(array_bytes: usize, rounds: usize) -> f64 {
    let from = vec![1_u8; array_bytes];
    let mut to = vec![0_u8; array_bytes];
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let piece = array_bytes.div_ceil(threads).max(1);
    let mut round = || {
        let start = Instant::now();
        thread::scope(|scope| {
            for (to, from) in to.chunks_mut(piece).zip(from.chunks(piece)) {
                scope.spawn(|| black_box(to).copy_from_slice(black_box(from)));
            }
        });
        start.elapsed().as_secs_f64()
    };
    let times: Vec<f64> = (0..rounds.max(1)).map(|_| round()).collect();
    2.0 * array_bytes as f64 / stats::least(&times) / 1e9
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn memory_has_a_speed() {
        let speed = copy_gigabytes_per_s(1 << 22, 3);
        assert!(speed.is_finite() && speed > 0.01, "{speed} GB/s");
    }
}
