typedef int i32;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

static __device__ i32 skel_sub_i32(i32 a, i32 b) {
    return (i32)((u32)a - (u32)b);
}

static __device__ i32 swap_f0(i32& a_0, i32 b_1) {
    i32 c_2 = a_0; // user.rs:5
    a_0 = skel_sub_i32(b_1, c_2);
    return c_2;
}

struct Params {
    usize count;
    i32* arg0;
    const i32* arg1;
    i32* arg2;
};
static_assert(sizeof(Params) == 32, "layout");

// Every output element from the input elements of the same index.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * 256u;
    for (u64 at = (u64)blockIdx.x * 256u + threadIdx.x; at < params.count; at += stride) {
        i32 changed0 = params.arg0[at];
        const i32 value = swap_f0(changed0, params.arg1[at]);
        params.arg0[at] = changed0;
        params.arg2[at] = value;
    }
}
