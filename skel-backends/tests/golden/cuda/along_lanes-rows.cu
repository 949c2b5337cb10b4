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

static __device__ i32 ratio_f0(i32 a_0, i32 b_1, u32& skel_trap) {
    return skel_div_i32(a_0, b_1, 1u, skel_trap); // user.rs:5
}

static __device__ i32 sum_f1(i32 a_0, i32 b_1) {
    return skel_add_i32(a_0, b_1); // user.rs:5
}

struct Params {
    usize count;
    usize depth;
    usize leaf;
    usize spans;
    usize span;
    usize to_node;
    usize table_node;
    usize places_per_value;
    usize places_per_step;
    const i32* arg0;
    usize offset0;
    usize pitch0_0;
    usize pitch0_1;
    const i32* arg1;
    usize offset1;
    usize pitch1_0;
    usize pitch1_1;
    i32* arg2;
    usize base;
    i32* partials;
    usize* status;
    usize level;
};
static_assert(sizeof(Params) == 176, "layout");

// Every output element folds a row of the arguments, of which a block takes several, or one span of them, tile by
// tile: see `crate::along`.
// Each of a tile's lanes takes every 128th element, and these are halved.
extern "C" __global__ void __launch_bounds__(128) skel_kernel(const Params params) {
    __shared__ i32 tile[1024];
    // Which rows have trapped.
    __shared__ volatile u32 trapped[8];
    const u64 lane = threadIdx.x;
    const u64 rows = 1ull << params.level;
    const u64 slots = params.count * params.spans;
    const u64 blocks_of_span = (params.count + rows - 1u) >> params.level;
    for (u64 turn_of_block = blockIdx.x; turn_of_block < blocks_of_span * params.spans; turn_of_block += gridDim.x) {
        const u64 first_row = turn_of_block % blocks_of_span << params.level;
        const u64 span = turn_of_block / blocks_of_span;
        const u64 begin = span * params.span;
        const u64 end = skel_least(begin + params.span, params.depth);
        u32 skel_trap = 0u;
        for (u64 row = lane; row < rows; row += 128u) {
            trapped[row] = 0u;
        }
        __syncthreads();
        i32 total = {};
        // No lane leaves before the end, for all must meet.
        for (u64 first = begin; first < end; first += params.leaf) {
            const u64 last = skel_least(first + params.leaf, end);
            for (u64 slot = lane; slot < rows * 128u; slot += 128u) {
                const u64 row = slot / 128u;
                const u64 at = first_row + row;
                const u64 own = first + slot % 128u;
                const u64 own_end = at < params.count ? last : own;
                (void)row;
                for (u64 turn = own; turn < own_end; turn += 128u) {
                    // The element that is folded, as the arguments count it.
                    const u64 place =
                        (params.base + at) * params.places_per_value + turn * params.places_per_step;
                    (void)place;
                    const i32 value = ratio_f0(params.arg0[params.offset0 + turn * params.pitch0_1 + (params.base + at) * params.pitch0_0], params.arg1[params.offset1 + turn * params.pitch1_1 + (params.base + at) * params.pitch1_0], skel_trap);
                    if (skel_trap != 0u) {
                        atomicMin(&params.status[skel_trap - 1u], params.base + at);
                        skel_trap = 0u;
                        trapped[row] = 1u;
                        break;
                    }
                    if (turn == own) {
                        total = value;
                    } else {
                        total = sum_f1(total, value);
                    }
                }
                tile[slot] = total;
            }
            for (u64 half = 64u; half > 0u; half /= 2u) {
                __syncthreads();
                for (u64 pair = lane; pair < rows * half; pair += 128u) {
                    const u64 row = pair / half;
                    const u64 at = first_row + row;
                    const u64 slot = row * 128u + pair % half;
                    if (at < params.count && pair % half + half < last - first && trapped[row] == 0u) {
                        tile[slot] = sum_f1(tile[slot], tile[slot + half]);
                    }
                }
            }
            // Each by the lane that made its last sum.
            for (u64 row = lane; row < rows; row += 128u) {
                const u64 at = first_row + row;
                if (at < params.count && trapped[row] == 0u) {
                    const u64 slot = span * params.count + at;
                    total = tile[row * 128u];
                    // The nodes that end where this one begins; of the last leaf, all that precede it.
                    const u64 number = (first - begin) / params.leaf;
                    u64 level = 0u;
                    for (; number >> level > 0u && (last == end || (number >> level & 1u) == 1u); level += 1u) {
                        if ((number >> level & 1u) == 1u) {
                            total = sum_f1(params.partials[params.table_node + level * slots + slot], total);
                        }
                    }
                    if (last < end) {
                        params.partials[params.table_node + level * slots + slot] = total;
                    }
                    if (last == end && trapped[row] == 0u) {
                        if (params.spans > 1u) {
                            params.partials[params.to_node + slot] = total;
                        } else {
                            const i32 value = total;
                            params.arg2[at] = value;
                        }
                    }
                }
            }
            __syncthreads();
        }
    }
}
