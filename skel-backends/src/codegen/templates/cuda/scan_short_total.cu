if (wants_total && elems > 0u && elems < 16u) {
    total = row[place * 17u];
    for (u64 in_block = 1u; in_block < elems${no_trap}; in_block += 1u) {
        total = ${operator}(total, row[place * 17u + in_block]${passed_trap});
        ${leave}
    }
}
