//! Noise that is a function of seed and number, so that it depends on no order.

/// A number of mean 0 and deviation 1, nearly normal, and never beyond ±3.5: the sum of four even ones.
pub(super) fn normal(seed: u64, draw: u64) -> f64 {
    let even = |k: u64| {
        (mix(mix(seed) ^ draw.wrapping_mul(4).wrapping_add(k)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let sum: f64 = (0..4).map(even).sum();
    (sum - 2.0) * 3.0_f64.sqrt()
}

/// SplitMix64's finalizer.
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
