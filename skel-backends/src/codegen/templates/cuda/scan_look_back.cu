// In one pass, by decoupled look-back (Merrill and Garland 2016): blocks are numbered as they begin, so each waits only
// for begun ones. A block publishes what it comes to, its leaf of the tree over all tiles, and then the nodes that end
// with it; and waits for those that precede it, of which there is one for each bit of its number.
const u64 leaf = params.first_leaf + block;
const bool is_followed = block + 1u < gridDim.x;
${tree_of_tiles}
if (lane == 0u && is_followed) {
    const u64 place = 2u * block;
    skel_publish(&states[place], &params.partials[place], leaves[0]);
}
for (u64 level = lane; level < 64u; level += ${lanes}u) {
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
if (lane == 0u && is_followed) {
    ${element} node = leaves[0];
    for (u64 level = 0u; (leaf >> level & 1u) != 0u; level += 1u) {
        if (((leaf >> level << level) > params.first_leaf || (params.carried & 2u) != 0u)${no_trap}) {
            node = ${operator}(earlier[level], node${passed_trap});
            ${note}
        }
        const u64 begins = (leaf >> (level + 1u)) << (level + 1u);
        const u64 place = skel_published(begins, level + 1u, params.first_leaf, params.leaves);
        skel_publish(&states[place], &params.partials[place], node);
    }
}
for (u64 of_tile = lane; of_tile < tiles && of_tile * ${tile_elems}u < left; of_tile += ${lanes}u) {
    bool has = false;
    ${element} total = {};
    ${tiles_before}
    ${earlier_nodes}
    ${begun_with}
    before[of_tile] = total;
}
if (wants_total && !is_followed && lane == 0u) {
    bool has = true;
    ${element} total = leaves[0];
    ${earlier_nodes}
    ${begun_with}
    params.partials[2u * params.leaves + 129u] = total;
}
