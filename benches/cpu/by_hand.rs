//! How an expert divides work: small calls on the calling thread, others in equal chunks on rayon's threads, each
//! compiled for the machine's vectors.

use rayon::prelude::*;

/// Below so many bytes, another thread costs more than it does.
const SMALL_BYTES: usize = 1 << 17;

/// Chunks of so many bytes stay in a core's cache.
const CHUNK_BYTES: usize = 1 << 18;

/// A loop, compiled for AVX2 where the machine has it.
#[macro_export]
macro_rules! vectorised {
    ($(#[$doc:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)? $body:block) => {
        $(#[$doc])*
        $vis fn $name($($arg: $ty),*) $(-> $ret)? {
            #[inline(always)]
            fn body($($arg: $ty),*) $(-> $ret)? $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn wide($($arg: $ty),*) $(-> $ret)? {
                body($($arg),*)
            }

            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                // SAFETY: the machine has the features.
                return unsafe { wide($($arg),*) };
            }
            body($($arg),*)
        }
    };
}

/// Elements of a chunk; all, if there are few.
pub(crate) fn chunk_elems(elems: usize, elem_bytes: usize) -> usize {
    match elems * elem_bytes <= SMALL_BYTES {
        true => elems.max(1),
        false => (CHUNK_BYTES / elem_bytes).min(elems.div_ceil(rayon::current_num_threads())),
    }
}

/// Writes chunks of `out`, given the index of their first elements.
pub(crate) fn fill<T: Send>(out: &mut [T], write: impl Fn(usize, &mut [T]) + Sync) {
    let chunk = chunk_elems(out.len(), size_of::<T>());
    match chunk >= out.len() {
        true => write(0, out),
        false => out
            .par_chunks_mut(chunk)
            .enumerate()
            .for_each(|(k, part)| write(k * chunk, part)),
    }
}

/// The sum of what chunks give.
pub(crate) fn total<T: Send + std::iter::Sum>(
    elems: usize,
    elem_bytes: usize,
    of: impl Fn(std::ops::Range<usize>) -> T + Sync,
) -> T {
    let chunk = match elems * elem_bytes <= SMALL_BYTES {
        true => elems.max(1),
        false => elems.div_ceil(rayon::current_num_threads()),
    };
    let part = |k: usize| of(k * chunk..((k + 1) * chunk).min(elems));
    match chunk >= elems {
        true => part(0),
        false => (0..elems.div_ceil(chunk)).into_par_iter().map(part).sum(),
    }
}
