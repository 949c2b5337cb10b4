//! What a unit takes for what it does: a pure function.

use super::{Load, density::Density, noise};
use skel_core::{
    plan::{BlockConfig, BlockConfigs, Kernel, MOST_BLOCK_CONFIGS},
    space::IndexSpace,
};
use std::{ops::Range, sync::Arc, time::Duration};

/// The time that a unit takes: of a launch, by how many elements it computes, where in the call they lie
/// and of which user function; of a transfer, by its bytes.
///
/// A law knows no clock. The same questions get the same answers, noise included.
///
/// ```
/// use skel::mock::Law;
///
/// let law = Law::per_elem_ns(2.0)
///     .latency_ns(1_000.0)
///     .knee(1_000_000, 5.0)
///     .transfers(20_000.0, 0.1);
/// assert_eq!(law.launch_ns(&(0..500), 500, 0), 2_000.0);
/// assert_eq!(law.upload_ns(1 << 20, 0), 20_000.0 + 104_857.6);
/// ```
#[derive(Clone, Debug)]
pub struct Law {
    /// From how many elements on, and what each of them takes.
    speeds: Vec<(f64, f64)>,
    latency_ns: f64,
    density: Option<Arc<Density>>,
    /// User functions whose elements take so many times as much.
    factors: Vec<(String, f64)>,
    /// Block configurations, and how many times as much an element takes in them.
    blocks: Vec<(BlockConfig, f64)>,
    upload: Line,
    download: Line,
    memory_bytes: Option<u64>,
    /// Relative standard deviation, and the seed.
    noise: (f64, u64),
    load: Option<Load>,
}

/// How a device launches of which nothing else was asked.
const USUAL_BLOCK: BlockConfig = BlockConfig {
    lanes: 256,
    elems_per_lane: 1,
};

/// Latency, and what a byte takes.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    latency_ns: f64,
    ns_per_byte: f64,
}

impl Line {
    fn new(latency_ns: f64, ns_per_byte: f64) -> Self {
        Line {
            latency_ns: sound(latency_ns),
            ns_per_byte: sound(ns_per_byte),
        }
    }

    fn at(self, bytes: u64) -> f64 {
        self.latency_ns + self.ns_per_byte * bytes as f64
    }
}

/// What is no time takes none.
fn sound(ns: f64) -> f64 {
    if ns.is_finite() { ns.max(0.0) } else { 0.0 }
}

/// A time in whole nanoseconds.
pub(crate) fn nanos(ns: f64) -> Duration {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "no time is negative, and what has no room is long enough"
    )]
    Duration::from_nanos(ns.round() as u64)
}

impl Law {
    /// Each element takes so long; all else takes no time.
    #[must_use]
    pub fn per_elem_ns(ns: f64) -> Law {
        Law {
            speeds: vec![(0.0, sound(ns))],
            latency_ns: 0.0,
            density: None,
            factors: Vec::new(),
            blocks: Vec::new(),
            upload: Line::default(),
            download: Line::default(),
            memory_bytes: None,
            noise: (0.0, 0),
            load: None,
        }
    }

    /// A launch takes so long before its first element.
    #[must_use]
    pub fn latency_ns(self, ns: f64) -> Law {
        let latency_ns = sound(ns);
        Law { latency_ns, ..self }
    }

    /// Of a launch, the elements beyond so many take `ns` each, as when a cache is full. May be said
    /// several times, for several caches.
    #[must_use]
    pub fn knee(mut self, elems: usize, ns: f64) -> Law {
        self.speeds.push((elems as f64, sound(ns)));
        self.speeds.sort_by(|a, b| a.0.total_cmp(&b.0));
        self
    }

    /// An element takes as many times as much as `density` says for its place in the call, from 0 for the
    /// first to 1 for the last: some rows of a picture take longer than others.
    ///
    /// ```
    /// use skel::mock::Law;
    ///
    /// let law = Law::per_elem_ns(1.0).density(|x| 2.0 * x);
    /// let ns = |range| law.launch_ns(&range, 1000, 0).round();
    /// assert_eq!((ns(0..500), ns(500..1000), ns(0..1000)), (250.0, 750.0, 1000.0));
    /// ```
    #[must_use]
    pub fn density(self, density: impl Fn(f64) -> f64) -> Law {
        let density = Some(Arc::new(Density::new(density)));
        Law { density, ..self }
    }

    /// Elements of kernels whose user function or operator has this name take `factor` times as much.
    #[must_use]
    pub fn factor(mut self, function: impl Into<String>, factor: f64) -> Law {
        self.factors.push((function.into(), sound(factor)));
        self
    }

    /// Uploads take a latency, and so long for each byte.
    #[must_use]
    pub fn uploads(self, latency_ns: f64, ns_per_byte: f64) -> Law {
        Law {
            upload: Line::new(latency_ns, ns_per_byte),
            ..self
        }
    }

    /// Downloads take a latency, and so long for each byte.
    #[must_use]
    pub fn downloads(self, latency_ns: f64, ns_per_byte: f64) -> Law {
        Law {
            download: Line::new(latency_ns, ns_per_byte),
            ..self
        }
    }

    /// Transfers of both ways take a latency, and so long for each byte.
    #[must_use]
    pub fn transfers(self, latency_ns: f64, ns_per_byte: f64) -> Law {
        self.uploads(latency_ns, ns_per_byte)
            .downloads(latency_ns, ns_per_byte)
    }

    /// The device has only so much memory.
    #[must_use]
    pub fn memory_bytes(self, bytes: u64) -> Law {
        let memory_bytes = Some(bytes);
        Law {
            memory_bytes,
            ..self
        }
    }

    /// All times are blurred, independently of each other: `relative` is the standard deviation, and none
    /// is off by more than three and a half of it.
    #[must_use]
    pub fn noise(self, relative: f64, seed: u64) -> Law {
        let noise = (sound(relative), seed);
        Law { noise, ..self }
    }

    /// In this block configuration, an element takes so many times as much; the device offers it, besides its
    /// usual one, which is 256x1.
    #[must_use]
    pub fn block(mut self, block: BlockConfig, factor: f64) -> Law {
        self.blocks.retain(|(known, _)| *known != block);
        self.blocks.push((block, sound(factor)));
        self
    }

    /// The block configurations that the device offers.
    pub(crate) fn block_configs(&self) -> BlockConfigs {
        if self.blocks.is_empty() {
            return BlockConfigs::new();
        }
        let offered = self.blocks.iter().map(|(block, _)| *block);
        let others = offered.filter(|block| *block != USUAL_BLOCK);
        [USUAL_BLOCK]
            .into_iter()
            .chain(others)
            .take(MOST_BLOCK_CONFIGS)
            .collect()
    }

    /// Everything takes as many times as much as the load says at that moment.
    #[must_use]
    pub fn under(self, load: &Load) -> Law {
        let load = Some(load.clone());
        Law { load, ..self }
    }

    /// What a launch takes that computes elements `range` of `elems`. `draw` is its number, for the noise.
    #[must_use]
    pub fn launch_ns(&self, range: &Range<usize>, elems: usize, draw: u64) -> f64 {
        self.scaled_ns(1.0, range, elems, draw)
    }

    /// What a phase of a kernel takes: a scan has two, which take as much as any launch.
    pub(crate) fn phase_ns(
        &self,
        kernel: Option<&Kernel>,
        range: &Range<usize>,
        space: &IndexSpace,
        block: Option<BlockConfig>,
        draw: u64,
    ) -> f64 {
        let names = |kernel: &Kernel| {
            let name = |function| kernel.program.function(function).name;
            [Some(name(kernel.map)), kernel.operator.map(name)]
        };
        let names = kernel.map_or([None; 2], names);
        let mut factors = self.factors.iter();
        let factor = factors.find(|(name, _)| names.contains(&Some(&**name)));
        let factor = factor.map_or(1.0, |(_, factor)| *factor);
        let folded = space.along().map_or(1.0, |along| along.depth() as f64);
        let block = block.unwrap_or(USUAL_BLOCK);
        let in_block = self.blocks.iter().find(|(known, _)| *known == block);
        let in_block = in_block.map_or(1.0, |(_, factor)| *factor);
        self.scaled_ns(factor * folded * in_block, range, space.elems(), draw)
    }

    fn scaled_ns(&self, factor: f64, range: &Range<usize>, elems: usize, draw: u64) -> f64 {
        if range.is_empty() {
            return 0.0;
        }
        let weighed = match &self.density {
            None => range.len() as f64,
            Some(density) => {
                let place = |i: usize| i as f64 / elems.max(range.end) as f64;
                density.between(place(range.start), place(range.end)) * elems as f64
            }
        };
        self.blur(self.latency_ns + factor * self.elements_ns(weighed), draw)
    }

    /// What an upload of so many bytes takes.
    #[must_use]
    pub fn upload_ns(&self, bytes: u64, draw: u64) -> f64 {
        self.blur(self.upload.at(bytes), draw)
    }

    /// What a download of so many bytes takes.
    #[must_use]
    pub fn download_ns(&self, bytes: u64, draw: u64) -> f64 {
        self.blur(self.download.at(bytes), draw)
    }

    /// The memory of the device, if the law says.
    #[must_use]
    pub fn memory(&self) -> Option<u64> {
        self.memory_bytes
    }

    fn elements_ns(&self, elems: f64) -> f64 {
        let ends = self.speeds.iter().skip(1).map(|(from, _)| *from);
        let ends = ends.chain([f64::INFINITY]);
        let spans = self.speeds.iter().zip(ends);
        spans
            .map(|((from, ns), end)| (elems.min(end) - from).max(0.0) * ns)
            .sum()
    }

    fn blur(&self, ns: f64, draw: u64) -> f64 {
        let (relative, seed) = self.noise;
        let load = self.load.as_ref().map_or(1.0, Load::get);
        let blur = match relative {
            0.0 => 1.0,
            _ => (1.0 + relative * noise::normal(seed, draw)).max(0.0),
        };
        ns * load * blur
    }
}

#[cfg(test)]
mod test {
    use super::*;

    fn ns(law: &Law, range: Range<usize>, elems: usize) -> f64 {
        law.launch_ns(&range, elems, 0)
    }

    #[test]
    fn elements_beyond_a_knee_take_what_it_says() {
        let law = Law::per_elem_ns(1.0)
            .latency_ns(7.0)
            .knee(300, 10.0)
            .knee(100, 3.0);
        assert_eq!(ns(&law, 0..100, 1000), 107.0);
        assert_eq!(ns(&law, 0..300, 1000), 7.0 + 100.0 + 600.0);
        assert_eq!(ns(&law, 500..1000, 1000), 7.0 + 100.0 + 600.0 + 2000.0);
        // Nothing is not launched.
        assert_eq!(ns(&law, 5..5, 1000), 0.0);
    }

    #[test]
    fn parts_of_a_call_add_up_to_it() {
        let law = Law::per_elem_ns(3.0).density(|x| (6.0 * x).sin().abs());
        let whole = ns(&law, 0..10_007, 10_007);
        for cut in [1, 17, 5_000, 10_006] {
            let sum = ns(&law, 0..cut, 10_007) + ns(&law, cut..10_007, 10_007);
            assert!((sum - whole).abs() < 1e-6 * whole, "{cut}: {sum} {whole}");
        }
    }

    #[test]
    fn a_load_is_a_factor_of_everything() {
        let load = Load::new();
        let law = Law::per_elem_ns(1.0).transfers(1.0, 2.0).under(&load);
        assert_eq!(law.launch_ns(&(0..10), 10, 0), 10.0);
        load.set(2.5);
        assert_eq!(law.launch_ns(&(0..10), 10, 0), 25.0);
        assert_eq!((law.upload_ns(10, 0), law.download_ns(0, 0)), (52.5, 2.5));
    }

    #[test]
    fn noise_has_the_deviation_that_was_asked_for() {
        let law = Law::per_elem_ns(1.0).noise(0.05, 42);
        let times: Vec<f64> = (0..20_000)
            .map(|draw| law.launch_ns(&(0..1000), 1000, draw) / 1000.0)
            .collect();
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        let square = |t: &f64| (t - mean) * (t - mean);
        let deviation = (times.iter().map(square).sum::<f64>() / times.len() as f64).sqrt();
        assert!((mean - 1.0).abs() < 0.002, "{mean}");
        assert!((deviation - 0.05).abs() < 0.002, "{deviation}");
        assert!(times.iter().all(|t| (0.8..1.2).contains(t)));
        // The same again.
        assert_eq!(law.launch_ns(&(0..1000), 1000, 7) / 1000.0, times[7]);
        let other = Law::per_elem_ns(1.0).noise(0.05, 43);
        assert_ne!(other.launch_ns(&(0..1000), 1000, 7) / 1000.0, times[7]);
    }

    #[test]
    fn what_is_no_time_takes_none() {
        let law = Law::per_elem_ns(f64::NAN)
            .latency_ns(-1.0)
            .transfers(f64::INFINITY, -3.0)
            .density(|_| f64::NAN);
        assert_eq!(ns(&law, 0..10, 10), 0.0);
        assert_eq!(law.upload_ns(5, 0), 0.0);
    }
}
