for (u64 level = 0u; level < 64u && (leaf >> level) > 0u${no_trap}; level += 1u) {
    if ((leaf >> level & 1u) == 0u) {
        continue;
    }
    if ((leaf >> level << level) <= params.first_leaf && (params.carried & 2u) == 0u) {
        continue;
    }
    const ${element} node = earlier[level];
    ${preceded}
}
