const ${element} carry = prefix;
#pragma unroll
for (u32 in_block = 0u; in_block < 16u; in_block += 1u) {
    if (in_block < elems${no_trap}) {
        ${keep_before}
        prefix = reached[in_block];
        if (has) {
            prefix = ${operator}(carry, prefix${passed_trap});
            ${note}
        }
        ${keep_after}
    }
}
