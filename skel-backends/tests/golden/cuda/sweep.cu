typedef int i32;
typedef long long i64;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

// Notes the number of the first trap site that the element met; 0 if none.
static __device__ void skel_note(u32 site, u32& skel_trap) {
    if (skel_trap == 0u) {
        skel_trap = site;
    }
}

template <u32 N> struct skel_offsets {
    i64 along[N];
};

// The neighbourhood of one element, to which `data` points. Along each dimension: its place, the container's extent, and
// how far neighbours are apart.
template <typename T, u32 N> struct skel_window {
    const T* data;
    i64 place[N];
    i64 extent[N];
    i64 pitch[N];
    u64 edge;
    bool inside;
    T pad;
};

// Points to the element of a container that has this place in it, and finds whether all that is seen from there is
// inside.
template <typename T, u32 N>
static __device__ void skel_center(
    skel_window<T, N>& window, u64 inner, const skel_offsets<N>& first, const skel_offsets<N>& last
) {
    i64 pitch = (i64)inner;
    window.inside = true;
    for (u32 d = N; d-- > 0u;) {
        const i64 place = window.place[d];
        window.inside = window.inside && place + first.along[d] >= 0 && place + last.along[d] < window.extent[d];
        window.pitch[d] = pitch;
        window.data += place * pitch;
        pitch *= window.extent[d];
    }
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
            at += offsets.along[d] * window.pitch[d];
        }
        return window.data[at];
    }
    for (u32 d = 0; d < N; d += 1) {
        const i64 place = skel_edge(window.place[d] + offsets.along[d], window.extent[d], window.edge);
        if (place < 0) {
            return window.pad;
        }
        at += (place - window.place[d]) * window.pitch[d];
    }
    return window.data[at];
}

static __device__ i32 skel_add_i32(i32 a, i32 b) {
    return (i32)((u32)a + (u32)b);
}

static __device__ i32 skel_div_i32(i32 a, i32 b, u32 site, u32& skel_trap) {
    if (b == 0) {
        skel_note(site, skel_trap);
        return 0;
    }
    if (b == -1 && a == (-2147483647 - 1)) {
        skel_note(site + 1u, skel_trap);
        return 0;
    }
    return (i32)(a / b);
}

static __device__ i32 swept_f0(skel_window<i32, 2> a_0, i32 b_1, u32& skel_trap) {
    return skel_add_i32(skel_near(a_0, skel_offsets<2>{{0, 0}}), skel_div_i32(skel_near(a_0, skel_offsets<2>{{-1, 0}}), b_1, 1u, skel_trap)); // user.rs:5
}

struct Params {
    usize hyperplane;
    usize tiles0;
    usize tiles1;
    usize tiles2;
    usize first_tile0;
    usize first_tile1;
    usize planes;
    usize rows;
    usize columns;
    usize base;
    i32* arg0;
    const i32* arg1;
    usize* status;
};
static_assert(sizeof(Params) == 104, "layout");

// The tiles of one hyperplane, of 1 planes, 64 rows and 64 columns each: in every turn the elements of
// one hyperplane of the tile.
extern "C" __global__ void __launch_bounds__(64) skel_kernel(const Params params) {
    const u64 tile_plane = params.first_tile0 + blockIdx.x / params.tiles1;
    const u64 tile_row = params.first_tile1 + blockIdx.x % params.tiles1;
    const u64 before = tile_row;
    if (blockIdx.x / params.tiles1 >= params.tiles0 || params.hyperplane < before || params.hyperplane - before >= params.tiles2) {
        return;
    }
    const u64 ahead_plane = threadIdx.x / 64u;
    const u64 ahead_row = threadIdx.x % 64u;
    const u64 ahead = ahead_plane + ahead_row;
    const u64 plane = tile_plane * 1u + ahead_plane;
    const u64 row = tile_row * 64u + ahead_row;
    const u64 first = (params.hyperplane - before) * 64u;
    const bool is_there = plane < params.planes && row < params.rows;
    for (u64 turn = 0; turn < 127u; turn += 1) {
        const u64 column = first + turn - ahead;
        bool is_next = is_there && turn >= ahead && turn - ahead < 64u && column < params.columns;
        if (is_next) {
            const u64 at = (plane * params.rows + row) * params.columns + column;
            u32 skel_trap = 0u;
            skel_window<i32, 2> sweep0;
            sweep0.data = params.arg0;
            sweep0.place[0] = (i64)row;
            sweep0.extent[0] = (i64)params.rows;
            sweep0.place[1] = (i64)column;
            sweep0.extent[1] = (i64)params.columns;
            sweep0.edge = 2u;
            skel_center(sweep0, 1u, skel_offsets<2>{{-1, -1}}, skel_offsets<2>{{1, 1}});
            const i32 value = swept_f0(sweep0, params.arg1[at], skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[skel_trap - 1u], (plane * params.rows + row) * params.columns + column);
            }
            if (skel_trap == 0u) {
                params.arg0[at] = value;
            }
        }
        __syncthreads();
    }
}
