typedef unsigned long long u64;
typedef unsigned long long usize;
typedef float f32;

static __device__ f32 power_f0(f32 a_0, f32 b_1) {
    return powf(a_0, b_1); // user.rs:5
}

struct Params {
    usize count;
    const f32* arg0;
    const f32* arg1;
    f32* arg2;
};
static_assert(sizeof(Params) == 32, "layout");

// Every output element from the input elements of the same index.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * 256u;
    for (u64 at = (u64)blockIdx.x * 256u + threadIdx.x; at < params.count; at += stride) {
        const f32 value = power_f0(params.arg0[at], params.arg1[at]);
        params.arg2[at] = value;
    }
}
