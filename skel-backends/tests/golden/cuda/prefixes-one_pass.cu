typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

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

// Publishes what was written before the last fence.
static __device__ void skel_show(u32* shown) {
    *(volatile u32*)shown = 1u;
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

// Where a scan in one pass publishes the node of `level` that begins with leaf `first` of the call. One that lies astride
// the launch's beginning, with nothing of its right half before that, has a place by its level.
static __device__ u64 skel_published(u64 first, u64 level, u64 first_leaf, u64 leaves) {
    if (level == 0u) {
        return 2u * (first - first_leaf);
    }
    const u64 middle = first + (1ull << (level - 1u));
    return middle > first_leaf ? 2u * (middle - first_leaf) - 1u : 2u * leaves + 65u + level;
}

// The same of the node of `level` that ends with a leaf.
static __device__ u64 skel_ending(u64 leaf, u64 level, u64 first_leaf, u64 leaves) {
    return skel_published(leaf >> level << level, level, first_leaf, leaves);
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
    usize carried;
    usize first_leaf;
    usize leaves;
    usize level;
    const Affine_s0* arg0;
    Affine_s0* arg1;
    Affine_s0* partials;
    u32* states;
};
static_assert(sizeof(Params) == 72, "layout");

// The elements, each combined with all that precede it, operands in order, grouped as everywhere: see
// `skel_core::plan::grouping`. Neighbouring lanes load and store neighbouring elements; in between they have blocks of 16
// each, behind which one place of the row stays empty, so that neighbouring lanes are not at the same bank of the memory.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    __shared__ Affine_s0 row[4352];
    __shared__ Affine_s0 tile[256];
    __shared__ Affine_s0 before[1];
    __shared__ Affine_s0 chunk[16];
    __shared__ Affine_s0 leaves[1];
    __shared__ Affine_s0 earlier[64];
    __shared__ Affine_s0 group[256];
    const u64 lane = threadIdx.x;
    __shared__ u32 number;
    if (lane == 0u) {
        number = atomicAdd(&params.states[0], 1u);
    }
    __syncthreads();
    const u64 block = number;
    u32* const states = params.states + 1u;
    const u64 tiles = 1ull << params.level;
    const u64 first_tile = block * tiles;
    const bool wants_total = (params.carried & 4u) != 0u;
    const u64 begin = first_tile * 4096u;
    const u64 left = skel_least(params.count - begin, tiles * 4096u);
    // The loads of all elements are on their way at once.
    Affine_s0 ahead0[16];
    #pragma unroll 16
    for (u32 turn = 0u; turn < 16u; turn += 1u) {
        const u64 in_row = turn * 256u + lane;
        const u64 at = begin + in_row;
        if (in_row < left) {
            ahead0[turn] = params.arg0[at];
        }
    }
    Affine_s0 values[16];
    #pragma unroll 16
    for (u32 turn = 0u; turn < 16u; turn += 1u) {
        const u64 in_row = turn * 256u + lane;
        const u64 at = begin + in_row;
        if (in_row < left) {
            const Affine_s0 value = same_f0(ahead0[turn]);
            values[turn] = value;
            row[in_row + in_row / 16u] = value;
        }
    }
    __syncthreads();
    // What the blocks come to. Nothing follows one that is not whole, but the total of all.
    const u64 place = lane;
    const u64 elems = skel_least(left - skel_least(left, place * 16u), 16u);
    Affine_s0 total = {};
    if (elems == 16u) {
        Affine_s0 one = {};
        Affine_s0 two = {};
        Affine_s0 four = {};
        Affine_s0 eight = {};
        #pragma unroll
        for (u32 in_block = 0u; in_block < 16u; in_block += 1u) {
            const Affine_s0 value = row[place * 17u + in_block];
            // Pairs, pairs of pairs, and so on.
            Affine_s0 node = value;
            if ((in_block & 1u) == 0u) {
                one = node;
            } else {
                node = then_f1(one, node);
                if ((in_block & 2u) == 0u) {
                    two = node;
                } else {
                    node = then_f1(two, node);
                    if ((in_block & 4u) == 0u) {
                        four = node;
                    } else {
                        node = then_f1(four, node);
                        if ((in_block & 8u) == 0u) {
                            eight = node;
                        } else {
                            total = then_f1(eight, node);
                        }
                    }
                }
            }
        }
    }
    if (wants_total && elems > 0u && elems < 16u) {
        total = row[place * 17u];
        for (u64 in_block = 1u; in_block < elems; in_block += 1u) {
            total = then_f1(total, row[place * 17u + in_block]);
        }
    }
    if (elems > 0u) {
        tile[place] = total;
    }
    __syncthreads();
    // What precedes each block in its chunk, then each chunk in its tile; and what these come to.
    for (u64 at = lane; at < 16u && at * 256u < left; at += 256u) {
        Affine_s0 total = tile[at * 16u];
        for (u64 place = at * 16u + 1u; place < at * 16u + 16u && place * 16u < left; place += 1u) {
            const Affine_s0 own = tile[place];
            tile[place] = total;
            if ((place + 1u) * 16u <= left || wants_total) {
                total = then_f1(total, own);
            }
        }
        chunk[at] = total;
    }
    __syncthreads();
    for (u64 of_tile = lane; of_tile < 1u && of_tile * 4096u < left; of_tile += 256u) {
        Affine_s0 total = chunk[of_tile * 16u];
        for (u64 part = 1u; part < 16u && (of_tile * 16u + part) * 256u < left; part += 1u) {
            const u64 at = of_tile * 16u + part;
            const Affine_s0 own = chunk[at];
            chunk[at] = total;
            if ((at + 1u) * 256u <= left || wants_total) {
                total = then_f1(total, own);
            }
        }
        leaves[0] = total;
    }
    // In one pass, by decoupled look-back (Merrill and Garland 2016): blocks are numbered as they begin, so each waits only
    // for begun ones. A block publishes what it comes to, its leaf of the tree over all tiles, then the nodes that end with
    // it; and waits for those that precede it, of which there is one for each bit of its number.
    const u64 leaf = params.first_leaf + block;
    const bool is_followed = block + 1u < gridDim.x;
    if (lane == 0u && is_followed) {
        const u64 place = 2u * block;
        skel_publish(&states[place], &params.partials[place], leaves[0]);
    }
    // Blocks of an aligned group know each other's leaves, and each makes the nodes in it by itself; beyond it, the last block
    // of a group publishes what others need. So of a hundred blocks that wait for each other, none waits for a chain. The first
    // group of a launch may begin before it: there blocks wait for nodes, as beyond a group.
    const u64 in_group = leaf % 256u;
    const bool is_whole = leaf - in_group >= params.first_leaf;
    const u64 known = is_whole ? 8u : 0u;
    if (is_whole) {
        if (lane < in_group) {
            const u64 place = 2u * (block - in_group + lane);
            group[lane] = skel_await(&states[place], &params.partials[place]);
        }
        for (u64 reach = 1u; reach < 256u; reach *= 2u) {
            __syncthreads();
            if (lane % (2u * reach) == 0u && lane + 2u * reach <= in_group) {
                group[lane] = then_f1(group[lane], group[lane + reach]);
            }
        }
        __syncthreads();
        if (lane < 8u && (leaf >> lane & 1u) != 0u) {
            earlier[lane] = group[((in_group >> lane) - 1u) << lane];
        }
    }
    // The nodes that end with this block wait for their own halves, and not for all that precedes it: so waits are as deep as
    // the tree, where they would be as many as half of the blocks.
    u64 ends = 0u;
    while ((leaf >> ends & 1u) != 0u) {
        ends += 1u;
    }
    for (u64 level = known + lane; level < ends; level += 256u) {
        if ((leaf >> level & 1u) != 0u) {
            const u64 end = leaf >> level << level;
            if (end > params.first_leaf) {
                const u64 place = skel_published(end - (1ull << level), level, params.first_leaf, params.leaves);
                earlier[level] = skel_await(&states[place], &params.partials[place]);
            } else if ((params.carried & 2u) != 0u) {
                earlier[level] = params.partials[2u * params.leaves + 1u + level];
            }
        }
    }
    __syncthreads();
    // A node that ends before the launch is known only if nodes were carried.
    const u64 from = is_whole ? known - 1u : 0u;
    if (lane == 0u && is_followed && ends > from) {
        Affine_s0 node = leaves[0];
        for (u64 level = 0u; level < ends; level += 1u) {
            if (((leaf >> level << level) > params.first_leaf || (params.carried & 2u) != 0u)) {
                node = then_f1(earlier[level], node);
            }
            params.partials[skel_ending(leaf, level + 1u, params.first_leaf, params.leaves)] = node;
        }
        __threadfence();
        for (u64 level = from; level < ends; level += 1u) {
            skel_show(&states[skel_ending(leaf, level + 1u, params.first_leaf, params.leaves)]);
        }
    }
    for (u64 level = (ends < known ? known : ends) + lane; level < 64u; level += 256u) {
        if ((leaf >> level & 1u) != 0u) {
            const u64 end = leaf >> level << level;
            if (end > params.first_leaf) {
                const u64 place = skel_published(end - (1ull << level), level, params.first_leaf, params.leaves);
                earlier[level] = skel_await(&states[place], &params.partials[place]);
            } else if ((params.carried & 2u) != 0u) {
                earlier[level] = params.partials[2u * params.leaves + 1u + level];
            }
        }
    }
    __syncthreads();
    for (u64 of_tile = lane; of_tile < tiles && of_tile * 4096u < left; of_tile += 256u) {
        bool has = false;
        Affine_s0 total = {};
        for (u64 level = 0u; level < 64u && (leaf >> level) > 0u; level += 1u) {
            if ((leaf >> level & 1u) == 0u) {
                continue;
            }
            if ((leaf >> level << level) <= params.first_leaf && (params.carried & 2u) == 0u) {
                continue;
            }
            const Affine_s0 node = earlier[level];
            if (!has) {
                total = node;
                has = true;
            } else {
                total = then_f1(node, total);
            }
        }
        if ((params.carried & 1u) != 0u) {
            const Affine_s0 initial = params.partials[2u * params.leaves];
            if (!has) {
                total = initial;
            } else {
                total = then_f1(initial, total);
            }
        }
        before[of_tile] = total;
    }
    if (wants_total && !is_followed && lane == 0u) {
        bool has = true;
        Affine_s0 total = leaves[0];
        for (u64 level = 0u; level < 64u && (leaf >> level) > 0u; level += 1u) {
            if ((leaf >> level & 1u) == 0u) {
                continue;
            }
            if ((leaf >> level << level) <= params.first_leaf && (params.carried & 2u) == 0u) {
                continue;
            }
            const Affine_s0 node = earlier[level];
            if (!has) {
                total = node;
                has = true;
            } else {
                total = then_f1(node, total);
            }
        }
        if ((params.carried & 1u) != 0u) {
            const Affine_s0 initial = params.partials[2u * params.leaves];
            if (!has) {
                total = initial;
            } else {
                total = then_f1(initial, total);
            }
        }
        params.partials[2u * params.leaves + 129u] = total;
    }
    __syncthreads();
    for (u64 at = lane; at < 16u && at * 256u < left; at += 256u) {
        const u64 of_tile = at / 16u;
        if (at % 16u > 0u && (params.carried % 4u != 0u || first_tile + of_tile > 0u)) {
            chunk[at] = then_f1(before[of_tile], chunk[at]);
        }
    }
    __syncthreads();
    // And the elements of a block.
    if (elems > 0u) {
        const u64 of_tile = place / 256u;
        bool has = params.carried % 4u != 0u || first_tile + of_tile > 0u;
        Affine_s0 prefix = before[of_tile];
        if (place / 16u % 16u > 0u) {
            prefix = chunk[place / 16u];
            has = true;
        }
        if (place % 16u > 0u) {
            if (!has) {
                prefix = tile[place];
                has = true;
            } else {
                prefix = then_f1(prefix, tile[place]);
            }
        }
        #pragma unroll
        for (u32 in_block = 0u; in_block < 16u; in_block += 1u) {
            if (in_block < elems) {
                const Affine_s0 value = row[place * 17u + in_block];
                if (has) {
                    prefix = then_f1(prefix, value);
                } else {
                    prefix = value;
                    has = true;
                }
                row[place * 17u + in_block] = prefix;
            }
        }
    }
    __syncthreads();
    #pragma unroll 16
    for (u32 turn = 0u; turn < 16u; turn += 1u) {
        const u64 in_row = turn * 256u + lane;
        const u64 at = begin + in_row;
        if (in_row < left) {
            const Affine_s0 value = values[turn];
            const Affine_s0 prefix = row[in_row + in_row / 16u];
            params.arg1[at] = prefix_f2(prefix, value);
        }
    }
}
