// What precedes each tile: nodes, by the bits of its number, the last ones first. Those that end before the launch are
// known by their level. One may lie astride its beginning: it begins with nodes of what precedes, and ends with ours.
for (u64 of_tile = lane; of_tile < ${tiles}u && of_tile * ${tile_elems}u < left; of_tile += ${lanes}u) {
    const u64 leaf = params.first_leaf + first_tile + of_tile;
    bool has = false;
    ${element} total = {};
    for (u64 level = 0u; level < 64u && (leaf >> level) > 0u${no_trap}; level += 1u) {
        if ((leaf >> level & 1u) == 0u) {
            continue;
        }
        const u64 end = leaf >> level << level;
        const u64 first = end - (1ull << level);
        ${element} node = {};
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
            for (; part < level${no_trap}; part += 1u) {
                if ((params.first_leaf >> part & 1u) == 0u) {
                    const u64 next = ((params.first_leaf >> part) + 1u) << part;
                    node = ${operator}(node, params.gathered[skel_node_place(next - params.first_leaf, part)]${passed_trap});
                    ${leave}
                } else if ((params.carried & 2u) != 0u) {
                    node = ${operator}(params.gathered[2u * params.leaves + 1u + part], node${passed_trap});
                    ${leave}
                }
            }
        }
        ${preceded}
    }
    ${begun_with}
    before[of_tile] = total;
}
