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
    /// x86-64-v4: AVX-512; only with the feature `avx512`.
    V4 = 3,
}

/// The one in use; 0 until the first call.
static CHOSEN: AtomicU8 = AtomicU8::new(0);

/// A loop. `run` must be `#[inline(always)]`, and so must be what it calls, for the instruction set
/// to reach it.
pub trait Body {
    /// The result.
    type Output;
    /// Runs the loop.
    fn run(self) -> Self::Output;
}

/// Runs the body, compiled for the machine's instruction set.
#[inline]
pub fn dispatch<B: Body>(body: B) -> B::Output {
    let isa = match CHOSEN.load(Relaxed) {
        0 => choose(Isa::V4) as u8,
        isa => isa,
    };
    #[cfg(target_arch = "x86_64")]
    {
        #[cfg(feature = "avx512")]
        if isa == Isa::V4 as u8 {
            // SAFETY: chosen only where the machine has the features.
            return unsafe { v4(body) };
        }
        if isa == Isa::V3 as u8 {
            // SAFETY: chosen only where the machine has the features.
            return unsafe { v3(body) };
        }
    }
    let _ = isa;
    body.run()
}

/// Uses the best instruction set that is at most `limit` and that the machine has; says which. For
/// tests and benchmarks: all give the same bits.
#[cold]
pub fn choose(limit: Isa) -> Isa {
    let best = best().min(limit);
    CHOSEN.store(best as u8, Relaxed);
    best
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
fn best() -> Isa {
    let v3 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("movbe")
        && is_x86_feature_detected!("popcnt");
    let v4 = v3
        && cfg!(feature = "avx512")
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
fn best() -> Isa {
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
