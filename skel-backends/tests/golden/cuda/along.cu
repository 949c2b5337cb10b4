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

static __device__ i32 ratio_f0(i32 a_0, i32 b_1, u32& skel_trap) {
    return skel_div_i32(a_0, b_1, 1u, skel_trap); // user.rs:5
}

static __device__ i32 rest_f1(i32 a_0, i32 b_1, u32& skel_trap) {
    return skel_rem_i32(a_0, b_1, 3u, skel_trap); // user.rs:5
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
    const i32* arg0;
    usize offset0;
    usize pitch0_0;
    usize pitch0_1;
    const i32* arg1;
    usize offset1;
    usize pitch1_0;
    usize pitch1_1;
    i32 uniform2;
    i32* arg3;
    usize base;
    i32* partials;
    usize* status;
    usize joining;
    usize from_node;
    usize width;
};
static_assert(sizeof(Params) == 200, "layout");

// Every output element folds a row or column of the arguments, leaf after leaf; or one span of it: see `crate::along`.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * 256u;
    const u64 slots = params.count * params.spans;
    for (u64 slot = (u64)blockIdx.x * 256u + threadIdx.x; slot < slots; slot += stride) {
        const u64 at = slot % params.count;
        const u64 begin = slot / params.count * params.span;
        const u64 end = skel_least(begin + params.span, params.depth);
        u32 skel_trap = 0u;
        bool is_trapped = false;
        for (u32 site = 0u; params.joining != 0u && site < 4u; site += 1u) {
            is_trapped |= params.status[site] <= params.base + at;
        }
        if (is_trapped) {
            continue;
        }
        i32 total = {};
        for (u64 first = begin; first < end; first += params.leaf) {
            const u64 last = skel_least(first + params.leaf, end);
            if (params.joining != 0u) {
                total = params.partials[params.from_node + first * params.count + at];
            } else {
                i32 of_tile = {};
                for (u64 chunk = first; chunk < last; chunk += 256u) {
                    const u64 chunk_end = skel_least(chunk + 256u, last);
                    i32 of_chunk = {};
                    for (u64 block = chunk; block < chunk_end; block += params.width) {
                        const u64 block_end = skel_least(block + params.width, chunk_end);
                        // Whole blocks are trees, a last, shorter one is a chain, and so are leaves of columns and of short rows.
                        const bool is_whole = block_end - block == 16u && params.width == 16u;
                        i32 one = {};
                        i32 two = {};
                        i32 four = {};
                        i32 eight = {};
                        for (u64 turn = block; turn < block_end; turn += 1u) {
                            // The element that is folded, as the arguments count it.
                            const u64 place =
                                (params.base + at) * params.places_per_value + turn * params.places_per_step;
                            (void)place;
                            const u64 in_block = turn - block;
                            const i32 value = ratio_f0(params.arg0[params.offset0 + turn * params.pitch0_1 + (params.base + at) * params.pitch0_0], params.arg1[params.offset1 + turn * params.pitch1_1 + (params.base + at) * params.pitch1_0], skel_trap);
                            if (skel_trap != 0u) {
                                break;
                            }
                            if (is_whole) {
                                // Pairs, pairs of pairs, and so on.
                                i32 node = value;
                                if ((in_block & 1u) == 0u) {
                                    one = node;
                                } else {
                                    node = rest_f1(one, node, skel_trap);
                                    if (skel_trap != 0u) {
                                        break;
                                    }
                                    if ((in_block & 2u) == 0u) {
                                        two = node;
                                    } else {
                                        node = rest_f1(two, node, skel_trap);
                                        if (skel_trap != 0u) {
                                            break;
                                        }
                                        if ((in_block & 4u) == 0u) {
                                            four = node;
                                        } else {
                                            node = rest_f1(four, node, skel_trap);
                                            if (skel_trap != 0u) {
                                                break;
                                            }
                                            if ((in_block & 8u) == 0u) {
                                                eight = node;
                                            } else {
                                                total = rest_f1(eight, node, skel_trap);
                                                if (skel_trap != 0u) {
                                                    break;
                                                }
                                            }
                                        }
                                    }
                                }
                            } else if (in_block == 0u) {
                                total = value;
                            } else {
                                total = rest_f1(total, value, skel_trap);
                                if (skel_trap != 0u) {
                                    break;
                                }
                            }
                        }
                        if (skel_trap != 0u) {
                            break;
                        }
                        if (block == chunk) {
                            of_chunk = total;
                        } else {
                            of_chunk = rest_f1(of_chunk, total, skel_trap);
                            if (skel_trap != 0u) {
                                break;
                            }
                        }
                    }
                    if (skel_trap != 0u) {
                        break;
                    }
                    if (chunk == first) {
                        of_tile = of_chunk;
                    } else {
                        of_tile = rest_f1(of_tile, of_chunk, skel_trap);
                        if (skel_trap != 0u) {
                            break;
                        }
                    }
                }
                if (skel_trap != 0u) {
                    break;
                }
                total = of_tile;
            }
            // The nodes that end where this one begins; of the last leaf, all that precede it.
            const u64 number = (first - begin) / params.leaf;
            u64 level = 0u;
            for (; number >> level > 0u && (last == end || (number >> level & 1u) == 1u); level += 1u) {
                if ((number >> level & 1u) == 1u) {
                    total = rest_f1(params.partials[params.table_node + level * slots + slot], total, skel_trap);
                    if (skel_trap != 0u) {
                        break;
                    }
                }
            }
            if (last < end) {
                params.partials[params.table_node + level * slots + slot] = total;
            }
            if (skel_trap != 0u) {
                break;
            }
        }
        if (skel_trap != 0u) {
            atomicMin(&params.status[skel_trap - 1u], params.base + at);
            continue;
        }
        if (params.spans > 1u) {
            params.partials[params.to_node + slot] = total;
        } else {
            total = rest_f1(params.uniform2, total, skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[skel_trap - 1u], params.base + at);
                continue;
            }
            const i32 value = total;
            params.arg3[at] = value;
        }
    }
}
