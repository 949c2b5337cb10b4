// Neighbourhoods.

// The place that stands for `at` in a container of that extent, by the number of the edge: 1 cyclic,
// 2 duplicate, 3 reflect, 4 padded, for which it is -1. Without an edge nobody asks.
fn skel_edge(at: i32, extent: i32, edge: u32) -> i32 {
    if (at >= 0i && at < extent) {
        return at;
    }
    if (edge == 1u) {
        let rest = at % extent;
        return select(rest, rest + extent, rest < 0i);
    }
    if (edge == 3u) {
        let period = max(2i * (extent - 1i), 1i);
        var rest = at % period;
        rest = select(rest, rest + period, rest < 0i);
        return min(rest, period - rest);
    }
    if (edge == 4u) {
        return -1i;
    }
    return select(extent - 1i, 0i, at < 0i);
}
