typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;
typedef float f32;

static __device__ u64 skel_least(u64 a, u64 b) {
    return a < b ? a : b;
}

template <typename T, u32 N> struct __align__(sizeof(T) * N) skel_vector {
    T part[N];
};

static __device__ f32 mult_f0(f32 a_0, f32 b_1) {
    return a_0 * b_1; // user.rs:5
}

static __device__ f32 add_f1(f32 a_0, f32 b_1) {
    return a_0 + b_1; // user.rs:5
}

struct Params {
    usize count;
    usize level;
    usize width;
    usize first_leaf;
    usize leaves;
    usize to_leaf;
    const f32* arg0;
    const f32* arg1;
    f32* partials;
    f32* listed;
    u32* states;
    usize head;
    usize vectors;
};
static_assert(sizeof(Params) == 104, "layout");

// Where the node of `level` is that begins with leaf `first`, or, where nothing is in its right half, its left one.
static __device__ u64 skel_place(u64 first, u64 level, const Params& params) {
    const u64 end = params.first_leaf + params.leaves;
    while (level > 0u && first + (1ull << (level - 1u)) >= end) {
        level -= 1u;
    }
    if (level == 0u) {
        return 2u * (first - params.first_leaf);
    }
    return 2u * (first + (1ull << (level - 1u)) - params.first_leaf) - 1u;
}

// A value of each leaf, an aligned group of tiles; for a scan, of each tile. Tiles are combined as everywhere: see
// `skel_core::plan::grouping`.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    __shared__ f32 tile[1024];
    const u64 lane = threadIdx.x;
    const u64 tiles = 1ull << params.level;
    const u64 begin = skel_least(blockIdx.x * tiles * 1024ull, params.count);
    const u64 left = skel_least(params.count - begin, tiles * 1024ull);
    // No lane leaves before the end, for all must meet.
    // A warp takes a tile. Each of its lanes takes every 128th element, or the first lane all of them, and these are halved.
    const u64 in_warp = lane % 32u;
    for (u64 of_block = lane / 32u; of_block < tiles; of_block += 8u) {
        const u64 of_tile = skel_least(left - skel_least(left, of_block * 1024u), 1024u);
        f32* const places = tile + of_block * 128u;
        if (of_tile == 1024u && params.width == 128u && params.head == 0u && params.vectors > 0u) {
            // Each lane takes vectors of neighbouring elements.
            for (u64 place = in_warp * 4u; place < 128u; place += 32u * 4u) {
                f32 totals[4] = {};
                // Not unrolled: what is loaded ahead takes registers, and more warps are of more use.
                #pragma unroll 1
                for (u32 row = 0u; row < 1024u / 128u; row += 2u) {
                    const u64 from = begin + of_block * 1024u + row * 128u + place;
                    skel_vector<f32, 4> ahead0[2];
                    skel_vector<f32, 4> ahead1[2];
                    #pragma unroll
                    for (u32 turn = 0u; turn < 2u; turn += 1u) {
                        const u64 begin = from + turn * 128u;
                        ahead0[turn] = *(const skel_vector<f32, 4>*)(params.arg0 + begin);
                        ahead1[turn] = *(const skel_vector<f32, 4>*)(params.arg1 + begin);
                    }
                    #pragma unroll
                    for (u32 turn = 0u; turn < 2u; turn += 1u) {
                        #pragma unroll
                        for (u32 part = 0u; part < 4u; part += 1u) {
                            const u64 at = from + turn * 128u + part;
                            (void)at;
                            const f32 value = mult_f0(ahead0[turn].part[part], ahead1[turn].part[part]);
                            totals[part] = row + turn == 0u ? value : add_f1(totals[part], value);
                        }
                    }
                }
                #pragma unroll
                for (u32 part = 0u; part < 4u; part += 1u) {
                    places[place + part] = totals[part];
                }
            }
        } else {
            for (u64 place = in_warp; place < 128u; place += 32u) {
                const u64 first = begin + of_block * 1024u + place;
                const u64 end = begin + of_block * 1024u + of_tile;
                const u64 last = place < params.width ? end : first;
                f32 total = {};
                // The loads of several elements are on their way at once.
                for (u64 from = first; from < last; from += 4u * params.width) {
                    f32 ahead0[4];
                    f32 ahead1[4];
                    #pragma unroll
                    for (u32 turn = 0u; turn < 4u; turn += 1u) {
                        const u64 at = from + turn * params.width;
                        if (at < last) {
                            ahead0[turn] = params.arg0[at];
                            ahead1[turn] = params.arg1[at];
                        }
                    }
                    #pragma unroll
                    for (u32 turn = 0u; turn < 4u; turn += 1u) {
                        const u64 at = from + turn * params.width;
                        if (at >= last) {
                            break;
                        }
                        const f32 value = mult_f0(ahead0[turn], ahead1[turn]);
                        if (at == first) {
                            total = value;
                        } else {
                            total = add_f1(total, value);
                        }
                    }
                }
                places[place] = total;
            }
        }
        for (u64 reach = 64u; reach > 0u; reach /= 2u) {
            __syncwarp();
            for (u64 place = in_warp; place < reach; place += 32u) {
                if (place + reach < skel_least(of_tile, params.width)) {
                    places[place] = add_f1(places[place], places[place + reach]);
                }
            }
        }
    }
    for (u64 reach = 1u; reach < tiles; reach *= 2u) {
        __syncthreads();
        for (u64 at = lane * 2u * reach; at + reach < tiles; at += 256u * 2u * reach) {
            if ((at + reach) * 1024u < left) {
                tile[at * 128u] = add_f1(tile[at * 128u], tile[(at + reach) * 128u]);
            }
        }
    }
    if (lane == 0u) {
        params.partials[2u * blockIdx.x] = tile[0];
    }
    if (params.leaves == 1u) {
        if (lane == 0u) {
            params.listed[0] = tile[0];
        }
        return;
    }
    // Of an aligned group of leaves, the last block that is done combines them; of the groups, the last one theirs; and so
    // on. So no block waits, and no other kernel follows.
    // The flag lies where the value was: nothing else has room when values fill all shared memory.
    unsigned char& is_last_of_group = *(unsigned char*)tile;
    const u64 end = params.first_leaf + params.leaves;
    u64 node = params.first_leaf + blockIdx.x;
    u32* arrived = params.states;
    for (u64 level = 0u;; level += 8u) {
        const u64 begin_node = params.first_leaf >> level;
        const u64 end_node = ((end - 1u) >> level) + 1u;
        const u64 group = node / 256u;
        const u64 groups = (end_node - 1u) / 256u - begin_node / 256u + 1u;
        if (lane == 0u) {
            u32& here = arrived[group - begin_node / 256u];
            const u64 from = group * 256u < begin_node ? begin_node : group * 256u;
            const u64 expected = skel_least((group + 1u) * 256u, end_node) - from;
            // What this block has stored is there before it arrives, and what others have before it is read.
            __threadfence();
            is_last_of_group = atomicAdd(&here, 1u) + 1u == expected;
            if (is_last_of_group) {
                // As the next launch expects it.
                here = 0u;
            }
            __threadfence();
        }
        __syncthreads();
        const bool is_last = is_last_of_group;
        __syncthreads();
        if (!is_last) {
            return;
        }
        // The nodes above those of `level`, as far as one group reaches.
        const u64 first = (group * 256u + lane) << level;
        const bool is_there = lane < 256u && first >= params.first_leaf && first < end;
        f32 total = {};
        if (is_there) {
            total = params.partials[skel_place(first, level, params)];
            tile[lane] = total;
        }
        for (u64 reach = 1u; reach < 256u; reach *= 2u) {
            __syncthreads();
            const u64 right = first + (reach << level);
            if (is_there && lane % (2u * reach) == 0u && right < end) {
                total = add_f1(total, tile[lane + reach]);
                tile[lane] = total;
                params.partials[2u * (right - params.first_leaf) - 1u] = total;
            }
        }
        __syncthreads();
        if (groups == 1u) {
            break;
        }
        arrived += groups;
        node = group;
    }
    // The nodes that make up the launch.
    u64 at = params.first_leaf;
    for (u64 node = 0u; at < params.to_leaf; node += 1u) {
        u64 height = 0u;
        while ((at >> height & 1u) == 0u && (2ull << height) <= params.to_leaf - at) {
            height += 1u;
        }
        if (node % 256u == lane) {
            params.listed[node] = params.partials[skel_place(at, height, params)];
        }
        at += 1ull << height;
    }
}
