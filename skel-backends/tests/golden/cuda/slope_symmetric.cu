typedef long long i64;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;
typedef float f32;

template <u32 N> struct skel_offsets {
    i64 along[N];
};

// Where the neighbourhoods of a call's elements lie, along each of their dimensions.
template <u32 N> struct skel_places {
    u64 positions[N];
    u64 extent[N];
    u64 stride[N];
    u64 shift[N];
    u64 inner;
    u64 edge;
};

// The neighbourhood of one element. If all that it reaches is inside of the container, it lies around
// element `origin` of `data`.
template <typename T, u32 N> struct skel_window {
    const T* data;
    i64 origin;
    i64 place[N];
    i64 extent[N];
    i64 inner;
    u64 edge;
    bool inside;
    T pad;
};

template <typename T, u32 N>
static __device__ void skel_find_window(
    skel_window<T, N>& window, u64 element, const skel_places<N>& places,
    const skel_offsets<N>& first, const skel_offsets<N>& last
) {
    u64 rest = element / places.inner;
    u64 outer = places.inner;
    window.inside = true;
    for (u32 d = N; d-- > 0u;) {
        const i64 place = (i64)(rest % places.positions[d] * places.stride[d] + places.shift[d]);
        const i64 extent = (i64)places.extent[d];
        rest /= places.positions[d];
        window.place[d] = place;
        window.extent[d] = extent;
        window.inside = window.inside && place + first.along[d] >= 0 && place + last.along[d] < extent;
        outer *= places.extent[d];
    }
    window.data += rest * outer + element % places.inner;
    window.inner = (i64)places.inner;
    window.edge = places.edge;
    window.origin = 0;
    for (u32 d = 0; d < N; d += 1) {
        window.origin = window.origin * window.extent[d] + window.place[d];
    }
    window.origin *= window.inner;
}

// The place that stands for `at`, by the number of the edge: 1 cyclic, 2 duplicate, 3 reflect,
// 4 padded, for which it is -1, 5 symmetric. Without an edge it is not called.
static __device__ i64 skel_edge(i64 at, i64 extent, u64 edge) {
    if (at >= 0 && at < extent) {
        return at;
    }
    if (edge == 1u) {
        const i64 rest = at % extent;
        return rest < 0 ? rest + extent : rest;
    }
    if (edge == 3u) {
        if (extent == 1) {
            return 0;
        }
        const i64 period = 2 * (extent - 1);
        i64 rest = at % period;
        rest = rest < 0 ? rest + period : rest;
        return rest < period - rest ? rest : period - rest;
    }
    if (edge == 4u) {
        return -1;
    }
    if (edge == 5u) {
        const i64 period = 2 * extent;
        i64 rest = at % period;
        rest = rest < 0 ? rest + period : rest;
        return rest < period - 1 - rest ? rest : period - 1 - rest;
    }
    return at < 0 ? 0 : extent - 1;
}

// The element at offsets that the neighbourhood has.
template <typename T, u32 N>
static __device__ T skel_near(const skel_window<T, N>& window, const skel_offsets<N>& offsets) {
    i64 at = 0;
    if (window.inside) {
        for (u32 d = 0; d < N; d += 1) {
            at = at * window.extent[d] + offsets.along[d];
        }
        return window.data[window.origin + at * window.inner];
    }
    for (u32 d = 0; d < N; d += 1) {
        const i64 place = skel_edge(window.place[d] + offsets.along[d], window.extent[d], window.edge);
        if (place < 0) {
            return window.pad;
        }
        at = at * window.extent[d] + place;
    }
    return window.data[at * window.inner];
}

static __device__ f32 slope_f0(skel_window<f32, 1> a_0) {
    return skel_near(a_0, skel_offsets<1>{{1ll}}) - skel_near(a_0, skel_offsets<1>{{(-1ll)}}); // user.rs:5
}

struct Params {
    usize count;
    const f32* arg0;
    usize window0_positions_3;
    usize window0_extent_3;
    usize window0_shift_3;
    f32 pad0;
    f32* arg1;
    usize base;
};
static_assert(sizeof(Params) == 64, "layout");

// Every output element from the input elements of the same index.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * 256u;
    for (u64 at = (u64)blockIdx.x * 256u + threadIdx.x; at < params.count; at += stride) {
        skel_window<f32, 1> window0;
        window0.data = params.arg0;
        window0.pad = params.pad0;
        skel_find_window(window0, (params.base + at), skel_places<1>{{params.window0_positions_3}, {params.window0_extent_3}, {1u}, {params.window0_shift_3}, 1u, 5u}, skel_offsets<1>{{-1}}, skel_offsets<1>{{1}});
        const f32 value = slope_f0(window0);
        params.arg1[at] = value;
    }
}
