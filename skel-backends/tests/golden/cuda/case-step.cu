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

static __device__ i32 advance_f0(i32 a_0, i32 b_1, u32& skel_trap) {
    i32 c_2 = 1; // user.rs:5
    for (;;) {
        {
            if (c_2 > 100) {
                return a_0;
            }
            if ((c_2 & 1) == 1) {
                goto next0;
            }
        }
    next0:;
        c_2 = skel_add_i32(c_2, (skel_div_i32(a_0, b_1, 1u, skel_trap) | 1));
        if (skel_trap != 0u) {
            return {};
        }
    }
}

struct Params {
    usize count;
    const i32* arg0;
    const i32* arg1;
    i32* arg2;
    usize base;
    usize* status;
};
static_assert(sizeof(Params) == 48, "layout");

// Every output element from the input elements of the same index.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * 256u;
    for (u64 at = (u64)blockIdx.x * 256u + threadIdx.x; at < params.count; at += stride) {
        u32 skel_trap = 0u;
        const i32 value = advance_f0(params.arg0[at], params.arg1[at], skel_trap);
        if (skel_trap != 0u) {
            atomicMin(&params.status[skel_trap - 1u], params.base + at);
            continue;
        }
        params.arg2[at] = value;
    }
}
