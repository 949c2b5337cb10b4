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

static __device__ i32 skel_add_i32(i32 a, i32 b) {
    return (i32)((u32)a + (u32)b);
}

static __device__ i32 skel_div_i32(i32 a, i32 b, u32 site, u32& skel_trap) {
    if (b == 0) {
        skel_note(site, skel_trap);
        return 0;
    }
    if (b == -1 && a == (-2147483647 - 1)) {
        skel_note(site + 1u, skel_trap);
        return 0;
    }
    return (i32)(a / b);
}

static __device__ i32 skel_rem_i32(i32 a, i32 b, u32 site, u32& skel_trap) {
    if (b == 0) {
        skel_note(site, skel_trap);
        return 0;
    }
    if (b == -1 && a == (-2147483647 - 1)) {
        skel_note(site + 1u, skel_trap);
        return 0;
    }
    return (i32)(a % b);
}

static __device__ i32 rest_f0(i32 a_0, i32 b_1, u32& skel_trap) {
    return skel_rem_i32(a_0, b_1, 1u, skel_trap); // user.rs:5
}

static __device__ i32 caller_f1(i32 a_0, i32 b_1, u32& skel_trap) {
    const i32 part0 = skel_div_i32(a_0, b_1, 3u, skel_trap); // user.rs:5
    if (skel_trap != 0u) {
        return {};
    }
    return skel_add_i32(part0, rest_f0(a_0, b_1, skel_trap));
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
            const i32 value = caller_f1(ahead0[turn], ahead1[turn], skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[skel_trap - 1u], params.first + at);
                continue;
            }
            params.arg2[at] = value;
        }
    }
}
