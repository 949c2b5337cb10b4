if (elems == 16u) {
    ${element} one = {};
    ${element} two = {};
    ${element} four = {};
    ${element} eight = {};
    #pragma unroll
    for (u32 in_block = 0u; in_block < 16u; in_block += 1u) {
        const ${element} value = row[place * 17u + in_block];
        ${tree}
    }
}
${short_total}
