typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;
typedef float f32;

struct Random_s0 {
    u32 seed_0;
    u32 seed_high_1;
    u32 call_2;
    u32 index_3;
    u32 index_high_4;
};

struct tuple_s1 {
    u32 x0_0;
    f32 x1_1;
};

static __device__ tuple_s1 dice_f0(Random_s0& a_0) {
    return tuple_s1{(a_0.seed_0 ^ a_0.index_3), (f32)(a_0.seed_0 ^ a_0.index_3)}; // user.rs:5
}

struct Params {
    usize count;
    u32* arg0;
    f32* arg1;
    usize base;
    usize seed;
    u32 call;
};
static_assert(sizeof(Params) == 48, "layout");

// Every output element from the input elements of the same index.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * 256u;
    for (u64 at = (u64)blockIdx.x * 256u + threadIdx.x; at < params.count; at += stride) {
        Random_s0 random = {(u32)params.seed, (u32)(params.seed >> 32), params.call, (u32)(params.base + at), (u32)((params.base + at) >> 32)};
        const tuple_s1 value = dice_f0(random);
        params.arg0[at] = value.x0_0;
        params.arg1[at] = value.x1_1;
    }
}
