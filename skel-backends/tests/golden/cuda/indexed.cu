typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

struct Index2_s0 {
    usize row_0;
    usize col_1;
};

static __device__ u32 place_f0(Index2_s0 a_0) {
    return ((u32)a_0.row_0 * 1000u) + (u32)a_0.col_1; // user.rs:5
}

struct Params {
    usize count;
    u32* arg0;
    usize base;
    usize columns;
};
static_assert(sizeof(Params) == 32, "layout");

// Every output element from the input elements of the same index.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * 256u;
    for (u64 at = (u64)blockIdx.x * 256u + threadIdx.x; at < params.count; at += stride) {
        const u32 value = place_f0(Index2_s0{(params.base + at) / params.columns, (params.base + at) % params.columns});
        params.arg0[at] = value;
    }
}
