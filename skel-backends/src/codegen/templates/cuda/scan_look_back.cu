// In one pass, by decoupled look-back (Merrill and Garland 2016): blocks are numbered as they begin, so each waits only
// for begun ones. A block publishes what it comes to, its leaf of the tree over all tiles, then the nodes that end with
// it; and waits for those that precede it, of which there is one for each bit of its number.
const u64 leaf = params.first_leaf + block;
const bool is_followed = block + 1u < gridDim.x;
${tree_of_tiles}
if (lane == 0u && is_followed) {
    const u64 place = 2u * block;
    skel_publish(&states[place], &params.partials[place], leaves[0]);
}
// Blocks of an aligned group know each other's leaves, and each makes the nodes in it by itself; beyond it, the last block
// of a group publishes what others need. So of a hundred blocks that wait for each other, none waits for a chain. The first
// group of a launch may begin before it: there blocks wait for nodes, as beyond a group.
const u64 in_group = leaf % ${group}u;
const bool is_whole = leaf - in_group >= params.first_leaf;
const u64 known = is_whole ? ${group_level}u : 0u;
if (is_whole) {
    if (lane < in_group) {
        const u64 place = 2u * (block - in_group + lane);
        group[lane] = skel_await(&states[place], &params.partials[place]);
    }
    for (u64 reach = 1u; reach < ${group}u; reach *= 2u) {
        __syncthreads();
        if (lane % (2u * reach) == 0u && lane + 2u * reach <= in_group${no_trap}) {
            group[lane] = ${operator}(group[lane], group[lane + reach]${passed_trap});
            ${note}
        }
    }
    __syncthreads();
    if (lane < ${group_level}u && (leaf >> lane & 1u) != 0u) {
        earlier[lane] = group[((in_group >> lane) - 1u) << lane];
    }
}
// The nodes that end with this block wait for their own halves, and not for all that precedes it: so waits are as deep as
// the tree, where they would be as many as half of the blocks.
u64 ends = 0u;
while ((leaf >> ends & 1u) != 0u) {
    ends += 1u;
}
for (u64 level = known + lane; level < ends; level += ${lanes}u) {
    ${await}
}
__syncthreads();
// A node that ends before the launch is known only if nodes were carried.
const u64 from = is_whole ? known - 1u : 0u;
if (lane == 0u && is_followed && ends > from) {
    ${element} node = leaves[0];
    for (u64 level = 0u; level < ends; level += 1u) {
        if (((leaf >> level << level) > params.first_leaf || (params.carried & 2u) != 0u)${no_trap}) {
            node = ${operator}(earlier[level], node${passed_trap});
            ${note}
        }
        params.partials[skel_ending(leaf, level + 1u, params.first_leaf, params.leaves)] = node;
    }
    __threadfence();
    for (u64 level = from; level < ends; level += 1u) {
        skel_show(&states[skel_ending(leaf, level + 1u, params.first_leaf, params.leaves)]);
    }
}
for (u64 level = (ends < known ? known : ends) + lane; level < 64u; level += ${lanes}u) {
    ${await}
}
__syncthreads();
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
