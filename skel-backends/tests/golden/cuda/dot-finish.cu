typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;
typedef float f32;

static __device__ u64 skel_least(u64 a, u64 b) {
    return a < b ? a : b;
}

static __device__ f32 add_f1(f32 a_0, f32 b_1) {
    return a_0 + b_1; // user.rs:5
}

struct Params {
    usize count;
    usize per_lane;
    usize slot;
    const f32* gathered;
    f32* partials;
};
static_assert(sizeof(Params) == 40, "layout");

// One value from all elements of a block, operands in order. No identity is needed: a lane that has
// no element takes no part.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    __shared__ f32 tile[8];
    const u64 lane = threadIdx.x;
    const u64 begin = skel_least(blockIdx.x * 256ull * params.per_lane, params.count);
    const u64 end = skel_least(begin + 256ull * params.per_lane, params.count);
    const u64 lanes = skel_least(256u, end - begin);
    const u64 first = begin + lane;
    const u64 last = end;
    const u64 stride = 256u;
    f32 total = {};
    for (u64 at = first; at < last; at += stride) {
        const f32 value = params.gathered[at];
        if (at == first) {
            total = value;
        } else {
            total = add_f1(total, value);
        }
    }
    // Neighbours, then pairs of neighbours, and so on: the order is kept. No lane leaves before the
    // end, for all must meet.
    #pragma unroll
    for (u32 reach = 1u; reach < 32u; reach *= 2u) {
        const f32 right = __shfl_down_sync(4294967295u, total, reach);
        if (lane % (2u * reach) == 0u && lane + reach < lanes) {
            total = add_f1(total, right);
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
            const f32 right = __shfl_down_sync(4294967295u, total, reach);
            if (lane % (2u * reach) == 0u && 32u * (lane + reach) < lanes) {
                total = add_f1(total, right);
            }
        }
    }
    if (lane == 0u) {
        params.partials[params.slot + blockIdx.x] = total;
    }
}
