typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;
typedef float f32;

static __device__ f32 saxpy_f0(f32 a_0, f32 b_1, f32 c_2) {
    return (a_0 * b_1) + c_2; // user.rs:5
}

struct Params {
    usize count;
    f32 uniform0;
    const f32* arg1;
    const f32* arg2;
    f32* arg3;
};
static_assert(sizeof(Params) == 40, "layout");

// Every output element from the input elements of the same index.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * 1024u;
    // The loads of several elements are on their way at once.
    for (u64 from = (u64)blockIdx.x * 1024u + threadIdx.x; from < params.count; from += stride) {
        f32 ahead1[4];
        f32 ahead2[4];
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = from + turn * 256u;
            if (at < params.count) {
                ahead1[turn] = params.arg1[at];
                ahead2[turn] = params.arg2[at];
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = from + turn * 256u;
            if (at >= params.count) {
                break;
            }
            const f32 value = saxpy_f0(params.uniform0, ahead1[turn], ahead2[turn]);
            params.arg3[at] = value;
        }
    }
}
