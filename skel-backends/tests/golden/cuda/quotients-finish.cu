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

static __device__ u64 skel_least(u64 a, u64 b) {
    return a < b ? a : b;
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

static __device__ i32 quotient_f1(i32 a_0, i32 b_1, u32& skel_trap) {
    return skel_div_i32(a_0, b_1, 1u, skel_trap); // user.rs:5
}

struct Params {
    usize count;
    usize per_lane;
    usize carried;
    i32* partials;
    usize* status;
};
static_assert(sizeof(Params) == 40, "layout");

// What precedes each block, from the totals of all blocks and from what precedes them all; in place.
// Behind the totals comes the carry, if there is one, and behind that the carry of what follows.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    __shared__ i32 tile[256];
    const u64 lane = threadIdx.x;
    const u64 lanes = (params.count + params.per_lane - 1u) / params.per_lane;
    const u64 first = skel_least(lane * params.per_lane, params.count);
    const u64 last = skel_least(first + params.per_lane, params.count);
    u32 skel_trap = 0u;
    i32 total = {};
    for (u64 at = first; at < last; at += 1u) {
        const i32 value = params.partials[at];
        if (at == first) {
            total = value;
        } else {
            total = quotient_f1(total, value, skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
                break;
            }
        }
    }
    tile[lane] = total;
    // Each lane's total becomes that of all lanes up to it. No lane leaves before the end, for all must meet
    // at the barriers.
    for (u64 reach = 1u; reach < 256u; reach *= 2u) {
        __syncthreads();
        const bool joins = lane >= reach && lane < lanes && skel_trap == 0u;
        i32 left = {};
        if (joins) {
            left = tile[lane - reach];
        }
        __syncthreads();
        if (joins) {
            total = quotient_f1(left, total, skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
            }
            tile[lane] = total;
        }
    }
    __syncthreads();
    bool has = params.carried != 0u;
    i32 prefix = {};
    if (has) {
        prefix = params.partials[params.count];
    }
    if (lane > 0u && lane < lanes && skel_trap == 0u) {
        if (has) {
            prefix = quotient_f1(prefix, tile[lane - 1u], skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
            }
        } else {
            prefix = tile[lane - 1u];
            has = true;
        }
    }
    for (u64 at = first; at < last && skel_trap == 0u; at += 1u) {
        const i32 value = params.partials[at];
        if (has) {
            params.partials[at] = prefix;
            prefix = quotient_f1(prefix, value, skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
                break;
            }
        } else {
            prefix = value;
            has = true;
        }
    }
    if (first < last && last == params.count) {
        params.partials[params.count + 1u] = prefix;
    }
}
