#pragma unroll
for (u32 in_block = 0u; in_block < 16u; in_block += 1u) {
    if (in_block < elems${no_trap}) {
        const ${element} value = row[place * 17u + in_block];
        ${keep_before}
        if (has) {
            prefix = ${operator}(prefix, value${passed_trap});
            ${note}
        } else {
            prefix = value;
            has = true;
        }
        ${keep_after}
    }
}
