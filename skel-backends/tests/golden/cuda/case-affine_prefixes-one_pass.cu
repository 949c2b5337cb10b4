typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

static __device__ u64 skel_least(u64 a, u64 b) {
    return a < b ? a : b;
}

// Who sees the state sees the value as well.
template <typename T>
static __device__ void skel_publish(u32* state, u32 known, T* place, const T& value) {
    *place = value;
    __threadfence();
    *(volatile u32*)state = known;
}

// What other blocks may change meanwhile.
static __device__ u32 skel_look(const u32* state) {
    return *(const volatile u32*)state;
}

// Others may go on first.
static __device__ void skel_rest() {
#if __CUDA_ARCH__ >= 700
    __nanosleep(32u);
#endif
}

struct Affine_s0 {
    u32 a_0;
    u32 b_1;
};

static __device__ Affine_s0 same_f0(Affine_s0 a_0) {
    return a_0; // user.rs:5
}

static __device__ Affine_s0 then_f1(Affine_s0 a_0, Affine_s0 b_1) {
    return Affine_s0{(a_0.a_0 * b_1.a_0), ((b_1.a_0 * a_0.b_1) + b_1.b_1)}; // user.rs:5
}

static __device__ Affine_s0 prefix_f2(Affine_s0 a_0, Affine_s0 b_1) {
    return a_0; // user.rs:5
}

struct Params {
    usize count;
    usize carried;
    const Affine_s0* arg0;
    Affine_s0* arg1;
    Affine_s0* partials;
    u32* states;
};
static_assert(sizeof(Params) == 48, "layout");

// Prefixes in one pass: a block combines elements of its own, and then looks back at the blocks before it
// until it knows what precedes it. Blocks are numbered as they begin, so each waits for such only as have
// begun. Neighbouring lanes load and store neighbouring elements; in between each lane has some in a row.
//
// The partials are the totals of the blocks; what all up to a block come to; the carry, if there is one.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    __shared__ Affine_s0 tile[256];
    __shared__ Affine_s0 row[2304];
    __shared__ Affine_s0 window[32];
    __shared__ Affine_s0 before;
    __shared__ u32 number;
    const u64 lane = threadIdx.x;
    if (lane == 0u) {
        number = atomicAdd(&params.states[0], 1u);
    }
    __syncthreads();
    const u64 block = number;
    u32* const states = params.states + 1u;
    Affine_s0* const prefixes = params.partials + gridDim.x;
    const u64 begin = block * 2048u;
    const u64 count = skel_least(params.count - begin, 2048u);
    const u64 lanes = (count + 8u - 1u) / 8u;
    // The loads of all elements are on their way at once.
    Affine_s0 ahead0[8];
    #pragma unroll
    for (u32 turn = 0u; turn < 8u; turn += 1u) {
        const u64 in_row = turn * 256u + lane;
        const u64 at = begin + in_row;
        if (in_row < count) {
            ahead0[turn] = params.arg0[at];
        }
    }
    Affine_s0 values[8];
    #pragma unroll
    for (u32 turn = 0u; turn < 8u; turn += 1u) {
        const u64 in_row = turn * 256u + lane;
        const u64 at = begin + in_row;
        if (in_row < count) {
            const Affine_s0 value = same_f0(ahead0[turn]);
            values[turn] = value;
            row[in_row + in_row / 8u] = value;
        }
    }
    __syncthreads();
    const u64 first = skel_least(lane * 8u, count);
    const u64 last = skel_least(first + 8u, count);
    Affine_s0 total = {};
    for (u64 in_row = first; in_row < last; in_row += 1u) {
        if (in_row == first) {
            total = row[in_row + in_row / 8u];
        } else {
            total = then_f1(total, row[in_row + in_row / 8u]);
        }
    }
    tile[lane] = total;
    // Each lane's total becomes that of all lanes up to it. No lane leaves before the end, for all must meet
    // at the barriers.
    for (u64 reach = 1u; reach < 256u; reach *= 2u) {
        __syncthreads();
        const bool joins = lane >= reach && lane < lanes;
        Affine_s0 left = {};
        if (joins) {
            left = tile[lane - reach];
        }
        __syncthreads();
        if (joins) {
            total = then_f1(left, total);
            tile[lane] = total;
        }
    }
    __syncthreads();
    if (lane == 0u) {
        Affine_s0 all = tile[lanes - 1u];
        if (block > 0u) {
            // Those behind it need not wait until it knows what precedes it.
            skel_publish(&states[block], 1u, &params.partials[block], all);
        } else {
            if (params.carried != 0u) {
                before = prefixes[gridDim.x];
                all = then_f1(before, all);
            }
            skel_publish(&states[0], 2u, &prefixes[0], all);
        }
    }
    // Of each block is known, by its state: nothing (0), its total (1), what all up to it come to (2).
    if (block > 0u && lane < 32u) {
        u64 end = block;
        u32 complete = 0u;
        bool has = false;
        Affine_s0 prefix = {};
        while (complete == 0u) {
            // Each lane looks at a block, the last one at the last. Before the first block nothing is missing.
            const bool is_there = end + lane >= 32u;
            const u64 at = end + lane - 32u;
            u32 state = 2u;
            u32 from = 0u;
            for (;;) {
                if (is_there) {
                    state = skel_look(&states[at]);
                }
                complete = __ballot_sync(4294967295u, state == 2u);
                const u32 seen = __ballot_sync(4294967295u, state != 0u);
                // The last one that is complete has in it what those before it come to.
                from = complete == 0u ? 0u : 31u - (u32)__clz((int)complete);
                if (seen >> from == 4294967295u >> from) {
                    break;
                }
                skel_rest();
            }
            // The values are read after the states.
            __threadfence();
            if (lane >= from) {
                window[lane] = state == 2u ? prefixes[at] : params.partials[at];
            }
            // Neighbours, then pairs of neighbours, and so on: the order is kept.
            for (u32 reach = 1u; reach < 32u; reach *= 2u) {
                __syncwarp(4294967295u);
                const bool joins = lane >= from && (lane - from) % (2u * reach) == 0u;
                if (joins && lane + reach < 32u) {
                    window[lane] = then_f1(window[lane], window[lane + reach]);
                }
            }
            __syncwarp(4294967295u);
            if (lane == 0u) {
                if (has) {
                    prefix = then_f1(window[from], prefix);
                } else {
                    prefix = window[from];
                    has = true;
                }
            }
            __syncwarp(4294967295u);
            end -= 32u;
        }
        if (lane == 0u) {
            before = prefix;
            Affine_s0 all = tile[lanes - 1u];
            if (true) {
                all = then_f1(prefix, all);
            }
            skel_publish(&states[block], 2u, &prefixes[block], all);
        }
    }
    __syncthreads();
    bool has = block > 0u || params.carried != 0u;
    Affine_s0 prefix = {};
    if (has) {
        prefix = before;
    }
    if (lane > 0u && lane < lanes) {
        if (has) {
            prefix = then_f1(prefix, tile[lane - 1u]);
        } else {
            prefix = tile[lane - 1u];
            has = true;
        }
    }
    for (u64 in_row = first; in_row < last; in_row += 1u) {
        const Affine_s0 value = row[in_row + in_row / 8u];
        if (has) {
            prefix = then_f1(prefix, value);
        } else {
            prefix = value;
            has = true;
        }
        row[in_row + in_row / 8u] = prefix;
    }
    __syncthreads();
    #pragma unroll
    for (u32 turn = 0u; turn < 8u; turn += 1u) {
        const u64 in_row = turn * 256u + lane;
        const u64 at = begin + in_row;
        if (in_row < count) {
            const Affine_s0 value = values[turn];
            const Affine_s0 prefix = row[in_row + in_row / 8u];
            params.arg1[at] = prefix_f2(prefix, value);
        }
    }
}
