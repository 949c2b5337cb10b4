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

static __device__ i32 same_f0(i32 a_0, i32 b_1) {
    return a_0; // user.rs:5
}

static __device__ i32 quotient_f1(i32 a_0, i32 b_1, u32& skel_trap) {
    return skel_div_i32(a_0, b_1, 1u, skel_trap); // user.rs:5
}

static __device__ i32 shown_f2(i32 a_0, i32 b_1, i32 c_2) {
    return skel_add_i32(a_0, c_2); // user.rs:5
}

struct Params {
    usize count;
    usize per_lane;
    usize carried;
    usize slot;
    const i32* arg0;
    i32 uniform1;
    i32* arg2;
    const i32* gathered;
    usize* status;
};
static_assert(sizeof(Params) == 72, "layout");

// The elements of a block, each combined with all that precede it, operands in order. What precedes the
// block is known; the first block of all may have nothing before it. Neighbouring lanes load and store
// neighbouring elements; in between each lane has some in a row.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    __shared__ i32 tile[256];
    __shared__ i32 row[1024];
    const u64 lane = threadIdx.x;
    const u64 begin = skel_least(blockIdx.x * 256ull * params.per_lane, params.count);
    const u64 end = skel_least(begin + 256ull * params.per_lane, params.count);
    const u64 block = params.slot + blockIdx.x;
    bool carried = params.carried != 0u || block > 0u;
    i32 carry = {};
    if (carried) {
        carry = params.gathered[block];
    }
    u32 skel_trap = 0u;
    for (u64 from = begin; from < end; from += 1024u) {
        const u64 count = skel_least(end - from, 1024u);
        const u64 lanes = (count + 4u - 1u) / 4u;
        i32 values[4];
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 in_row = turn * 256u + lane;
            const u64 at = from + in_row;
            if (in_row < count && skel_trap == 0u) {
                const i32 value = same_f0(params.arg0[at], params.uniform1);
                if (skel_trap != 0u) {
                    atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
                }
                values[turn] = value;
                row[in_row] = value;
            }
            if (in_row < count && skel_trap != 0u) {
                row[in_row] = {};
            }
        }
        __syncthreads();
        const u64 first = skel_least(lane * 4u, count);
        const u64 last = skel_least(first + 4u, count);
        i32 total = {};
        for (u64 in_row = first; in_row < last && skel_trap == 0u; in_row += 1u) {
            if (in_row == first) {
                total = row[in_row];
            } else {
                total = quotient_f1(total, row[in_row], skel_trap);
                if (skel_trap != 0u) {
                    atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
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
        bool has = carried;
        i32 prefix = carry;
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
        for (u64 in_row = first; in_row < last && skel_trap == 0u; in_row += 1u) {
            const i32 value = row[in_row];
            row[in_row] = prefix;
            if (has) {
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
        // All of them precede the next row.
        if (!carried) {
            carry = tile[lanes - 1u];
            carried = true;
        } else if (from + count < end && skel_trap == 0u) {
            carry = quotient_f1(carry, tile[lanes - 1u], skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
            }
        }
        __syncthreads();
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 in_row = turn * 256u + lane;
            const u64 at = from + in_row;
            if (in_row < count && skel_trap == 0u) {
                const i32 value = values[turn];
                const i32 prefix = row[in_row];
                params.arg2[at] = shown_f2(prefix, value, params.uniform1);
            }
        }
    }
}
