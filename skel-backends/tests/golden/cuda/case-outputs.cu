typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

struct tuple_s0 {
    u64 x0_0;
    bool x1_1;
};

static __device__ tuple_s0 square_f0(u32 a_0) {
    return tuple_s0{((u64)a_0 * (u64)a_0), (a_0 > 9u)}; // user.rs:5
}

struct Params {
    usize count;
    const u32* arg0;
    u64* arg1;
    bool* arg2;
};
static_assert(sizeof(Params) == 32, "layout");

// Every output element from the input elements of the same index.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * 256u;
    for (u64 at = (u64)blockIdx.x * 256u + threadIdx.x; at < params.count; at += stride) {
        const tuple_s0 value = square_f0(params.arg0[at]);
        params.arg1[at] = value.x0_0;
        params.arg2[at] = value.x1_1;
    }
}
