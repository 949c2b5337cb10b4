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

static __device__ Affine_s0 same_f0(Affine_s0 a_0) {
    return a_0; // user.rs:5
}

static __device__ Affine_s0 then_f1(Affine_s0 a_0, Affine_s0 b_1) {
    return Affine_s0{(a_0.a_0 * b_1.a_0), ((b_1.a_0 * a_0.b_1) + b_1.b_1)}; // user.rs:5
}

struct Params {
    usize count;
    usize per_lane;
    usize slot;
    const Affine_s0* arg0;
    Affine_s0* partials;
};
static_assert(sizeof(Params) == 40, "layout");

// One value from all elements of a block, operands in order. No identity is needed: a lane that has
// no element takes no part.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    __shared__ Affine_s0 tile[256];
    const u64 lane = threadIdx.x;
    const u64 begin = skel_least(blockIdx.x * 256ull * params.per_lane, params.count);
    const u64 end = skel_least(begin + 256ull * params.per_lane, params.count);
    const u64 lanes = (end - begin + params.per_lane - 1u) / params.per_lane;
    const u64 first = begin + lane * params.per_lane;
    const u64 last = skel_least(first + params.per_lane, end);
    const u64 stride = 1u;
    Affine_s0 total = {};
    // The loads of several elements are on their way at once.
    for (u64 from = first; from < last; from += 4u * stride) {
        Affine_s0 ahead0[4];
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = from + turn * stride;
            if (at < last) {
                ahead0[turn] = params.arg0[at];
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = from + turn * stride;
            if (at >= last) {
                break;
            }
            const Affine_s0 value = same_f0(ahead0[turn]);
            if (at == first) {
                total = value;
            } else {
                total = then_f1(total, value);
            }
        }
    }
    // Neighbours, then pairs of neighbours, and so on: the order is kept. No lane leaves before the
    // end, for all must meet.
    tile[lane] = total;
    for (u64 reach = 1u; reach < 256u; reach *= 2u) {
        __syncthreads();
        if (lane % (2u * reach) == 0u && lane + reach < lanes) {
            total = then_f1(total, tile[lane + reach]);
            tile[lane] = total;
        }
    }
    if (lane == 0u) {
        params.partials[params.slot + blockIdx.x] = total;
    }
}
