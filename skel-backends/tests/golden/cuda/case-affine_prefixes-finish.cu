typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

struct Affine_s0 {
    u32 a_0;
    u32 b_1;
};

static __device__ Affine_s0 then_f1(Affine_s0 a_0, Affine_s0 b_1) {
    return Affine_s0{(a_0.a_0 * b_1.a_0), ((b_1.a_0 * a_0.b_1) + b_1.b_1)}; // user.rs:5
}

struct Params {
    usize level;
    usize first_leaf;
    usize leaves;
    usize to_leaf;
    Affine_s0* partials;
};
static_assert(sizeof(Params) == 40, "layout");

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


// Nodes above those of `params.level`, as far as one block reaches. The last launch, of one block, also lists those that
// make up the call's part.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    __shared__ Affine_s0 tile[256];
    const u64 lane = threadIdx.x;
    const u64 level = params.level;
    const u64 end = params.first_leaf + params.leaves;
    const u64 group = (params.first_leaf >> level) / 256u + blockIdx.x;
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
    // They lie behind what precedes the launch: one place for what precedes all elements, and one for each level.
    u64 listed = 2u * params.leaves + 1u;
    for (u64 rest = params.first_leaf; rest > 0u; rest >>= 1u) {
        listed += 1u;
    }
    // The nodes that make up the launch.
    u64 at = params.first_leaf;
    for (u64 node = 0u; at < params.to_leaf; node += 1u) {
        u64 height = 0u;
        while ((at >> height & 1u) == 0u && (2ull << height) <= params.to_leaf - at) {
            height += 1u;
        }
        if (node % 256u == lane) {
            (params.partials + listed)[node] = params.partials[skel_place(at, height, params)];
        }
        at += 1ull << height;
    }
}
