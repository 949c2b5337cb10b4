//! The functions in masked lanes, as an expert writes them: arrays of values and masks, loops over them that are
//! vectorised, compiled for the machine's vectors, chunks on rayon.

use rayon::prelude::*;

/// A function, by blocks of elements.
pub(crate) trait Lanes: Sync {
    type Out: Send;
    /// Computes the block of elements from `at` on.
    fn block<const N: usize>(&self, at: usize, out: &mut [Self::Out; N]);
}

/// Elements of a chunk.
const CHUNK: usize = 4096;

/// Computes all elements; their number is a multiple of 32.
pub(crate) fn run<L: Lanes>(lanes: &L, out: &mut [L::Out]) {
    out.par_chunks_mut(CHUNK).enumerate().for_each(|(k, out)| {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
                // SAFETY: the machine has the features.
                return unsafe { wide(lanes, k * CHUNK, out) };
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                // SAFETY: the machine has the features.
                return unsafe { narrow(lanes, k * CHUNK, out) };
            }
        }
        blocks::<16, L>(lanes, k * CHUNK, out);
    });
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512dq,avx512vl,avx512bw")]
fn wide<L: Lanes>(lanes: &L, at: usize, out: &mut [L::Out]) {
    blocks::<32, L>(lanes, at, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn narrow<L: Lanes>(lanes: &L, at: usize, out: &mut [L::Out]) {
    blocks::<16, L>(lanes, at, out);
}

#[inline(always)]
fn blocks<const N: usize, L: Lanes>(lanes: &L, at: usize, out: &mut [L::Out]) {
    let (blocks, rest) = out.as_chunks_mut::<N>();
    assert!(rest.is_empty(), "whole blocks");
    for (k, out) in blocks.iter_mut().enumerate() {
        lanes.block::<N>(at + k * N, out);
    }
}

#[inline(always)]
fn load<T: Copy, const N: usize>(from: &[T], at: usize) -> [T; N] {
    from[at..at + N].try_into().expect("whole blocks")
}

#[repr(align(64))]
struct Aligned<T>(T);

#[allow(non_camel_case_types, reason = "called like the function")]
pub(crate) struct mandelbrot<'a> {
    pub(crate) cx: &'a [f32],
    pub(crate) cy: &'a [f32],
    pub(crate) limit: u32,
}

impl Lanes for mandelbrot<'_> {
    type Out = u32;

    #[inline(always)]
    fn block<const N: usize>(&self, at: usize, out: &mut [u32; N]) {
        let cx = Aligned(load::<_, N>(self.cx, at));
        let cy = Aligned(load::<_, N>(self.cy, at));
        let (mut x, mut y) = (Aligned([0.0_f32; N]), Aligned([0.0_f32; N]));
        let (mut n, mut on) = (Aligned([0_u32; N]), Aligned([1_u32; N]));
        for _ in 0..self.limit {
            let mut any = 0;
            for l in 0..N {
                let (xx, yy) = (x.0[l] * x.0[l], y.0[l] * y.0[l]);
                let more = on.0[l] & u32::from(xx + yy <= 4.0);
                y.0[l] = 2.0 * x.0[l] * y.0[l] + cy.0[l];
                x.0[l] = xx - yy + cx.0[l];
                n.0[l] += more;
                on.0[l] = more;
                any |= more;
            }
            if any == 0 {
                break;
            }
        }
        *out = n.0;
    }
}

#[allow(non_camel_case_types, reason = "called like the function")]
pub(crate) struct newton<'a> {
    pub(crate) a: &'a [f64],
    pub(crate) limit: u32,
}

impl Lanes for newton<'_> {
    type Out = f64;

    #[inline(always)]
    fn block<const N: usize>(&self, at: usize, out: &mut [f64; N]) {
        let a = Aligned(load::<_, N>(self.a, at));
        let (mut x, mut on) = (Aligned(a.0), Aligned([1_u64; N]));
        for _ in 0..self.limit {
            let mut any = 0;
            for l in 0..N {
                let next = 0.5 * (x.0[l] + a.0[l] / x.0[l]);
                let done = (next - x.0[l]).abs() <= 1e-14 * next;
                x.0[l] = if on.0[l] != 0 { next } else { x.0[l] };
                on.0[l] &= u64::from(!done);
                any |= on.0[l];
            }
            if any == 0 {
                break;
            }
        }
        *out = x.0;
    }
}

#[allow(non_camel_case_types, reason = "called like the function")]
pub(crate) struct collatz<'a> {
    pub(crate) x: &'a [u32],
    pub(crate) limit: u32,
}

impl Lanes for collatz<'_> {
    type Out = u32;

    #[inline(always)]
    fn block<const N: usize>(&self, at: usize, out: &mut [u32; N]) {
        let (mut x, mut n) = (Aligned(load::<_, N>(self.x, at)), Aligned([0_u32; N]));
        for _ in 0..self.limit {
            let mut any = 0;
            for l in 0..N {
                let more = u32::from(x.0[l] > 1);
                let odd = x.0[l].wrapping_mul(3).wrapping_add(1);
                let next = if x.0[l] & 1 == 0 { x.0[l] / 2 } else { odd };
                x.0[l] = if more != 0 { next } else { x.0[l] };
                n.0[l] += more;
                any |= more;
            }
            if any == 0 {
                break;
            }
        }
        *out = n.0;
    }
}

#[allow(non_camel_case_types, reason = "called like the function")]
pub(crate) struct hash<'a> {
    pub(crate) x: &'a [u32],
    pub(crate) limit: u32,
}

impl Lanes for hash<'_> {
    type Out = u32;

    #[inline(always)]
    fn block<const N: usize>(&self, at: usize, out: &mut [u32; N]) {
        let mut h = Aligned(load::<_, N>(self.x, at));
        for l in 0..N {
            h.0[l] ^= 0x9e37_79b9;
        }
        for round in 0..self.limit {
            for l in 0..N {
                let mixed = (h.0[l] ^ (h.0[l] >> 16)).wrapping_mul(0x85eb_ca6b);
                h.0[l] = mixed.wrapping_add(round).rotate_left(13);
            }
        }
        *out = h.0;
    }
}
