typedef short i16;
typedef int i32;
typedef long long i64;
typedef long long isize;
typedef unsigned char u8;
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

// Where the neighbourhoods of a call's elements lie, along each of their dimensions.
template <u32 N> struct skel_places {
    u64 positions[N];
    u64 extent[N];
    u64 stride[N];
    u64 shift[N];
    u64 inner;
    u64 edge;
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

template <typename T, u32 N>
static __device__ void skel_find_window(
    skel_window<T, N>& window, u64 element, const skel_places<N>& places,
    const skel_offsets<N>& first, const skel_offsets<N>& last
) {
    u64 rest = places.inner == 1u ? element : element / places.inner;
    const u64 within = element - rest * places.inner;
    u64 outer = places.inner;
    for (u32 d = N; d-- > 0u;) {
        const u64 above = rest < places.positions[d] ? 0u : rest / places.positions[d];
        const u64 position = rest - above * places.positions[d];
        window.place[d] = (i64)(position * places.stride[d] + places.shift[d]);
        window.extent[d] = (i64)places.extent[d];
        rest = above;
        outer *= places.extent[d];
    }
    window.data += rest * outer + within;
    window.edge = places.edge;
    skel_center(window, places.inner, first, last);
}

// Whether a row of so many columns goes along the last dimension of neighbourhoods, or across all of them.
template <u32 N> static __device__ bool skel_has_rows(const skel_places<N>& places, u64 columns) {
    return places.inner == 1u ? places.positions[N - 1u] == columns : places.inner == columns;
}

// The neighbourhood of an element by column and row, of such rows; how far the next one below is; and whether nothing
// beyond an edge is seen by so many below each other. It takes no division but in tensors.
template <typename T, u32 N>
static __device__ bool skel_find_rows(
    skel_window<T, N>& window, i64& step, u64 row, u64 column, u64 rows, const skel_places<N>& places,
    const skel_offsets<N>& first, const skel_offsets<N>& last
) {
    const bool is_along = places.inner == 1u;
    bool are_inside = true;
    i64 stride = 0;
    u64 rest = row;
    u64 outer = places.inner;
    for (u32 d = N; d-- > 0u;) {
        u64 position = column;
        if (d + 1u < N || !is_along) {
            const u64 above = rest < places.positions[d] ? 0u : rest / places.positions[d];
            position = rest - above * places.positions[d];
            rest = above;
        }
        window.place[d] = (i64)(position * places.stride[d] + places.shift[d]);
        window.extent[d] = (i64)places.extent[d];
        outer *= places.extent[d];
        if (d + 1u == (is_along ? N - 1u : N)) {
            stride = (i64)places.stride[d];
            const i64 lowest = window.place[d] + (i64)(rows - 1u) * stride;
            are_inside = position + rows <= places.positions[d] && lowest + last.along[d] < window.extent[d];
        }
    }
    window.data += rest * outer + (is_along ? 0u : column);
    window.edge = places.edge;
    skel_center(window, places.inner, first, last);
    step = (i64)outer;
    for (u32 d = 0; d < N; d += 1) {
        if (d + 1u == (is_along ? N - 1u : N)) {
            step = stride * window.pitch[d];
        }
    }
    return are_inside && window.inside;
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

template <typename T, u32 N>
static __device__ T skel_window_at(
    const skel_window<T, N>& window, const skel_offsets<N>& offsets,
    const skel_offsets<N>& first, const skel_offsets<N>& last, u32 site, u32& skel_trap
) {
    for (u32 d = 0; d < N; d += 1) {
        if (offsets.along[d] < first.along[d] || offsets.along[d] > last.along[d]) {
            skel_note(site, skel_trap);
            return T();
        }
    }
    return skel_near(window, offsets);
}

struct Pair_s0 {
    i32 x_0;
    u8 y_1;
    u8 z_2;
    i16 w_3;
};

static __device__ i32 near_f0(skel_window<i32, 2> a_0, isize b_1, u32& skel_trap) {
    return skel_window_at(a_0, skel_offsets<2>{{(-1ll), b_1}}, skel_offsets<2>{{-1, -2}}, skel_offsets<2>{{1, 2}}, 1u, skel_trap); // user.rs:5
}

static __device__ i32 around_f1(skel_window<i32, 2> a_0, skel_window<Pair_s0, 1> b_1, isize c_2, u32& skel_trap) {
    return near_f0(a_0, c_2, skel_trap) ^ skel_near(b_1, skel_offsets<1>{{(i64)2ull}}).x_0; // user.rs:5
}

struct Params {
    usize count;
    const i32* arg0;
    usize window0_positions_2;
    usize window0_positions_3;
    usize window0_extent_2;
    usize window0_extent_3;
    usize window0_stride_2;
    usize window0_stride_3;
    usize window0_shift_2;
    usize window0_shift_3;
    usize window0_inner;
    usize window0_edge;
    i32 pad0;
    const Pair_s0* arg1;
    usize window1_positions_3;
    usize window1_extent_3;
    usize window1_stride_3;
    usize window1_shift_3;
    usize window1_inner;
    usize window1_edge;
    Pair_s0 pad1;
    const isize* arg2;
    i32* arg3;
    usize base;
    usize columns;
    usize* status;
};
static_assert(sizeof(Params) == 208, "layout");

// Every output element from what lies around elements.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 columns = params.columns;
    if (columns >= 256u && params.count > columns && skel_has_rows(skel_places<2>{{params.window0_positions_2, params.window0_positions_3}, {params.window0_extent_2, params.window0_extent_3}, {params.window0_stride_2, params.window0_stride_3}, {params.window0_shift_2, params.window0_shift_3}, params.window0_inner, params.window0_edge}, columns) && skel_has_rows(skel_places<1>{{params.window1_positions_3}, {params.window1_extent_3}, {params.window1_stride_3}, {params.window1_shift_3}, params.window1_inner, params.window1_edge}, columns)) {
        // A thread takes elements below each other. Where they are, and that nothing beyond an edge is seen, is found
        // once for all; what several see is loaded once.
        const u64 first_row = params.base / columns;
        const u64 rows = (params.base + params.count - 1u) / columns + 1u - first_row;
        const u64 across = (columns + 256u - 1u) / 256u;
        const u64 tiles = across * ((rows + 4u - 1u) / 4u);
        for (u64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            const u64 tile_row = tile / across;
            const u64 row = first_row + tile_row * 4u;
            const u64 column = (tile - tile_row * across) * 256u + threadIdx.x;
            if (column >= columns) {
                continue;
            }
            const u64 highest = row * columns + column;
            const u64 lowest = highest + 3u * columns;
            bool are_inside = highest >= params.base && lowest - params.base < params.count;
            skel_window<i32, 2> window0;
            window0.data = params.arg0;
            window0.pad = params.pad0;
            i64 step0;
            are_inside = skel_find_rows(window0, step0, row, column, 4u, skel_places<2>{{params.window0_positions_2, params.window0_positions_3}, {params.window0_extent_2, params.window0_extent_3}, {params.window0_stride_2, params.window0_stride_3}, {params.window0_shift_2, params.window0_shift_3}, params.window0_inner, params.window0_edge}, skel_offsets<2>{{-1, -2}}, skel_offsets<2>{{1, 2}}) && are_inside;
            skel_window<Pair_s0, 1> window1;
            window1.data = params.arg1;
            window1.pad = params.pad1;
            i64 step1;
            are_inside = skel_find_rows(window1, step1, row, column, 4u, skel_places<1>{{params.window1_positions_3}, {params.window1_extent_3}, {params.window1_stride_3}, {params.window1_shift_3}, params.window1_inner, params.window1_edge}, skel_offsets<1>{{0}}, skel_offsets<1>{{2}}) && are_inside;
            if (are_inside) {
                i32 values[4];
                u32 trapped = 0u;
                #pragma unroll
                for (u32 turn = 0u; turn < 4u; turn += 1u) {
                    const u64 at = highest - params.base + turn * columns;
                    (void)at;
                    u32 skel_trap = 0u;
                    skel_window<i32, 2> seen0 = window0;
                    seen0.data += (i64)turn * step0;
                    seen0.inside = true;
                    skel_window<Pair_s0, 1> seen1 = window1;
                    seen1.data += (i64)turn * step1;
                    seen1.inside = true;
                    const i32 value = around_f1(seen0, seen1, params.arg2[at], skel_trap);
                    if (skel_trap != 0u) {
                        atomicMin(&params.status[skel_trap - 1u], params.base + at);
                        trapped |= 1u << turn;
                        continue;
                    }
                    values[turn] = value;
                }
                #pragma unroll
                for (u32 turn = 0u; turn < 4u; turn += 1u) {
                    const u64 at = highest - params.base + turn * columns;
                    const i32 value = values[turn];
                    if ((trapped >> turn & 1u) == 0u) {
                        params.arg3[at] = value;
                    }
                }
                continue;
            }
            #pragma unroll 1
            for (u32 turn = 0u; turn < 4u; turn += 1u) {
                // Modulo 2^64: elements before the first one are beyond the last one.
                const u64 at = highest + turn * columns - params.base;
                if (at >= params.count) {
                    continue;
                }
                u32 skel_trap = 0u;
                skel_window<i32, 2> window0;
                window0.data = params.arg0;
                window0.pad = params.pad0;
                skel_find_window(window0, (params.base + at), skel_places<2>{{params.window0_positions_2, params.window0_positions_3}, {params.window0_extent_2, params.window0_extent_3}, {params.window0_stride_2, params.window0_stride_3}, {params.window0_shift_2, params.window0_shift_3}, params.window0_inner, params.window0_edge}, skel_offsets<2>{{-1, -2}}, skel_offsets<2>{{1, 2}});
                skel_window<Pair_s0, 1> window1;
                window1.data = params.arg1;
                window1.pad = params.pad1;
                skel_find_window(window1, (params.base + at), skel_places<1>{{params.window1_positions_3}, {params.window1_extent_3}, {params.window1_stride_3}, {params.window1_shift_3}, params.window1_inner, params.window1_edge}, skel_offsets<1>{{0}}, skel_offsets<1>{{2}});
                const i32 value = around_f1(window0, window1, params.arg2[at], skel_trap);
                if (skel_trap != 0u) {
                    atomicMin(&params.status[skel_trap - 1u], params.base + at);
                    continue;
                }
                params.arg3[at] = value;
            }
        }
        return;
    }
    const u64 stride = (u64)gridDim.x * 1024u;
    // The loads of several elements are on their way at once.
    for (u64 from = (u64)blockIdx.x * 1024u + threadIdx.x; from < params.count; from += stride) {
        isize ahead2[4];
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = from + turn * 256u;
            if (at < params.count) {
                ahead2[turn] = params.arg2[at];
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = from + turn * 256u;
            if (at >= params.count) {
                break;
            }
            u32 skel_trap = 0u;
            skel_window<i32, 2> window0;
            window0.data = params.arg0;
            window0.pad = params.pad0;
            skel_find_window(window0, (params.base + at), skel_places<2>{{params.window0_positions_2, params.window0_positions_3}, {params.window0_extent_2, params.window0_extent_3}, {params.window0_stride_2, params.window0_stride_3}, {params.window0_shift_2, params.window0_shift_3}, params.window0_inner, params.window0_edge}, skel_offsets<2>{{-1, -2}}, skel_offsets<2>{{1, 2}});
            skel_window<Pair_s0, 1> window1;
            window1.data = params.arg1;
            window1.pad = params.pad1;
            skel_find_window(window1, (params.base + at), skel_places<1>{{params.window1_positions_3}, {params.window1_extent_3}, {params.window1_stride_3}, {params.window1_shift_3}, params.window1_inner, params.window1_edge}, skel_offsets<1>{{0}}, skel_offsets<1>{{2}});
            const i32 value = around_f1(window0, window1, ahead2[turn], skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[skel_trap - 1u], params.base + at);
                continue;
            }
            params.arg3[at] = value;
        }
    }
}
