typedef int i32;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

template <typename T, u64 N> struct skel_array {
    typedef T elem;
    static const u64 len = N;
    T part[N == 0 ? 1 : N];
};

static __device__ i32 skel_add_i32(i32 a, i32 b) {
    return (i32)((u32)a + (u32)b);
}

static __device__ i32 skel_mul_i32(i32 a, i32 b) {
    return (i32)((u32)a * (u32)b);
}

struct Pair_s0 {
    i32 a_0;
    skel_array<i32, 3> b_1;
};

static __device__ i32 bump_f0(i32& v_0, i32 v_1) {
    v_0 = skel_add_i32(v_0, v_1); // user.rs:5
    return skel_mul_i32(v_0, 2);
}

static __device__ i32 double_f1(i32 a_0) {
    return skel_mul_i32(a_0, 2); // user.rs:5
}

static __device__ i32 change_f2(Pair_s0& v_0) {
    (void)(v_0.a_0 | 1); // user.rs:5
    i32 v_1;
    v_1 = bump_f0(v_0.a_0, 5);
    bump_f0(v_0.b_1.part[2], v_0.a_0);
    i32 v_2;
    v_2 = bump_f0(v_1, double_f1(4));
    return skel_add_i32(v_1, v_2);
}

struct Params {
    usize count;
    Pair_s0* arg0;
    i32* arg1;
};
static_assert(sizeof(Params) == 24, "layout");

// Every output element from the input elements of the same index.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * 512u;
    // The loads of several elements are on their way at once.
    for (u64 from = (u64)blockIdx.x * 512u + threadIdx.x; from < params.count; from += stride) {
        Pair_s0 ahead0[2];
        #pragma unroll
        for (u32 turn = 0u; turn < 2u; turn += 1u) {
            const u64 at = from + turn * 256u;
            if (at < params.count) {
                ahead0[turn] = params.arg0[at];
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 2u; turn += 1u) {
            const u64 at = from + turn * 256u;
            if (at >= params.count) {
                break;
            }
            Pair_s0 changed0 = ahead0[turn];
            const i32 value = change_f2(changed0);
            params.arg0[at] = changed0;
            params.arg1[at] = value;
        }
    }
}
