// The tree of the block's tiles. A node that is not whole counts for the total of all alone.
for (u64 at = lane; at < ${tiles}u; at += ${lanes}u) {
    leaves[at] = nodes[2u * at];
}
for (u64 reach = 1u; reach < tiles; reach *= 2u) {
    __syncthreads();
    for (u64 at = lane * 2u * reach; at + reach < tiles; at += ${lanes}u * 2u * reach) {
        if ((at + reach) * ${tile_elems}u < left && ((at + 2u * reach) * ${tile_elems}u <= left || wants_total)${no_trap}) {
            leaves[at] = ${operator}(leaves[at], leaves[at + reach]${passed_trap});
            ${leave}
            nodes[2u * (at + reach) - 1u] = leaves[at];
        }
    }
}
__syncthreads();
