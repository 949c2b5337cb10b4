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

static __device__ i32 quotient_f1(i32 a_0, i32 b_1, u32& skel_trap) {
    return skel_div_i32(a_0, b_1, 1u, skel_trap); // user.rs:5
}

struct Params {
    usize level;
    usize first_leaf;
    usize leaves;
    usize to_leaf;
    i32* partials;
    usize* status;
};
static_assert(sizeof(Params) == 48, "layout");

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
    __shared__ i32 tile[256];
    const u64 lane = threadIdx.x;
    const u64 level = params.level;
    const u64 end = params.first_leaf + params.leaves;
    const u64 group = (params.first_leaf >> level) / 256u + blockIdx.x;
    u32 skel_trap = 0u;
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
            total = quotient_f1(total, tile[lane + reach], skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
            }
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
