for (u64 reach = 1u; reach < tiles; reach *= 2u) {
    __syncthreads();
    for (u64 at = lane * 2u * reach; at + reach < tiles; at += ${lanes}u * 2u * reach) {
        if ((at + reach) * ${tile_elems}u < left${no_trap}) {
            tile[at * ${places_per_tile}u] = ${operator}(tile[at * ${places_per_tile}u], tile[(at + reach) * ${places_per_tile}u]${passed_trap});
            ${note}
        }
    }
}
if (lane == 0u) {
    params.partials[2u * blockIdx.x] = tile[0];
}
if (params.leaves == 1u) {
    if (lane == 0u) {
        params.listed[0] = tile[0];
    }
    return;
}
// Of an aligned group of leaves, the last block that is done combines them; of the groups, the last one theirs; and so
// on. So no block waits, and no other kernel follows.
// The flag lies where the value was: nothing else has room when values fill all shared memory.
unsigned char& is_last_of_group = *(unsigned char*)tile;
const u64 end = params.first_leaf + params.leaves;
u64 node = params.first_leaf + blockIdx.x;
u32* arrived = params.states;
for (u64 level = 0u;; level += ${reach}u) {
    const u64 begin_node = params.first_leaf >> level;
    const u64 end_node = ((end - 1u) >> level) + 1u;
    const u64 group = node / ${fan}u;
    const u64 groups = (end_node - 1u) / ${fan}u - begin_node / ${fan}u + 1u;
    if (lane == 0u) {
        u32& here = arrived[group - begin_node / ${fan}u];
        const u64 from = group * ${fan}u < begin_node ? begin_node : group * ${fan}u;
        const u64 expected = skel_least((group + 1u) * ${fan}u, end_node) - from;
        // What this block has stored is there before it arrives, and what others have before it is read.
        __threadfence();
        is_last_of_group = atomicAdd(&here, 1u) + 1u == expected;
        if (is_last_of_group) {
            // As the next launch expects it.
            here = 0u;
        }
        __threadfence();
    }
    __syncthreads();
    const bool is_last = is_last_of_group;
    __syncthreads();
    if (!is_last) {
        return;
    }
    ${node_group}
    if (groups == 1u) {
        break;
    }
    arrived += groups;
    node = group;
}
${node_list}
