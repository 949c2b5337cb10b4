typedef int i32;
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;
typedef float f32;

// Notes the number of the first trap site that the element met; 0 if none.
static __device__ void skel_note(u32 site, u32& skel_trap) {
    if (skel_trap == 0u) {
        skel_trap = site;
    }
}

template <typename T, u64 N> struct skel_array {
    typedef T elem;
    static const u64 len = N;
    T part[N == 0 ? 1 : N];
};

static __device__ void skel_check(u64 i, u64 len, u32 site, u32& skel_trap) {
    if (i >= len) {
        skel_note(site, skel_trap);
    }
}

template <typename T, u64 N>
static __device__ const T& skel_array_at(const skel_array<T, N>& all, u64 i, u32 site, u32& skel_trap) {
    skel_check(i, N, site, skel_trap);
    return all.part[i < N ? i : 0];
}

struct Setting_s0 {
    skel_array<f32, 4> weights_0;
    i32 offset_1;
};

static __device__ f32 weighted_f0(bool a_0, Setting_s0 b_1, f32 c_2, u8 d_3, u32& skel_trap) {
    return (skel_array_at(b_1.weights_0, (usize)d_3, 1u, skel_trap) + (f32)b_1.offset_1) + ((f32)(i32)a_0 * c_2); // user.rs:5
}

struct Params {
    usize count;
    bool uniform0;
    Setting_s0 uniform1;
    const f32* arg2;
    const u8* arg3;
    f32* arg4;
    usize first;
    usize* status;
};
static_assert(sizeof(Params) == 72, "layout");

// Every output element from the input elements of the same index.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * 1024u;
    // The loads of several elements are on their way at once.
    for (u64 from = (u64)blockIdx.x * 1024u + threadIdx.x; from < params.count; from += stride) {
        f32 ahead2[4];
        u8 ahead3[4];
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = from + turn * 256u;
            if (at < params.count) {
                ahead2[turn] = params.arg2[at];
                ahead3[turn] = params.arg3[at];
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = from + turn * 256u;
            if (at >= params.count) {
                break;
            }
            u32 skel_trap = 0u;
            const f32 value = weighted_f0(params.uniform0, params.uniform1, ahead2[turn], ahead3[turn], skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[skel_trap - 1u], params.first + at);
                continue;
            }
            params.arg4[at] = value;
        }
    }
}
