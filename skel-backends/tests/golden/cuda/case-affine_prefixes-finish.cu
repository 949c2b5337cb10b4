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

static __device__ Affine_s0 then_f1(Affine_s0 a_0, Affine_s0 b_1) {
    return Affine_s0{(a_0.a_0 * b_1.a_0), ((b_1.a_0 * a_0.b_1) + b_1.b_1)}; // user.rs:5
}

struct Params {
    usize count;
    usize per_lane;
    usize carried;
    Affine_s0* partials;
};
static_assert(sizeof(Params) == 32, "layout");

// What precedes each block, from the totals of all blocks and from what precedes them all; in place.
// Behind the totals comes the carry, if there is one, and behind that the carry of what follows.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    __shared__ Affine_s0 tile[256];
    const u64 lane = threadIdx.x;
    const u64 lanes = (params.count + params.per_lane - 1u) / params.per_lane;
    const u64 first = skel_least(lane * params.per_lane, params.count);
    const u64 last = skel_least(first + params.per_lane, params.count);
    Affine_s0 total = {};
    for (u64 at = first; at < last; at += 1u) {
        const Affine_s0 value = params.partials[at];
        if (at == first) {
            total = value;
        } else {
            total = then_f1(total, value);
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
    bool has = params.carried != 0u;
    Affine_s0 prefix = {};
    if (has) {
        prefix = params.partials[params.count];
    }
    if (lane > 0u && lane < lanes) {
        if (has) {
            prefix = then_f1(prefix, tile[lane - 1u]);
        } else {
            prefix = tile[lane - 1u];
            has = true;
        }
    }
    for (u64 at = first; at < last; at += 1u) {
        const Affine_s0 value = params.partials[at];
        if (has) {
            params.partials[at] = prefix;
            prefix = then_f1(prefix, value);
        } else {
            prefix = value;
            has = true;
        }
    }
    if (first < last && last == params.count) {
        params.partials[params.count + 1u] = prefix;
    }
}
