// Neighbourhoods.

// The place that stands for `at` in a container of that extent, by the number of the edge: 1 cyclic,
// 2 duplicate, 3 reflect, 4 padded, for which it is -1, 5 symmetric. Without an edge it is not called.
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
    if (edge == 5u) {
        let period = 2i * extent;
        var rest = at % period;
        rest = select(rest, rest + period, rest < 0i);
        return min(rest, period - 1i - rest);
    }
    return select(extent - 1i, 0i, at < 0i);
}

// The same for one kind of edge, of places that are less than an extent beyond it.
fn skel_cyclic(at: i32, extent: i32) -> i32 {
    return at + select(0i, extent, at < 0i) - select(0i, extent, at >= extent);
}

fn skel_duplicate(at: i32, extent: i32) -> i32 {
    return clamp(at, 0i, extent - 1i);
}

fn skel_reflect(at: i32, extent: i32) -> i32 {
    let mirrored = abs(at);
    return min(mirrored, 2i * (extent - 1i) - mirrored);
}

fn skel_symmetric(at: i32, extent: i32) -> i32 {
    let mirrored = select(at, -1i - at, at < 0i);
    return min(mirrored, 2i * extent - 1i - mirrored);
}
