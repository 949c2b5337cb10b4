//! One loop body, compiled for several instruction sets; the best one is chosen at run time.
//!
//! The bits of a result do not depend on the choice: rustc never contracts or reassociates, and
//! `mul_add` is exact with the instruction and without it.
#![allow(
    unsafe_code,
    reason = "calls of functions with target features, behind their detection"
)]

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// An instruction set that host functions are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Isa {
    /// What the crate was compiled for.
    Baseline = 1,
    /// x86-64-v3: AVX2 and FMA.
    V3 = 2,
    /// x86-64-v4: AVX-512; only with the feature `avx512`, but for blocks of lanes.
    V4 = 3,
}

/// Whether there is nothing better than what the crate is compiled for anyway: another architecture, or x86-64-v3 already.
/// Then bodies are compiled once. Under Miri, there is nothing better, either.
const ONLY_BASELINE: bool = cfg!(any(
    miri,
    not(target_arch = "x86_64"),
    all(
        not(feature = "avx512"),
        target_feature = "avx2",
        target_feature = "fma",
        target_feature = "bmi1",
        target_feature = "bmi2",
        target_feature = "lzcnt",
        target_feature = "f16c",
        target_feature = "movbe",
        target_feature = "popcnt"
    )
));

/// The one in use; 0 until the first call.
static CHOSEN: AtomicU8 = AtomicU8::new(0);

/// The one in use for blocks of lanes; 0 until the first call.
static CHOSEN_FOR_LANES: AtomicU8 = AtomicU8::new(0);

/// A loop. `run` must be `#[inline(always)]`, and so must be what it calls, for the instruction set
/// to reach it: all but what is done once for many elements, which is compiled for the baseline and for all bodies together.
pub trait Body {
    /// The result.
    type Output;
    /// Runs the loop.
    fn run(self) -> Self::Output;

    /// Runs the loop on an x86-64 machine without x86-64-v3, with the same bits. Perhaps it takes longer than it could: it is
    /// compiled for so few.
    #[inline(always)]
    fn run_baseline(self) -> Self::Output
    where
        Self: Sized,
    {
        self.run()
    }
}

/// Runs the body, compiled for the machine's instruction set.
#[inline(always)]
pub fn dispatch<B: Body>(body: B) -> B::Output {
    if const { ONLY_BASELINE } {
        return body.run();
    }
    match dispatched(body) {
        Ok(output) => output,
        Err(body) => body.run_baseline(),
    }
}

/// Whether [`dispatch_vectors`] runs bodies.
pub(crate) fn has_vectors() -> bool {
    cfg!(target_arch = "x86_64") && (ONLY_BASELINE || chosen() > Isa::Baseline as u8)
}

/// Runs the body on machines that have x86-64-v3 at least: it is not compiled for others. `None` there.
#[inline(always)]
pub(crate) fn dispatch_vectors<B: Body>(body: B) -> Option<B::Output> {
    if const { !cfg!(target_arch = "x86_64") } {
        return None;
    }
    if const { ONLY_BASELINE } {
        return Some(body.run());
    }
    dispatched(body).ok()
}

/// Runs the body, unless the machine has nothing but the baseline.
#[inline(always)]
fn dispatched<B: Body>(body: B) -> Result<B::Output, B> {
    let isa = chosen();
    #[cfg(target_arch = "x86_64")]
    {
        #[cfg(feature = "avx512")]
        if isa == Isa::V4 as u8 {
            // SAFETY: chosen only where the machine has the features.
            return Ok(unsafe { v4(body) });
        }
        if isa == Isa::V3 as u8 {
            // SAFETY: chosen only where the machine has the features.
            return Ok(unsafe { v3(body) });
        }
    }
    let _ = isa;
    Err(body)
}

/// A loop over blocks of elements, each computed in lanes (see [`crate::lanes`]). The same holds for `run` as in
/// [`Body`].
pub trait LaneBody {
    /// The result.
    type Output;
    /// Runs the loop, with `N` lanes.
    fn run<const N: usize>(self) -> Self::Output;
}

/// The most lanes that a block has on any machine.
pub const MOST_LANES: usize = 32;

/// The lanes of a block on this machine; 0 where there are none, since they would not pay.
///
/// There are more than fit into one vector: rounds are computed interleaved, so that none waits for another.
#[inline]
#[must_use]
pub fn lanes() -> usize {
    let isa = chosen_for_lanes();
    if isa == Isa::V4 as u8 {
        MOST_LANES
    } else if isa == Isa::V3 as u8 || !cfg!(target_arch = "x86_64") {
        16
    } else {
        0
    }
}

/// Runs the body with [`lanes`] lanes; `None` where there are none. It is compiled for x86-64-v4 without the feature
/// `avx512` as well: only functions with loops have such bodies, and they gain most.
#[inline]
pub fn dispatch_lanes<B: LaneBody>(body: B) -> Option<B::Output> {
    #[cfg(target_arch = "x86_64")]
    {
        let isa = chosen_for_lanes();
        if isa == Isa::V4 as u8 {
            // SAFETY: chosen only where the machine has the features.
            return Some(unsafe { v4_lanes(body) });
        }
        if isa == Isa::V3 as u8 {
            // SAFETY: chosen only where the machine has the features.
            return Some(unsafe { v3_lanes(body) });
        }
        None
    }
    #[cfg(not(target_arch = "x86_64"))]
    Some(any_lanes(body))
}

/// Not inlined, so that only what runs it needs the room on the stack.
#[cfg(not(target_arch = "x86_64"))]
#[inline(never)]
fn any_lanes<B: LaneBody>(body: B) -> B::Output {
    body.run::<16>()
}

#[inline(always)]
fn chosen() -> u8 {
    match CHOSEN.load(Relaxed) {
        0 => choose(Isa::V4) as u8,
        isa => isa,
    }
}

#[inline]
fn chosen_for_lanes() -> u8 {
    match CHOSEN_FOR_LANES.load(Relaxed) {
        0 => {
            choose(Isa::V4);
            CHOSEN_FOR_LANES.load(Relaxed)
        }
        isa => isa,
    }
}

/// The instruction set in use: the best one of this machine, unless [`choose`] has said otherwise.
#[must_use]
pub fn current() -> Isa {
    let chosen = chosen();
    [Isa::V4, Isa::V3]
        .into_iter()
        .find(|isa| *isa as u8 == chosen)
        .unwrap_or(Isa::Baseline)
}

/// Uses the best instruction set that is at most `limit` and that the machine has; says which. For
/// tests and benchmarks: all give the same bits.
#[cold]
pub fn choose(limit: Isa) -> Isa {
    let machine = machine().min(limit);
    let best = match machine {
        Isa::V4 if !cfg!(feature = "avx512") => Isa::V3,
        best => best,
    };
    CHOSEN.store(best as u8, Relaxed);
    CHOSEN_FOR_LANES.store(machine as u8, Relaxed);
    best
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
fn machine() -> Isa {
    let v3 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("movbe")
        && is_x86_feature_detected!("popcnt");
    let v4 = v3
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    match (v3, v4) {
        (_, true) => Isa::V4,
        (true, false) => Isa::V3,
        (false, false) => Isa::Baseline,
    }
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn machine() -> Isa {
    Isa::Baseline
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,f16c,movbe,popcnt")]
fn v3<B: Body>(body: B) -> B::Output {
    body.run()
}

#[cfg(all(target_arch = "x86_64", feature = "avx512"))]
#[target_feature(
    enable = "avx2,fma,bmi1,bmi2,lzcnt,f16c,movbe,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
)]
fn v4<B: Body>(body: B) -> B::Output {
    body.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,f16c,movbe,popcnt")]
fn v3_lanes<B: LaneBody>(body: B) -> B::Output {
    body.run::<16>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx2,fma,bmi1,bmi2,lzcnt,f16c,movbe,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
)]
fn v4_lanes<B: LaneBody>(body: B) -> B::Output {
    body.run::<32>()
}
