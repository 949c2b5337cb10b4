typedef int i32;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

static __device__ i32 skel_sub_i32(i32 a, i32 b) {
    return (i32)((u32)a - (u32)b);
}

static __device__ i32 difference_f0(i32 a_0, i32 b_1) {
    return skel_sub_i32(a_0, b_1); // user.rs:5
}

struct Params {
    usize count;
    const i32* arg0;
    usize offset0;
    usize pitch0_0;
    const i32* arg1;
    usize offset1;
    usize pitch1_0;
    usize pitch1_1;
    usize pitch1_2;
    usize extent1_1;
    usize extent1_2;
    i32* arg2;
    usize base;
};
static_assert(sizeof(Params) == 104, "layout");

// Every output element from the input elements of the same index.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * 256u;
    for (u64 at = (u64)blockIdx.x * 256u + threadIdx.x; at < params.count; at += stride) {
        const i32 value = difference_f0(params.arg0[params.offset0 + (params.base + at) * params.pitch0_0], params.arg1[params.offset1 + (params.base + at) % params.extent1_2 * params.pitch1_2 + ((params.base + at) / params.extent1_2) % params.extent1_1 * params.pitch1_1 + (((params.base + at) / params.extent1_2) / params.extent1_1) * params.pitch1_0]);
        params.arg2[at] = value;
    }
}
