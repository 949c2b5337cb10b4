typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

static __device__ u64 skel_least(u64 a, u64 b) {
    return a < b ? a : b;
}

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

static __device__ u32 sum_f1(u32 a_0, u32 b_1) {
    return a_0 + b_1; // user.rs:5
}

struct Params {
    usize count;
    usize depth;
    usize leaf;
    usize spans;
    usize span;
    usize to_node;
    usize table_node;
    usize places_per_value;
    usize places_per_step;
    const u32* arg0;
    usize offset0;
    usize pitch0_0;
    usize pitch0_1;
    u32* arg1;
    usize base;
    u32* partials;
    usize joining;
    usize from_node;
    usize width;
};
static_assert(sizeof(Params) == 152, "layout");

// Every output element folds a row or column of the arguments, leaf after leaf; or one span of it: see `crate::along`.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * 256u;
    const u64 slots = params.count * params.spans;
    for (u64 slot = (u64)blockIdx.x * 256u + threadIdx.x; slot < slots; slot += stride) {
        const u64 at = slot % params.count;
        const u64 begin = slot / params.count * params.span;
        const u64 end = skel_least(begin + params.span, params.depth);
        u32 total = {};
        for (u64 first = begin; first < end; first += params.leaf) {
            const u64 last = skel_least(first + params.leaf, end);
            if (params.joining != 0u) {
                total = params.partials[params.from_node + first * params.count + at];
            } else {
                // Whole blocks are trees, a last, shorter one is a chain, and so are leaves of columns and of short rows.
                const bool is_whole = last - first == 16u && params.width == 16u;
                u32 one = {};
                u32 two = {};
                u32 four = {};
                u32 eight = {};
                for (u64 turn = first; turn < last; turn += 1u) {
                    // The element that is folded, as the arguments count it.
                    const u64 place =
                        (params.base + at) * params.places_per_value + turn * params.places_per_step;
                    (void)place;
                    const u64 in_block = turn - first;
                    const u32 value = pairs_f0(params.arg0[params.offset0 + turn * params.pitch0_1 + (params.base + at) * params.pitch0_0]);
                    if (is_whole) {
                        // Pairs, pairs of pairs, and so on.
                        u32 node = value;
                        if ((in_block & 1u) == 0u) {
                            one = node;
                        } else {
                            node = sum_f1(one, node);
                            if ((in_block & 2u) == 0u) {
                                two = node;
                            } else {
                                node = sum_f1(two, node);
                                if ((in_block & 4u) == 0u) {
                                    four = node;
                                } else {
                                    node = sum_f1(four, node);
                                    if ((in_block & 8u) == 0u) {
                                        eight = node;
                                    } else {
                                        total = sum_f1(eight, node);
                                    }
                                }
                            }
                        }
                    } else if (in_block == 0u) {
                        total = value;
                    } else {
                        total = sum_f1(total, value);
                    }
                }
            }
            // The nodes that end where this one begins; of the last leaf, all that precede it.
            const u64 number = (first - begin) / params.leaf;
            u64 level = 0u;
            for (; number >> level > 0u && (last == end || (number >> level & 1u) == 1u); level += 1u) {
                if ((number >> level & 1u) == 1u) {
                    total = sum_f1(params.partials[params.table_node + level * slots + slot], total);
                }
            }
            if (last < end) {
                params.partials[params.table_node + level * slots + slot] = total;
            }
        }
        if (params.spans > 1u) {
            params.partials[params.to_node + slot] = total;
        } else {
            const u32 value = total;
            params.arg1[at] = value;
        }
    }
}
