typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

static __device__ u64 skel_least(u64 a, u64 b) {
    return a < b ? a : b;
}

struct Affine_s0 {
    u32 a_0;
    u32 b_1;
};

static __device__ Affine_s0 make_f0(u32 a_0) {
    return Affine_s0{(a_0 | 1u), a_0}; // user.rs:5
}

static __device__ Affine_s0 then_f1(Affine_s0 a_0, Affine_s0 b_1) {
    return Affine_s0{(a_0.a_0 * b_1.a_0), ((b_1.a_0 * a_0.b_1) + b_1.b_1)}; // user.rs:5
}

struct Params {
    usize count;
    usize level;
    usize width;
    usize first_leaf;
    usize leaves;
    usize to_leaf;
    const u32* arg0;
    Affine_s0* partials;
    Affine_s0* listed;
    u32* states;
};
static_assert(sizeof(Params) == 80, "layout");

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
    __shared__ Affine_s0 tile[512];
    const u64 lane = threadIdx.x;
    const u64 tiles = 1ull << params.level;
    const u64 begin = skel_least(blockIdx.x * tiles * 4096ull, params.count);
    const u64 left = skel_least(params.count - begin, tiles * 4096ull);
    // No lane leaves before the end, for all must meet.
    // Each lane takes a block: whole ones as a tree, a last, shorter one as a chain; as a chain all elements if they are few.
    for (u64 place = lane; place < tiles * 256u; place += 256u) {
        const u64 first = begin + skel_least(place * params.width, left);
        const u64 last = begin + skel_least((place + 1u) * params.width, left);
        const bool is_whole = last - first == 16u && params.width == 16u;
        Affine_s0 total = {};
        Affine_s0 one = {};
        Affine_s0 two = {};
        Affine_s0 four = {};
        Affine_s0 eight = {};
        // The loads of several elements are on their way at once.
        for (u64 from = first; from < last; from += 8u * 1u) {
            u32 ahead0[8];
            #pragma unroll
            for (u32 turn = 0u; turn < 8u; turn += 1u) {
                const u64 at = from + turn * 1u;
                if (at < last) {
                    ahead0[turn] = params.arg0[at];
                }
            }
            #pragma unroll
            for (u32 turn = 0u; turn < 8u; turn += 1u) {
                const u64 at = from + turn * 1u;
                if (at >= last) {
                    break;
                }
                const u64 in_block = at - first;
                const Affine_s0 value = make_f0(ahead0[turn]);
                if (is_whole) {
                    // Pairs, pairs of pairs, and so on.
                    Affine_s0 node = value;
                    if ((in_block & 1u) == 0u) {
                        one = node;
                    } else {
                        node = then_f1(one, node);
                        if ((in_block & 2u) == 0u) {
                            two = node;
                        } else {
                            node = then_f1(two, node);
                            if ((in_block & 4u) == 0u) {
                                four = node;
                            } else {
                                node = then_f1(four, node);
                                if ((in_block & 8u) == 0u) {
                                    eight = node;
                                } else {
                                    total = then_f1(eight, node);
                                }
                            }
                        }
                    }
                } else if (in_block == 0u) {
                    total = value;
                } else {
                    total = then_f1(total, value);
                }
            }
        }
        tile[place] = total;
    }
    __syncthreads();
    for (u64 whole = lane; whole < tiles * 16u; whole += 256u) {
        const u64 first = whole * 16u * 1u;
        const u64 elems = skel_least(left - skel_least(left, whole * 16u * 16u), 16u * 16u);
        const u64 parts = (elems + params.width - 1u) / params.width;
        if (parts == 0u) {
            continue;
        }
        Affine_s0 total = tile[first];
        for (u64 part = 1u; part < parts; part += 1u) {
            total = then_f1(total, tile[first + part * 1u]);
        }
        tile[first] = total;
    }
    __syncthreads();
    for (u64 whole = lane; whole < tiles * 1u; whole += 256u) {
        const u64 first = whole * 16u * 16u;
        const u64 elems = skel_least(left - skel_least(left, whole * 16u * 256u), 16u * 256u);
        const u64 parts = (elems + 256u - 1u) / 256u;
        if (parts == 0u) {
            continue;
        }
        Affine_s0 total = tile[first];
        for (u64 part = 1u; part < parts; part += 1u) {
            total = then_f1(total, tile[first + part * 16u]);
        }
        tile[first] = total;
    }
    for (u64 reach = 1u; reach < tiles; reach *= 2u) {
        __syncthreads();
        for (u64 at = lane * 2u * reach; at + reach < tiles; at += 256u * 2u * reach) {
            if ((at + reach) * 4096u < left) {
                tile[at * 256u] = then_f1(tile[at * 256u], tile[(at + reach) * 256u]);
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
        Affine_s0 total = {};
        if (is_there) {
            total = params.partials[skel_place(first, level, params)];
            tile[lane] = total;
        }
        for (u64 reach = 1u; reach < 256u; reach *= 2u) {
            __syncthreads();
            const u64 right = first + (reach << level);
            if (is_there && lane % (2u * reach) == 0u && right < end) {
                total = then_f1(total, tile[lane + reach]);
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
