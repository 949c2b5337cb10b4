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
    const u64 stride = (u64)gridDim.x * 2048u;
    // The loads of several elements are on their way at once.
    for (u64 from = (u64)blockIdx.x * 2048u + threadIdx.x; from < params.count; from += stride) {
        u32 ahead0[8];
        #pragma unroll
        for (u32 turn = 0u; turn < 8u; turn += 1u) {
            const u64 at = from + turn * 256u;
            if (at < params.count) {
                ahead0[turn] = params.arg0[at];
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 8u; turn += 1u) {
            const u64 at = from + turn * 256u;
            if (at >= params.count) {
                break;
            }
            const tuple_s0 value = square_f0(ahead0[turn]);
            params.arg1[at] = value.x0_0;
            params.arg2[at] = value.x1_1;
        }
    }
}
