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

// Where the value of a complete node of a launch lies: of `level`, that begins with leaf `first` of the launch.
static __device__ u64 skel_node_place(u64 first, u64 level) {
    return level == 0u ? 2u * first : 2u * (first + (1ull << (level - 1u))) - 1u;
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
    usize first_leaf;
    usize leaves;
    const i32* arg0;
    i32 uniform1;
    i32* arg2;
    const i32* gathered;
    usize* status;
};
static_assert(sizeof(Params) == 72, "layout");

// The elements, each combined with all that precede it, operands in order, grouped as everywhere: see
// `skel_core::plan::grouping`. Neighbouring lanes load and store neighbouring elements; in between they have blocks of 16
// each, behind which one place of the row stays empty, so that neighbouring lanes are not at the same bank of the memory.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    __shared__ i32 row[4352];
    __shared__ i32 tile[256];
    __shared__ i32 before[1];
    __shared__ i32 chunk[16];
    const u64 lane = threadIdx.x;
    const u64 tiles = 1u;
    const u64 first_tile = blockIdx.x * tiles;
    const u64 begin = first_tile * 4096u;
    const u64 left = skel_least(params.count - begin, tiles * 4096u);
    u32 skel_trap = 0u;
    // The loads of all elements are on their way at once.
    i32 ahead0[16];
    #pragma unroll 16
    for (u32 turn = 0u; turn < 16u; turn += 1u) {
        const u64 in_row = turn * 256u + lane;
        const u64 at = begin + in_row;
        if (in_row < left) {
            ahead0[turn] = params.arg0[at];
        }
    }
    i32 values[16];
    #pragma unroll 16
    for (u32 turn = 0u; turn < 16u; turn += 1u) {
        const u64 in_row = turn * 256u + lane;
        const u64 at = begin + in_row;
        if (in_row < left && skel_trap == 0u) {
            const i32 value = same_f0(ahead0[turn], params.uniform1);
            if (skel_trap != 0u) {
                atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
            }
            values[turn] = value;
            row[in_row + in_row / 16u] = value;
        }
        if (in_row < left && skel_trap != 0u) {
            row[in_row + in_row / 16u] = {};
        }
    }
    __syncthreads();
    // What the blocks come to. Nothing follows one that is not whole, but the total of all.
    const u64 place = lane;
    const u64 elems = skel_least(left - skel_least(left, place * 16u), 16u);
    i32 total = {};
    if (elems == 16u) {
        i32 one = {};
        i32 two = {};
        i32 four = {};
        i32 eight = {};
        #pragma unroll
        for (u32 in_block = 0u; in_block < 16u; in_block += 1u) {
            const i32 value = row[place * 17u + in_block];
            // Pairs, pairs of pairs, and so on.
            i32 node = value;
            if ((in_block & 1u) == 0u) {
                one = node;
            } else {
                node = quotient_f1(one, node, skel_trap);
                if (skel_trap != 0u) {
                    atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
                    break;
                }
                if ((in_block & 2u) == 0u) {
                    two = node;
                } else {
                    node = quotient_f1(two, node, skel_trap);
                    if (skel_trap != 0u) {
                        atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
                        break;
                    }
                    if ((in_block & 4u) == 0u) {
                        four = node;
                    } else {
                        node = quotient_f1(four, node, skel_trap);
                        if (skel_trap != 0u) {
                            atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
                            break;
                        }
                        if ((in_block & 8u) == 0u) {
                            eight = node;
                        } else {
                            total = quotient_f1(eight, node, skel_trap);
                            if (skel_trap != 0u) {
                                atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
                                break;
                            }
                        }
                    }
                }
            }
        }
    }
    if (elems > 0u) {
        tile[place] = total;
    }
    __syncthreads();
    // What precedes each block in its chunk, then each chunk in its tile; and what these come to.
    for (u64 at = lane; at < 16u && at * 256u < left; at += 256u) {
        i32 total = tile[at * 16u];
        for (u64 place = at * 16u + 1u; place < at * 16u + 16u && place * 16u < left && skel_trap == 0u; place += 1u) {
            const i32 own = tile[place];
            tile[place] = total;
            if ((place + 1u) * 16u <= left) {
                total = quotient_f1(total, own, skel_trap);
                if (skel_trap != 0u) {
                    atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
                    break;
                }
            }
        }
        chunk[at] = total;
    }
    __syncthreads();
    for (u64 of_tile = lane; of_tile < 1u && of_tile * 4096u < left; of_tile += 256u) {
        i32 total = chunk[of_tile * 16u];
        for (u64 part = 1u; part < 16u && (of_tile * 16u + part) * 256u < left && skel_trap == 0u; part += 1u) {
            const u64 at = of_tile * 16u + part;
            const i32 own = chunk[at];
            chunk[at] = total;
            if ((at + 1u) * 256u <= left) {
                total = quotient_f1(total, own, skel_trap);
                if (skel_trap != 0u) {
                    atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
                    break;
                }
            }
        }
    }
    // What precedes each tile: nodes, by the bits of its number, the last ones first. Those that end before the launch are
    // known by their level. One may lie astride its beginning: it begins with nodes of what precedes, and ends with ours.
    for (u64 of_tile = lane; of_tile < 1u && of_tile * 4096u < left; of_tile += 256u) {
        const u64 leaf = params.first_leaf + first_tile + of_tile;
        bool has = false;
        i32 total = {};
        for (u64 level = 0u; level < 64u && (leaf >> level) > 0u && skel_trap == 0u; level += 1u) {
            if ((leaf >> level & 1u) == 0u) {
                continue;
            }
            const u64 end = leaf >> level << level;
            const u64 first = end - (1ull << level);
            i32 node = {};
            if (first >= params.first_leaf) {
                node = params.gathered[skel_node_place(first - params.first_leaf, level)];
            } else if (end <= params.first_leaf) {
                if ((params.carried & 2u) == 0u) {
                    continue;
                }
                node = params.gathered[2u * params.leaves + 1u + level];
            } else {
                u64 part = 0u;
                while ((params.first_leaf >> part & 1u) == 0u) {
                    part += 1u;
                }
                node = params.gathered[skel_node_place(0u, part)];
                for (; part < level && skel_trap == 0u; part += 1u) {
                    if ((params.first_leaf >> part & 1u) == 0u) {
                        const u64 next = ((params.first_leaf >> part) + 1u) << part;
                        node = quotient_f1(node, params.gathered[skel_node_place(next - params.first_leaf, part)], skel_trap);
                        if (skel_trap != 0u) {
                            atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
                            break;
                        }
                    } else if ((params.carried & 2u) != 0u) {
                        node = quotient_f1(params.gathered[2u * params.leaves + 1u + part], node, skel_trap);
                        if (skel_trap != 0u) {
                            atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
                            break;
                        }
                    }
                }
            }
            if (!has) {
                total = node;
                has = true;
            } else if (skel_trap == 0u) {
                total = quotient_f1(node, total, skel_trap);
                if (skel_trap != 0u) {
                    atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
                    break;
                }
            }
        }
        if ((params.carried & 1u) != 0u) {
            const i32 initial = params.gathered[2u * params.leaves];
            if (!has) {
                total = initial;
            } else if (skel_trap == 0u) {
                total = quotient_f1(initial, total, skel_trap);
                if (skel_trap != 0u) {
                    atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
                }
            }
        }
        before[of_tile] = total;
    }
    __syncthreads();
    for (u64 at = lane; at < 16u && at * 256u < left && skel_trap == 0u; at += 256u) {
        const u64 of_tile = at / 16u;
        if (at % 16u > 0u && (params.carried % 4u != 0u || first_tile + of_tile > 0u)) {
            chunk[at] = quotient_f1(before[of_tile], chunk[at], skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
                break;
            }
        }
    }
    __syncthreads();
    // And the elements of a block.
    if (elems > 0u) {
        const u64 of_tile = place / 256u;
        bool has = params.carried % 4u != 0u || first_tile + of_tile > 0u;
        i32 prefix = before[of_tile];
        if (place / 16u % 16u > 0u) {
            prefix = chunk[place / 16u];
            has = true;
        }
        if (place % 16u > 0u) {
            if (!has) {
                prefix = tile[place];
                has = true;
            } else if (skel_trap == 0u) {
                prefix = quotient_f1(prefix, tile[place], skel_trap);
                if (skel_trap != 0u) {
                    atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
                }
            }
        }
        #pragma unroll
        for (u32 in_block = 0u; in_block < 16u; in_block += 1u) {
            if (in_block < elems && skel_trap == 0u) {
                const i32 value = row[place * 17u + in_block];
                row[place * 17u + in_block] = prefix;
                if (has) {
                    prefix = quotient_f1(prefix, value, skel_trap);
                    if (skel_trap != 0u) {
                        atomicMin(&params.status[2u + skel_trap - 1u], 0ull);
                    }
                } else {
                    prefix = value;
                    has = true;
                }
            }
        }
    }
    __syncthreads();
    #pragma unroll 16
    for (u32 turn = 0u; turn < 16u; turn += 1u) {
        const u64 in_row = turn * 256u + lane;
        const u64 at = begin + in_row;
        if (in_row < left && skel_trap == 0u) {
            const i32 value = values[turn];
            const i32 prefix = row[in_row + in_row / 16u];
            params.arg2[at] = shown_f2(prefix, value, params.uniform1);
        }
    }
}
