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

static __device__ i32 rest_f1(i32 a_0, i32 b_1, u32& skel_trap) {
    return skel_rem_i32(a_0, b_1, 3u, skel_trap); // user.rs:5
}

struct Params {
    usize count;
    usize per_lane;
    usize slot;
    const i32* gathered;
    i32* partials;
    usize* status;
};
static_assert(sizeof(Params) == 48, "layout");

// One value from all elements of a block, operands in order. No identity is needed: a lane that has
// no element takes no part.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    __shared__ i32 tile[8];
    const u64 lane = threadIdx.x;
    const u64 begin = skel_least(blockIdx.x * 256ull * params.per_lane, params.count);
    const u64 end = skel_least(begin + 256ull * params.per_lane, params.count);
    const u64 lanes = (end - begin + params.per_lane - 1u) / params.per_lane;
    const u64 first = begin + lane * params.per_lane;
    const u64 last = skel_least(first + params.per_lane, end);
    const u64 stride = 1u;
    u32 skel_trap = 0u;
    i32 total = {};
    for (u64 at = first; at < last; at += stride) {
        const i32 value = params.gathered[at];
        if (at == first) {
            total = value;
        } else {
            total = rest_f1(total, value, skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[4u + skel_trap - 1u], 0ull);
                break;
            }
        }
    }
    // Neighbours, then pairs of neighbours, and so on: the order is kept. No lane leaves before the
    // end, for all must meet.
    #pragma unroll
    for (u32 reach = 1u; reach < 32u; reach *= 2u) {
        const i32 right = __shfl_down_sync(4294967295u, total, reach);
        if (lane % (2u * reach) == 0u && lane + reach < lanes && skel_trap == 0u) {
            total = rest_f1(total, right, skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[4u + skel_trap - 1u], 0ull);
            }
        }
    }
    // The values of the warps are those of the lanes of one.
    if (lane % 32u == 0u) {
        tile[lane / 32u] = total;
    }
    __syncthreads();
    if (lane < 32u) {
        if (lane < 8u) {
            total = tile[lane];
        }
        #pragma unroll
        for (u32 reach = 1u; reach < 8u; reach *= 2u) {
            const i32 right = __shfl_down_sync(4294967295u, total, reach);
            if (lane % (2u * reach) == 0u && 32u * (lane + reach) < lanes && skel_trap == 0u) {
                total = rest_f1(total, right, skel_trap);
                if (skel_trap != 0u) {
                    atomicMin(&params.status[4u + skel_trap - 1u], 0ull);
                }
            }
        }
    }
    if (lane == 0u) {
        params.partials[params.slot + blockIdx.x] = total;
    }
}
