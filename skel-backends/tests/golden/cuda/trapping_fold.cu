typedef int i32;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

// Notes the number of the first trap site that the element met; 0 if none.
static __device__ void skel_note(u32 site, u32& skel_trap) {
    if (skel_trap == 0u) {
        skel_trap = site;
    }
}

static __device__ u64 skel_least(u64 a, u64 b) {
    return a < b ? a : b;
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

static __device__ i32 skel_rem_i32(i32 a, i32 b, u32 site, u32& skel_trap) {
    if (b == 0) {
        skel_note(site, skel_trap);
        return 0;
    }
    if (b == -1 && a == (-2147483647 - 1)) {
        skel_note(site + 1u, skel_trap);
        return 0;
    }
    return (i32)(a % b);
}

static __device__ i32 ratio_f0(i32 a_0, i32 b_1, u32& skel_trap) {
    return skel_div_i32(a_0, b_1, 1u, skel_trap); // user.rs:5
}

static __device__ i32 rest_f1(i32 a_0, i32 b_1, u32& skel_trap) {
    return skel_rem_i32(a_0, b_1, 3u, skel_trap); // user.rs:5
}

struct Params {
    usize count;
    usize level;
    usize width;
    usize first_leaf;
    usize leaves;
    usize to_leaf;
    const i32* arg0;
    const i32* arg1;
    i32* partials;
    i32* listed;
    u32* states;
    usize base;
    usize* status;
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
    __shared__ i32 tile[512];
    const u64 lane = threadIdx.x;
    const u64 tiles = 1ull << params.level;
    const u64 begin = skel_least(blockIdx.x * tiles * 4096ull, params.count);
    const u64 left = skel_least(params.count - begin, tiles * 4096ull);
    u32 skel_trap = 0u;
    // No lane leaves before the end, for all must meet.
    // Each lane takes a block: whole ones as a tree, a last, shorter one as a chain; as a chain all elements if they are few.
    for (u64 place = lane; place < tiles * 256u; place += 256u) {
        const u64 first = begin + skel_least(place * params.width, left);
        const u64 last = begin + skel_least((place + 1u) * params.width, left);
        const bool is_whole = last - first == 16u && params.width == 16u;
        i32 total = {};
        i32 one = {};
        i32 two = {};
        i32 four = {};
        i32 eight = {};
        // The loads of several elements are on their way at once.
        for (u64 from = first; from < last && skel_trap == 0u; from += 4u * 1u) {
            i32 ahead0[4];
            i32 ahead1[4];
            #pragma unroll
            for (u32 turn = 0u; turn < 4u; turn += 1u) {
                const u64 at = from + turn * 1u;
                if (at < last) {
                    ahead0[turn] = params.arg0[at];
                    ahead1[turn] = params.arg1[at];
                }
            }
            #pragma unroll
            for (u32 turn = 0u; turn < 4u; turn += 1u) {
                const u64 at = from + turn * 1u;
                if (at >= last) {
                    break;
                }
                const u64 in_block = at - first;
                const i32 value = ratio_f0(ahead0[turn], ahead1[turn], skel_trap);
                if (skel_trap != 0u) {
                    atomicMin(&params.status[skel_trap - 1u], params.base + at);
                    skel_trap = 0u;
                    break;
                }
                if (is_whole) {
                    // Pairs, pairs of pairs, and so on.
                    i32 node = value;
                    if ((in_block & 1u) == 0u) {
                        one = node;
                    } else {
                        node = rest_f1(one, node, skel_trap);
                        if (skel_trap != 0u) {
                            atomicMin(&params.status[4u + skel_trap - 1u], 0ull);
                            break;
                        }
                        if ((in_block & 2u) == 0u) {
                            two = node;
                        } else {
                            node = rest_f1(two, node, skel_trap);
                            if (skel_trap != 0u) {
                                atomicMin(&params.status[4u + skel_trap - 1u], 0ull);
                                break;
                            }
                            if ((in_block & 4u) == 0u) {
                                four = node;
                            } else {
                                node = rest_f1(four, node, skel_trap);
                                if (skel_trap != 0u) {
                                    atomicMin(&params.status[4u + skel_trap - 1u], 0ull);
                                    break;
                                }
                                if ((in_block & 8u) == 0u) {
                                    eight = node;
                                } else {
                                    total = rest_f1(eight, node, skel_trap);
                                    if (skel_trap != 0u) {
                                        atomicMin(&params.status[4u + skel_trap - 1u], 0ull);
                                        break;
                                    }
                                }
                            }
                        }
                    }
                } else if (in_block == 0u) {
                    total = value;
                } else {
                    total = rest_f1(total, value, skel_trap);
                    if (skel_trap != 0u) {
                        atomicMin(&params.status[4u + skel_trap - 1u], 0ull);
                        break;
                    }
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
        i32 total = tile[first];
        for (u64 part = 1u; part < parts && skel_trap == 0u; part += 1u) {
            total = rest_f1(total, tile[first + part * 1u], skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[4u + skel_trap - 1u], 0ull);
                break;
            }
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
        i32 total = tile[first];
        for (u64 part = 1u; part < parts && skel_trap == 0u; part += 1u) {
            total = rest_f1(total, tile[first + part * 16u], skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[4u + skel_trap - 1u], 0ull);
                break;
            }
        }
        tile[first] = total;
    }
    for (u64 reach = 1u; reach < tiles; reach *= 2u) {
        __syncthreads();
        for (u64 at = lane * 2u * reach; at + reach < tiles; at += 256u * 2u * reach) {
            if ((at + reach) * 4096u < left && skel_trap == 0u) {
                tile[at * 256u] = rest_f1(tile[at * 256u], tile[(at + reach) * 256u], skel_trap);
                if (skel_trap != 0u) {
                    atomicMin(&params.status[4u + skel_trap - 1u], 0ull);
                }
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
        i32 total = {};
        if (is_there) {
            total = params.partials[skel_place(first, level, params)];
            tile[lane] = total;
        }
        for (u64 reach = 1u; reach < 256u; reach *= 2u) {
            __syncthreads();
            const u64 right = first + (reach << level);
            if (is_there && lane % (2u * reach) == 0u && right < end && skel_trap == 0u) {
                total = rest_f1(total, tile[lane + reach], skel_trap);
                if (skel_trap != 0u) {
                    atomicMin(&params.status[4u + skel_trap - 1u], 0ull);
                }
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
