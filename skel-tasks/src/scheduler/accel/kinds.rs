//! What is known of each kind of tasks on each side, and the greedy allocation.

use super::{
    dealer::deal,
    side::{Side, Sides},
    split::Done,
};
use crate::{KindId, View, model::Moments};

/// A kind of tasks.
#[derive(Clone, Copy, Default)]
struct Kind {
    /// Execution times on host and devices, without the first one, which pays for what is done once.
    took: [Moments; 2],
    has_first: [bool; 2],
    /// How many that both sides can run were decided, and how many of them for which side while both were tried.
    free: u64,
    tried: [u64; 2],
    /// How many only one side can run.
    forced: [u64; 2],
    share: f64,
    short: f64,
}

impl Kind {
    fn is_known(&self, samples: u32) -> bool {
        self.took
            .iter()
            .all(|took| took.count() >= u64::from(samples))
    }
}

/// Total times of a kind on either side, and the devices' share that comes of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Load {
    pub(super) kind: usize,
    pub(super) host_ns: f64,
    pub(super) device_ns: f64,
    pub(super) share: f64,
}

/// The greedy allocation: all on the host; then kinds go to the devices, those first that gain most there by the
/// ratio of host to device time, as long as the host is the longer one. Of the last, just enough that both sides
/// take the same time. `host_ns` and `device_ns` is what cannot be moved.
pub(super) fn allocate(loads: &mut [Load], host_ns: f64, mut device_ns: f64) {
    loads.sort_unstable_by(|a, b| {
        // a.host / a.device against b.host / b.device, the better one first; ties in the order of kinds
        let order = (b.host_ns * a.device_ns).total_cmp(&(a.host_ns * b.device_ns));
        order.then(a.kind.cmp(&b.kind))
    });
    let mut rest_ns = host_ns + loads.iter().map(|load| load.host_ns).sum::<f64>();
    for load in loads {
        rest_ns -= load.host_ns;
        let both_ns = load.host_ns + load.device_ns;
        let part = match both_ns > 0.0 {
            // Where rest + (1 − share) · host = device + share · its own.
            true => (rest_ns + load.host_ns - device_ns) / both_ns,
            false => 0.0,
        };
        load.share = part.clamp(0.0, 1.0);
        device_ns += load.share * load.device_ns;
        rest_ns += (1.0 - load.share) * load.host_ns;
    }
}

/// All kinds that were seen.
pub(super) struct Kinds {
    kinds: Vec<Kind>,
    /// So many times of each side make a kind known.
    samples: u32,
    /// How many kinds that both sides can run are not known.
    unknown: usize,
    loads: Vec<Load>,
}

impl Kinds {
    pub(super) fn new(samples: u32) -> Kinds {
        Kinds {
            kinds: Vec::new(),
            samples,
            unknown: 0,
            loads: Vec::new(),
        }
    }

    fn of(&mut self, kind: KindId) -> &mut Kind {
        let k = kind.0 as usize;
        if k >= self.kinds.len() {
            self.kinds.resize(k + 1, Kind::default());
        }
        &mut self.kinds[k]
    }

    /// Whether all kinds that both sides can run are known.
    pub(super) fn are_known(&self) -> bool {
        self.unknown == 0
    }

    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether both sides can run tasks of this kind.
    pub(super) fn is_free(&self, kind: usize) -> bool {
        self.kinds.get(kind).is_some_and(|kind| kind.free > 0)
    }

    pub(super) fn share(&self, kind: usize) -> f64 {
        self.kinds.get(kind).map_or(0.0, |kind| kind.share)
    }

    pub(super) fn set_share(&mut self, kind: usize, share: f64) {
        if let Some(kind) = self.kinds.get_mut(kind) {
            kind.share = share;
        }
    }

    /// The side of the next task: by the kind's share, or to and fro until the kind is known.
    pub(super) fn side(&mut self, id: KindId) -> Side {
        let samples = self.samples;
        let kind = self.of(id);
        kind.free += 1;
        let (is_known, is_new) = (kind.is_known(samples), kind.free == 1);
        if is_new && !is_known {
            self.unknown += 1;
        }
        let kind = self.of(id);
        if is_known {
            return deal(&mut kind.short, kind.share);
        }
        let side = if kind.tried[0] <= kind.tried[1] {
            Side::Host
        } else {
            Side::Device
        };
        kind.tried[side as usize] += 1;
        side
    }

    pub(super) fn forced(&mut self, kind: KindId, side: Side) {
        self.of(kind).forced[side as usize] += 1;
    }

    /// Counts a time; whether all kinds are known from now on, and were not before.
    pub(super) fn done(&mut self, done: &Done) -> bool {
        if done.took_ns == 0 {
            return false;
        }
        let samples = self.samples;
        let (kind, side) = (self.of(done.kind), done.side as usize);
        if !std::mem::replace(&mut kind.has_first[side], true) {
            return false;
        }
        let was_known = kind.is_known(samples);
        kind.took[side].add(done.took_ns as f64);
        if was_known || kind.free == 0 || !kind.is_known(samples) {
            return false;
        }
        self.unknown -= 1;
        self.unknown == 0
    }

    /// The greedy allocation of all kinds that are known, as often as each was seen. A side without workers is not
    /// reckoned with.
    pub(super) fn allocate(&mut self, sides: &Sides, view: &View<'_>) {
        let workers = [Side::Host, Side::Device].map(|side| f64::from(sides.live(side, view)));
        if workers.contains(&0.0) {
            return;
        }
        self.loads.clear();
        let mut fixed_ns = [0.0; 2];
        for (k, kind) in self.kinds.iter().enumerate() {
            let time =
                |side: usize, count: u64| kind.took[side].mean() * count as f64 / workers[side];
            for (side, ns) in fixed_ns.iter_mut().enumerate() {
                *ns += time(side, kind.forced[side]);
            }
            if kind.free > 0 && kind.is_known(self.samples) {
                self.loads.push(Load {
                    kind: k,
                    host_ns: time(0, kind.free),
                    device_ns: time(1, kind.free),
                    share: 0.0,
                });
            }
        }
        allocate(&mut self.loads, fixed_ns[0], fixed_ns[1]);
        for load in &self.loads {
            self.kinds[load.kind].share = load.share;
        }
    }
}
