typedef int i32;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

// Notes the number of the first trap site that the element met; 0 if none.
static __device__ void skel_note(u32 site, u32& skel_trap) {
    if (skel_trap == 0u) {
        skel_trap = site;
    }
}

static __device__ i32 check_f0(i32 a_0, i32 b_1, u32& skel_trap) {
    if (b_1 == 0) { // user.rs:5
        skel_note(1u, skel_trap);
        return {};
    }
    return a_0;
}

struct Params {
    usize count;
    const i32* arg0;
    const i32* arg1;
    i32* arg2;
    usize first;
    usize* status;
};
static_assert(sizeof(Params) == 48, "layout");

// Every output element from the input elements of the same index.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * 1024u;
    // The loads of several elements are on their way at once.
    for (u64 from = (u64)blockIdx.x * 1024u + threadIdx.x; from < params.count; from += stride) {
        i32 ahead0[4];
        i32 ahead1[4];
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = from + turn * 256u;
            if (at < params.count) {
                ahead0[turn] = params.arg0[at];
                ahead1[turn] = params.arg1[at];
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = from + turn * 256u;
            if (at >= params.count) {
                break;
            }
            u32 skel_trap = 0u;
            const i32 value = check_f0(ahead0[turn], ahead1[turn], skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[skel_trap - 1u], params.first + at);
                continue;
            }
            params.arg2[at] = value;
        }
    }
}
