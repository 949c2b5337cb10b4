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

// Publishes a value to other blocks: a block that sees the state sees the value as well.
template <typename T>
static __device__ void skel_publish(u32* state, T* place, const T& value) {
    *place = value;
    __threadfence();
    *(volatile u32*)state = 1u;
}

// Waits for a value that another block publishes, or has published.
template <typename T>
static __device__ T skel_await(const u32* state, const T* place) {
    while (*(const volatile u32*)state == 0u) {
#if __CUDA_ARCH__ >= 700
        __nanosleep(32u);
#endif
    }
    __threadfence();
    return *place;
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
    usize carried;
    const i32* arg0;
    i32 uniform1;
    i32* arg2;
    i32* partials;
    u32* states;
    usize* status;
};
static_assert(sizeof(Params) == 64, "layout");

// A scan in one pass, by decoupled look-back (Merrill and Garland 2016): a block combines its own elements, and
// looks back at others for its prefix. Blocks are numbered as they begin, so each waits only for begun ones. Neighbouring
// lanes load and store neighbouring elements; in between each lane has some in a row.
//
// Each block publishes its aggregate to the later blocks of its group; the last block of a group publishes the
// group's inclusive prefix. So values are grouped by position alone, never by arrival. Behind the blocks'
// values is the carry, if there is one; the last value of all is the carry of what follows.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    __shared__ i32 tile[256];
    __shared__ i32 row[4352];
    __shared__ i32 group[256];
    __shared__ i32 before;
    __shared__ u32 number;
    const u64 lane = threadIdx.x;
    if (lane == 0u) {
        number = atomicAdd(&params.states[0], 1u);
    }
    __syncthreads();
    const u64 block = number;
    u32* const states = params.states + 1u;
    const u64 begin = block * 4096u;
    const u64 count = skel_least(params.count - begin, 4096u);
    const u64 lanes = (count + 16u - 1u) / 16u;
    u32 skel_trap = 0u;
    // The loads of all elements are on their way at once.
    i32 ahead0[16];
    #pragma unroll
    for (u32 turn = 0u; turn < 16u; turn += 1u) {
        const u64 in_row = turn * 256u + lane;
        const u64 at = begin + in_row;
        if (in_row < count) {
            ahead0[turn] = params.arg0[at];
        }
    }
    i32 values[16];
    #pragma unroll
    for (u32 turn = 0u; turn < 16u; turn += 1u) {
        const u64 in_row = turn * 256u + lane;
        const u64 at = begin + in_row;
        if (in_row < count && skel_trap == 0u) {
            const i32 value = same_f0(ahead0[turn], params.uniform1);
            if (skel_trap != 0u) {
                atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
            }
            values[turn] = value;
            row[in_row + in_row / 16u] = value;
        }
        if (in_row < count && skel_trap != 0u) {
            row[in_row + in_row / 16u] = {};
        }
    }
    __syncthreads();
    const u64 first = skel_least(lane * 16u, count);
    const u64 last = skel_least(first + 16u, count);
    i32 total = {};
    for (u64 in_row = first; in_row < last && skel_trap == 0u; in_row += 1u) {
        if (in_row == first) {
            total = row[in_row + in_row / 16u];
        } else {
            total = quotient_f1(total, row[in_row + in_row / 16u], skel_trap);
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
    // The last block of a group publishes the inclusive prefix, so its aggregate is not needed.
    const u64 earlier = block % 256u;
    const bool is_last = earlier == 256u - 1u || block + 1u == gridDim.x;
    if (lane == 0u && !is_last) {
        skel_publish(&states[block], &params.partials[block], tile[lanes - 1u]);
    }
    // Look-back: each lane waits for one block of the group, and the last lane for the prefix of the group before.
    if (lane < earlier) {
        group[lane] = skel_await(&states[block - earlier + lane], &params.partials[block - earlier + lane]);
    }
    if (lane == 256u - 1u) {
        if (block > earlier) {
            before = skel_await(&states[block - earlier - 1u], &params.partials[block - earlier - 1u]);
        } else if (params.carried != 0u) {
            before = params.partials[gridDim.x];
        }
    }
    // Neighbours, then pairs of neighbours, and so on: the order is kept.
    for (u64 reach = 1u; reach < earlier; reach *= 2u) {
        __syncthreads();
        if (lane % (2u * reach) == 0u && lane + reach < earlier && skel_trap == 0u) {
            group[lane] = quotient_f1(group[lane], group[lane + reach], skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
            }
        }
    }
    __syncthreads();
    if (lane == 0u) {
        const bool follows = block > earlier || params.carried != 0u;
        if (earlier > 0u && skel_trap == 0u) {
            if (follows) {
                before = quotient_f1(before, group[0], skel_trap);
                if (skel_trap != 0u) {
                    atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
                }
            } else {
                before = group[0];
            }
        }
        if (is_last) {
            i32 all = tile[lanes - 1u];
            if ((follows || earlier > 0u) && skel_trap == 0u) {
                all = quotient_f1(before, all, skel_trap);
                if (skel_trap != 0u) {
                    atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
                }
            }
            skel_publish(&states[block], &params.partials[block], all);
        }
    }
    __syncthreads();
    bool has = block > 0u || params.carried != 0u;
    i32 prefix = {};
    if (has) {
        prefix = before;
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
    for (u64 in_row = first; in_row < last && skel_trap == 0u; in_row += 1u) {
        const i32 value = row[in_row + in_row / 16u];
        row[in_row + in_row / 16u] = prefix;
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
    __syncthreads();
    #pragma unroll
    for (u32 turn = 0u; turn < 16u; turn += 1u) {
        const u64 in_row = turn * 256u + lane;
        const u64 at = begin + in_row;
        if (in_row < count && skel_trap == 0u) {
            const i32 value = values[turn];
            const i32 prefix = row[in_row + in_row / 16u];
            params.arg2[at] = shown_f2(prefix, value, params.uniform1);
        }
    }
}
