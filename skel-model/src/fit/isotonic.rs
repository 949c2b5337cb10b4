//! Isotonic regression: a curve through points, after those that fall have been pooled.

use crate::{Curve, fit::line::Point};

/// Neighbouring points that share one time.
struct Block {
    /// Which points.
    first: usize,
    end: usize,
    weight: f64,
    ns: f64,
}

/// The times, in the order of the points, that do not fall and have the least weighted squared errors: pool
/// adjacent violators.
fn regression(points: &[Point]) -> Vec<f64> {
    let mut blocks: Vec<Block> = Vec::with_capacity(points.len());
    for (k, point) in points.iter().enumerate() {
        let mut block = Block {
            first: k,
            end: k + 1,
            weight: point.weight(),
            ns: point.ns,
        };
        while let Some(last) = blocks.pop_if(|last| falls(last, &block, points)) {
            let weight = last.weight + block.weight;
            block = Block {
                first: last.first,
                end: block.end,
                ns: (last.ns * last.weight + block.ns * block.weight) / weight,
                weight,
            };
        }
        blocks.push(block);
    }
    let times = blocks
        .iter()
        .flat_map(|b| std::iter::repeat_n(b.ns, b.end - b.first));
    times.collect()
}

/// Whether the two cannot stay apart: the time falls, or there are two times of one size.
fn falls(last: &Block, next: &Block, points: &[Point]) -> bool {
    last.ns > next.ns || points[last.end - 1].elems == points[next.first].elems
}

/// Through all points, which are sorted by size.
pub(super) fn curve(points: &[Point]) -> Curve {
    let through: Vec<(f64, f64)> = points
        .iter()
        .map(|p| p.elems)
        .zip(regression(points))
        .collect();
    let curve = Curve::through(&through);
    let Some((elems, ns)) = curve.points().last().filter(|last| last.0 > 0.0) else {
        return curve;
    };
    // If noise has made the end level, larger calls would take no time: then it goes on with the mean slope.
    let mean = (ns - curve.latency_ns()) / elems;
    let last_slope_ns = match curve.last_slope_ns() {
        0.0 => mean,
        slope => slope,
    };
    Curve::from_parts(curve.points().collect(), last_slope_ns).unwrap_or(curve)
}
