typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

static __device__ u64 skel_least(u64 a, u64 b) {
    return a < b ? a : b;
}

struct Affine_s0 {
    u32 a_0;
    u32 b_1;
};

static __device__ Affine_s0 same_f0(Affine_s0 a_0) {
    return a_0; // user.rs:5
}

static __device__ Affine_s0 then_f1(Affine_s0 a_0, Affine_s0 b_1) {
    return Affine_s0{(a_0.a_0 * b_1.a_0), ((a_0.b_1 * b_1.a_0) + b_1.b_1)}; // user.rs:5
}

static __device__ Affine_s0 prefix_f2(Affine_s0 a_0, Affine_s0 b_1) {
    return a_0; // user.rs:5
}

struct Params {
    usize count;
    usize per_lane;
    usize carried;
    usize slot;
    const Affine_s0* arg0;
    Affine_s0* arg1;
    const Affine_s0* gathered;
};
static_assert(sizeof(Params) == 56, "layout");

// The elements of a block, each combined with all that precede it, operands in order. What precedes the
// block is known; the first block of all may have nothing before it. Neighbouring lanes load and store
// neighbouring elements; in between each lane has some in a row.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    __shared__ Affine_s0 tile[256];
    __shared__ Affine_s0 row[512];
    const u64 lane = threadIdx.x;
    const u64 begin = skel_least(blockIdx.x * 256ull * params.per_lane, params.count);
    const u64 end = skel_least(begin + 256ull * params.per_lane, params.count);
    const u64 block = params.slot + blockIdx.x;
    bool carried = params.carried != 0u || block > 0u;
    Affine_s0 carry = {};
    if (carried) {
        carry = params.gathered[block];
    }
    for (u64 from = begin; from < end; from += 512u) {
        const u64 count = skel_least(end - from, 512u);
        const u64 lanes = (count + 2u - 1u) / 2u;
        Affine_s0 values[2];
        #pragma unroll
        for (u32 turn = 0u; turn < 2u; turn += 1u) {
            const u64 in_row = turn * 256u + lane;
            const u64 at = from + in_row;
            if (in_row < count) {
                const Affine_s0 value = same_f0(params.arg0[at]);
                values[turn] = value;
                row[in_row] = value;
            }
        }
        __syncthreads();
        const u64 first = skel_least(lane * 2u, count);
        const u64 last = skel_least(first + 2u, count);
        Affine_s0 total = {};
        for (u64 in_row = first; in_row < last; in_row += 1u) {
            if (in_row == first) {
                total = row[in_row];
            } else {
                total = then_f1(total, row[in_row]);
            }
        }
        tile[lane] = total;
        // Each lane's total becomes that of all lanes up to it. No lane leaves before the end, for all must meet
        // at the barriers.
        for (u64 reach = 1u; reach < 256u; reach *= 2u) {
            __syncthreads();
            const bool joins = lane >= reach && lane < lanes;
            Affine_s0 left = {};
            if (joins) {
                left = tile[lane - reach];
            }
            __syncthreads();
            if (joins) {
                total = then_f1(left, total);
                tile[lane] = total;
            }
        }
        __syncthreads();
        bool has = carried;
        Affine_s0 prefix = carry;
        if (lane > 0u && lane < lanes) {
            if (has) {
                prefix = then_f1(prefix, tile[lane - 1u]);
            } else {
                prefix = tile[lane - 1u];
                has = true;
            }
        }
        for (u64 in_row = first; in_row < last; in_row += 1u) {
            const Affine_s0 value = row[in_row];
            if (has) {
                prefix = then_f1(prefix, value);
            } else {
                prefix = value;
                has = true;
            }
            row[in_row] = prefix;
        }
        // All of them precede the next row.
        if (!carried) {
            carry = tile[lanes - 1u];
            carried = true;
        } else if (from + count < end) {
            carry = then_f1(carry, tile[lanes - 1u]);
        }
        __syncthreads();
        #pragma unroll
        for (u32 turn = 0u; turn < 2u; turn += 1u) {
            const u64 in_row = turn * 256u + lane;
            const u64 at = from + in_row;
            if (in_row < count) {
                const Affine_s0 value = values[turn];
                const Affine_s0 prefix = row[in_row];
                params.arg1[at] = prefix_f2(prefix, value);
            }
        }
    }
}
