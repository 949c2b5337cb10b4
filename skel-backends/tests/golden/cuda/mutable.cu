typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

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

template <typename A> static __device__ A skel_filled(const typename A::elem value) {
    A all;
    for (u64 i = 0; i < A::len; i += 1) {
        all.part[i] = value;
    }
    return all;
}

static __device__ void skel_check(u64 i, u64 len, u32 site, u32& skel_trap) {
    if (i >= len) {
        skel_note(site, skel_trap);
    }
}

static __device__ void move_all_f0(u32& a_0, u32& b_1) {
    b_1 = a_0 + b_1; // user.rs:5
    a_0 = 0u;
}

static __device__ skel_array<u32, 2> sides_f1(u32 a_0, u32& skel_trap) {
    if (a_0 > 1u) { // user.rs:5
        skel_note(1u, skel_trap);
        return {};
    }
    skel_array<u32, 2> b_1 = skel_filled<skel_array<u32, 2>>(a_0);
    u32 c_2 = 7u;
    const usize part0 = (usize)a_0;
    skel_check(part0, 2u, 2u, skel_trap);
    if (skel_trap != 0u) {
        return {};
    }
    move_all_f0(c_2, b_1.part[part0]);
    return b_1;
}

struct Params {
    usize count;
    const u32* arg0;
    skel_array<u32, 2>* arg1;
    usize first;
    usize* status;
};
static_assert(sizeof(Params) == 40, "layout");

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
            u32 skel_trap = 0u;
            const skel_array<u32, 2> value = sides_f1(ahead0[turn], skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[skel_trap - 1u], params.first + at);
                continue;
            }
            params.arg1[at] = value;
        }
    }
}
