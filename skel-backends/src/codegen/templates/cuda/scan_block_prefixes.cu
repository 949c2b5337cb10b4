// And the elements of a block.
if (elems > 0u) {
    const u64 of_tile = place / ${blocks_per_tile}u;
    bool has = params.carried % 4u != 0u || first_tile + of_tile > 0u;
    ${element} prefix = before[of_tile];
    ${carry}
    ${prefixes}
}
