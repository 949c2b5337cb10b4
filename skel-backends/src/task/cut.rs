//! How a call is cut into chunks.
//!
//! The cut depends on the call, on how many chunks were asked for, and on the number of workers, and on nothing
//! that was measured. Folds and scans are cut where tiles end, so that no cut changes a bit of theirs.

use skel_core::{
    Result,
    call::{Access, Call, Operand},
    host_memory,
    plan::Grouping,
};
use std::ops::Range;

/// Chunks for each worker, if the user does not say how many there are to be: enough that those who are slow
/// take fewer.
const PER_WORKER: usize = 4;

/// Chunks are no smaller than that, unless they were asked for: 20 times what a task costs, at a nanosecond per
/// element.
const LEAST_ELEMS: usize = 1 << 14;

/// Chunks begin at multiples of that, so that no two write one cache line.
const GRAIN: usize = 64;

/// The chunks of a call, in order; together they are the call.
pub(crate) fn cut(
    call: &Call<'_>,
    wanted: Option<usize>,
    workers: usize,
) -> Result<Vec<Range<usize>>> {
    let elems = call.space.elems();
    if call.is_sweep() {
        return in_grains(elems, 1, elems.max(1));
    }
    let heavy = call.phases.kernel().map_or(true, |kernel| {
        kernel.weight == skel_core::ir::Weight::Unknown
    });
    let count = wanted.unwrap_or_else(|| {
        let usual = PER_WORKER.saturating_mul(workers);
        match heavy || call.space.along().is_some() || call.has_lines() {
            true => usual,
            false => usual.min(elems / LEAST_ELEMS).max(1),
        }
    });
    match call.grain() {
        // The grouping of folds and scans is not cut elsewhere: if need be, there are fewer chunks.
        // Nor is a block of lines, whose hulls would overlap.
        Some(grain) if call.has_lines() => {
            in_grains(elems, count.min(elems.div_ceil(grain)), grain)
        }
        None if call.has_lines() => even(elems, count, 1),
        Some(grain) => {
            let tile = Grouping::of(call.phases).tile_elems();
            let grain = if elems / grain >= count { grain } else { tile };
            in_grains(elems, count.min(elems.div_ceil(grain)), grain)
        }
        None if call.space.along().is_some() => even(elems, count, 1),
        None => match row_of_windows(call) {
            Some(row) => in_grains(elems, count.min(elems.div_ceil(row)).max(1), row),
            None => even(elems, count, GRAIN),
        },
    }
}

/// The elements of a row, where calls over neighbourhoods have several: these read whole rows around a chunk, so the fewer
/// rows are shared, the better.
fn row_of_windows(call: &Call<'_>) -> Option<usize> {
    let has_window = call.operands.iter().any(|operand| {
        matches!(operand, Operand::Input(input) if matches!(input.access, Access::Window(_)))
    });
    let row = call.space.shape().extents().last().copied().unwrap_or(1);
    (has_window && call.space.shape().len() > row).then_some(row)
}

/// `count` ranges, or one for each element if there are fewer, that begin at multiples of `grain` where there are
/// enough elements for that.
fn even(elems: usize, count: usize, grain: usize) -> Result<Vec<Range<usize>>> {
    let count = count.min(elems).max(1);
    let grain = match elems / grain >= count {
        true => grain,
        false => 1,
    };
    in_grains(elems, count, grain)
}

/// `count` ranges, at least one and as many as there are grains at most, that begin at multiples of `grain`.
fn in_grains(elems: usize, count: usize, grain: usize) -> Result<Vec<Range<usize>>> {
    let (grains, mut chunks) = (elems.div_ceil(grain), host_memory::vec(count)?);
    for k in 0..count {
        // Of `grains` things, `count` parts that differ by one at most.
        let place = |k: usize| {
            let (part, rest) = (grains / count, grains % count);
            (k * part + k.min(rest)).saturating_mul(grain).min(elems)
        };
        chunks.push(place(k)..place(k + 1));
    }
    Ok(chunks)
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn chunks_are_all_elements_in_order_and_differ_by_a_grain_at_most() {
        for elems in [1, 2, 63, 64, 65, 1000, 4096, 100_001] {
            for count in [1, 2, 3, 7, 64, 1000, usize::MAX] {
                for grain in [1, 64, 100] {
                    let chunks = even(elems, count, grain).unwrap();
                    assert_eq!(chunks.len(), count.min(elems), "{elems} {count} {grain}");
                    assert_eq!((chunks[0].start, chunks[chunks.len() - 1].end), (0, elems));
                    assert!(chunks.windows(2).all(|two| two[0].end == two[1].start));
                    assert!(chunks.iter().all(|chunk| !chunk.is_empty()));
                    let longest = chunks.iter().map(Range::len).max().unwrap();
                    let shortest = chunks.iter().map(Range::len).min().unwrap();
                    assert!(longest - shortest < 2 * grain, "{chunks:?}");
                }
            }
        }
    }
}
