typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

static __device__ u32 pairs_f0(u32 a_0) {
    u32 b_1 = 0u; // user.rs:5
    u32 c_2 = 0u;
    for (;;) {
        {
            if (c_2 >= a_0) {
                break;
            }
            u32 d_3 = 0u;
            for (;;) {
                if (d_3 >= a_0) {
                    break;
                }
                if ((c_2 % 3u) == 0u) {
                    goto next0;
                }
                if ((c_2 * d_3) == a_0) {
                    goto end0;
                }
                b_1 = b_1 + 1u;
                d_3 = d_3 + 1u;
            }
        }
    next0:;
        c_2 = c_2 + 1u;
    }
    end0:;
    return b_1;
}

struct Params {
    usize count;
    const u32* arg0;
    u32* arg1;
};
static_assert(sizeof(Params) == 24, "layout");

// Every output element from the input elements of the same index.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * 256u;
    for (u64 at = (u64)blockIdx.x * 256u + threadIdx.x; at < params.count; at += stride) {
        const u32 value = pairs_f0(params.arg0[at]);
        params.arg1[at] = value;
    }
}
