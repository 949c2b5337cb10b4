//! Neighbourhoods by plain loops, one step at a time.

use crate::{Edge, Shape};

/// All there are.
pub(super) const ALL: [Edge; 6] = [
    Edge::Pad,
    Edge::None,
    Edge::Cyclic,
    Edge::Duplicate,
    Edge::Reflect,
    Edge::Symmetric,
];

/// The place in `0..n` that stands for `at`: goes around, or to and fro, until it is there.
fn seen(edge: Edge, mut at: isize, n: isize) -> Option<isize> {
    while at < 0 || at >= n {
        at = match edge {
            Edge::Cyclic if at < 0 => at + n,
            Edge::Cyclic => at - n,
            Edge::Duplicate => at.clamp(0, n - 1),
            Edge::Reflect if n == 1 => 0,
            Edge::Reflect if at < 0 => -at,
            Edge::Reflect => 2 * (n - 1) - at,
            Edge::Symmetric if at < 0 => -1 - at,
            Edge::Symmetric => 2 * n - 1 - at,
            Edge::Pad => return None,
            Edge::None => panic!("{at} of {n} is not there"),
        };
    }
    Some(at)
}

/// Windows over some of four dimensions: how far each reaches; `None` where they do not go.
pub(super) type Radius = [Option<usize>; 4];

/// The result's extents, and its elements: `step` folds what the window sees, in order, beginning with
/// its centre.
pub(super) fn windows<T: Copy>(
    shape: Shape,
    data: &[T],
    radius: Radius,
    edge: Edge,
    pad: T,
    step: fn(T, T) -> T,
) -> ([usize; 4], Vec<T>) {
    let extents = shape.extents();
    let radius = radius.map(|r| r.unwrap_or(0));
    let (mut out, mut shift) = (extents, [0; 4]);
    if edge == Edge::None {
        for d in 0..4 {
            out[d] = extents[d].saturating_sub(2 * radius[d]);
            shift[d] = radius[d];
        }
    }
    let get = |at: [isize; 4]| -> T {
        let mut element = 0;
        for d in 0..4 {
            let Some(place) = seen(edge, at[d], extents[d] as isize) else {
                return pad;
            };
            element = element * extents[d] + place as usize;
        }
        data[element]
    };
    let mut result = Vec::new();
    each(out, |at| {
        let centre: [isize; 4] = std::array::from_fn(|d| (at[d] + shift[d]) as isize);
        let mut sum = get(centre);
        each(radius.map(|r| 2 * r + 1), |offset| {
            let at = std::array::from_fn(|d| centre[d] + offset[d] as isize - radius[d] as isize);
            sum = step(sum, get(at));
        });
        result.push(sum);
    });
    (out, result)
}

/// As [`windows`], of pools.
pub(super) fn pools<T: Copy>(
    shape: Shape,
    data: &[T],
    size: [usize; 4],
    stride: [usize; 4],
    step: fn(T, T) -> T,
) -> ([usize; 4], Vec<T>) {
    let extents = shape.extents();
    let out: [usize; 4] = std::array::from_fn(|d| {
        // Those that lie inside, counted.
        let fits = |k: &usize| k * stride[d] + size[d] <= extents[d];
        (0..=extents[d]).filter(fits).count()
    });
    let mut result = Vec::new();
    each(out, |at| {
        let mut sum = None;
        each(size, |offset| {
            let element = (0..4).fold(0, |sum, d| sum * extents[d] + at[d] * stride[d] + offset[d]);
            let value = data[element];
            sum = Some(sum.map_or(value, |sum| step(sum, value)));
        });
        result.extend(sum);
    });
    (out, result)
}

/// All indices, in row-major order.
fn each(extents: [usize; 4], mut body: impl FnMut([usize; 4])) {
    let [a, b, c, d] = extents;
    for w in 0..a {
        for z in 0..b {
            for y in 0..c {
                for x in 0..d {
                    body([w, z, y, x]);
                }
            }
        }
    }
}
