typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

static __device__ u64 skel_least(u64 a, u64 b) {
    return a < b ? a : b;
}

// Publishes a value to other blocks: a block that sees the state sees the value as well.
template <typename T>
static __device__ void skel_publish(u32* state, T* place, const T& value) {
    *place = value;
    __threadfence();
    *(volatile u32*)state = 1u;
}

// Waits for a value that another block publishes, or has published.
template <typename T>
static __device__ T skel_await(const u32* state, const T* place) {
    while (*(const volatile u32*)state == 0u) {
#if __CUDA_ARCH__ >= 700
        __nanosleep(32u);
#endif
    }
    __threadfence();
    return *place;
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

// A scan in one pass, by decoupled look-back (Merrill and Garland 2016): a block combines its own elements, and
// looks back at others for its prefix. Blocks are numbered as they begin, so each waits only for begun ones. Neighbouring
// lanes load and store neighbouring elements; in between each lane has some in a row.
//
// Each block publishes its aggregate to the later blocks of its group; the last block of a group publishes the
// group's inclusive prefix. So values are grouped by position alone, never by arrival. Behind the blocks'
// values is the carry, if there is one; the last value of all is the carry of what follows.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    __shared__ Affine_s0 tile[256];
    __shared__ Affine_s0 row[2304];
    __shared__ Affine_s0 group[256];
    __shared__ Affine_s0 before;
    __shared__ u32 number;
    const u64 lane = threadIdx.x;
    if (lane == 0u) {
        number = atomicAdd(&params.states[0], 1u);
    }
    __syncthreads();
    const u64 block = number;
    u32* const states = params.states + 1u;
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
    // The last block of a group publishes the inclusive prefix, so its aggregate is not needed.
    const u64 earlier = block % 256u;
    const bool is_last = earlier == 256u - 1u || block + 1u == gridDim.x;
    if (lane == 0u && !is_last) {
        skel_publish(&states[block], &params.partials[block], tile[lanes - 1u]);
    }
    // Look-back: each lane waits for one block of the group, and the last lane for the prefix of the group before.
    if (lane < earlier) {
        group[lane] = skel_await(&states[block - earlier + lane], &params.partials[block - earlier + lane]);
    }
    if (lane == 256u - 1u) {
        if (block > earlier) {
            before = skel_await(&states[block - earlier - 1u], &params.partials[block - earlier - 1u]);
        } else if (params.carried != 0u) {
            before = params.partials[gridDim.x];
        }
    }
    // Neighbours, then pairs of neighbours, and so on: the order is kept.
    for (u64 reach = 1u; reach < earlier; reach *= 2u) {
        __syncthreads();
        if (lane % (2u * reach) == 0u && lane + reach < earlier) {
            group[lane] = then_f1(group[lane], group[lane + reach]);
        }
    }
    __syncthreads();
    if (lane == 0u) {
        const bool follows = block > earlier || params.carried != 0u;
        if (earlier > 0u) {
            if (follows) {
                before = then_f1(before, group[0]);
            } else {
                before = group[0];
            }
        }
        if (is_last) {
            Affine_s0 all = tile[lanes - 1u];
            if ((follows || earlier > 0u)) {
                all = then_f1(before, all);
            }
            skel_publish(&states[block], &params.partials[block], all);
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
