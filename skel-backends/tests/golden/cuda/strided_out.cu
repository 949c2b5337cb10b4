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
    usize offset0;
    usize pitch0_0;
    usize pitch0_1;
    usize extent0_1;
    const i32* arg1;
    i32* arg2;
    usize offset2;
    usize pitch2_0;
    usize pitch2_1;
    usize pitch2_2;
    usize extent2_1;
    usize extent2_2;
    usize base;
};
static_assert(sizeof(Params) == 120, "layout");

// Every output element from the input elements of the same index.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * 2048u;
    // The loads of several elements are on their way at once.
    for (u64 from = (u64)blockIdx.x * 2048u + threadIdx.x; from < params.count; from += stride) {
        i32 ahead1[8];
        #pragma unroll
        for (u32 turn = 0u; turn < 8u; turn += 1u) {
            const u64 at = from + turn * 256u;
            if (at < params.count) {
                ahead1[turn] = params.arg1[at];
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 8u; turn += 1u) {
            const u64 at = from + turn * 256u;
            if (at >= params.count) {
                break;
            }
            i32 changed0 = params.arg0[params.offset0 + (params.base + at) % params.extent0_1 * params.pitch0_1 + ((params.base + at) / params.extent0_1) * params.pitch0_0];
            const i32 value = swap_f0(changed0, ahead1[turn]);
            params.arg0[params.offset0 + (params.base + at) % params.extent0_1 * params.pitch0_1 + ((params.base + at) / params.extent0_1) * params.pitch0_0] = changed0;
            params.arg2[params.offset2 + (params.base + at) % params.extent2_2 * params.pitch2_2 + ((params.base + at) / params.extent2_2) % params.extent2_1 * params.pitch2_1 + (((params.base + at) / params.extent2_2) / params.extent2_1) * params.pitch2_0] = value;
        }
    }
}
