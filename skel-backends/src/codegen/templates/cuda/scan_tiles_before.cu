for (u64 level = 0u; level < 32u && (of_tile >> level) > 0u${no_trap}; level += 1u) {
    if ((of_tile >> level & 1u) == 0u) {
        continue;
    }
    const ${element} node = nodes[skel_node_place((of_tile >> level << level) - (1ull << level), level)];
    ${preceded}
}
