//! The search for a valley: no task, no scheduler, only shares and times.

/// Bins of 0.5 %.
const BINS: usize = 200;
/// The samples that a bin keeps.
const KEPT: usize = 15;

/// The last samples of a bin.
#[derive(Clone, Copy, Default)]
struct Bin {
    kept: [f64; KEPT],
    count: usize,
    at: usize,
}

impl Bin {
    fn add(&mut self, ns: f64) {
        self.kept[self.at] = ns;
        self.at = (self.at + 1) % KEPT;
        self.count = (self.count + 1).min(KEPT);
    }

    /// Without the least and the largest, of more than three.
    fn mean(&self) -> Option<f64> {
        let kept = &self.kept[..self.count];
        let sum: f64 = kept.iter().sum();
        let least = kept.iter().copied().fold(f64::INFINITY, f64::min);
        let most = kept.iter().copied().fold(0.0, f64::max);
        match self.count {
            0 => None,
            1..=3 => Some(sum / self.count as f64),
            count => Some((sum - least - most) / (count - 2) as f64),
        }
    }
}

/// Hill climbing over a time with one valley (ACCEL's `+accelSampling`): shares in bins of 0.5 %, of which each keeps
/// its last 15 samples. Around the bin with the least trimmed mean it probes 5, 10 and 15 bins to where the time
/// does not grow, or to both sides; once it grows to both sides within 15 bins, or at an end, one bin to each side.
pub(super) struct Valley {
    bins: Box<[Bin]>,
    /// The bins to be probed, the next one last.
    probes: Vec<usize>,
    /// The bin that is probed, and how many of its samples are still to come.
    now: usize,
    left: u32,
    samples: u32,
}

impl Valley {
    /// Begins at a share; each probe is so many samples.
    pub(super) fn new(share: f64, samples: u32) -> Valley {
        Valley {
            bins: vec![Bin::default(); BINS + 1].into(),
            probes: Vec::with_capacity(8),
            now: ((share * BINS as f64).round() as usize).min(BINS),
            left: samples,
            samples,
        }
    }

    /// The share to be measured.
    pub(super) fn share(&self) -> f64 {
        self.now as f64 / BINS as f64
    }

    /// The share with the least time so far.
    #[cfg(test)]
    pub(super) fn best(&self) -> f64 {
        self.least()
            .map_or(self.share(), |(bin, _)| bin as f64 / BINS as f64)
    }

    /// A time at this share; true if the share is another one from now on. What is no time is not counted.
    pub(super) fn add(&mut self, ns: f64) -> bool {
        if !(ns.is_finite() && ns > 0.0) {
            return false;
        }
        self.bins[self.now].add(ns);
        self.left = self.left.saturating_sub(1);
        if self.left > 0 {
            return false;
        }
        if self.probes.is_empty() {
            self.look_around();
        }
        let before = self.now;
        self.now = self.probes.pop().unwrap_or(before);
        self.left = self.samples;
        self.now != before
    }

    /// The bin with the least mean, the lowest one of several.
    fn least(&self) -> Option<(usize, f64)> {
        let means = self.bins.iter().enumerate();
        let means = means.filter_map(|(bin, samples)| Some((bin, samples.mean()?)));
        means.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// What is expected of a bin: its mean, or else the lesser one of the next bins to both sides that have one.
    /// So what was not measured is never ruled out.
    fn expected(&self, bin: usize) -> f64 {
        let below = self.bins[..=bin].iter().rev().find_map(Bin::mean);
        let above = self.bins[bin..].iter().find_map(Bin::mean);
        let (below, above) = (
            below.unwrap_or(f64::INFINITY),
            above.unwrap_or(f64::INFINITY),
        );
        below.min(above)
    }

    fn look_around(&mut self) {
        let Some((bin, least)) = self.least() else {
            return;
        };
        let grows_below = self.expected(bin.saturating_sub(15)) > least;
        let grows_above = self.expected((bin + 15).min(BINS)) > least;
        let is_at_end = !(5..=BINS - 5).contains(&bin);
        let steps: &[isize] = match (grows_below, grows_above) {
            _ if is_at_end => &[1, 0, 0, -1],
            (true, true) => &[1, 0, 0, -1],
            (false, true) => &[-5, -10, -15],
            (true, false) => &[5, 10, 15],
            (false, false) => &[10, 5, 0, -5, -10],
        };
        let probes = steps
            .iter()
            .rev()
            .filter_map(|step| bin.checked_add_signed(*step));
        self.probes.extend(probes.filter(|bin| *bin <= BINS));
    }
}
