typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;
typedef float f32;

static __device__ u64 skel_least(u64 a, u64 b) {
    return a < b ? a : b;
}

static __device__ f32 mult_f0(f32 a_0, f32 b_1) {
    return a_0 * b_1; // user.rs:5
}

static __device__ f32 add_f1(f32 a_0, f32 b_1) {
    return a_0 + b_1; // user.rs:5
}

struct Params {
    usize count;
    usize per_lane;
    usize slot;
    const f32* arg0;
    const f32* arg1;
    f32* partials;
};
static_assert(sizeof(Params) == 48, "layout");

// One value from all elements of a block, operands in order. No identity is needed: a lane that has
// no element takes no part.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    __shared__ f32 tile[256];
    const u64 lane = threadIdx.x;
    const u64 begin = skel_least(blockIdx.x * 256ull * params.per_lane, params.count);
    const u64 end = skel_least(begin + 256ull * params.per_lane, params.count);
    const u64 lanes = skel_least(256u, end - begin);
    const u64 first = begin + lane;
    const u64 last = end;
    const u64 stride = 256u;
    f32 total = {};
    // The loads of several elements are on their way at once.
    for (u64 from = first; from < last; from += 4u * stride) {
        f32 ahead0[4];
        f32 ahead1[4];
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = from + turn * stride;
            if (at < last) {
                ahead0[turn] = params.arg0[at];
                ahead1[turn] = params.arg1[at];
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = from + turn * stride;
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
    tile[lane] = total;
    // Neighbours, then pairs of neighbours, and so on: the order is kept. No lane leaves before the
    // end, for all must meet at the barriers.
    for (u64 reach = 1u; reach < 256u; reach *= 2u) {
        __syncthreads();
        if (lane % (2u * reach) == 0u && lane + reach < lanes) {
            tile[lane] = add_f1(tile[lane], tile[lane + reach]);
        }
    }
    if (lane == 0u) {
        params.partials[params.slot + blockIdx.x] = tile[0];
    }
}
