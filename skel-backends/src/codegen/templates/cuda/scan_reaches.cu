// By doubling reaches: what is combined of 2, 4, 8 and 16 elements that end here, or of all there are.
${element} reached[16];
#pragma unroll
for (u32 in_block = 0u; in_block < 16u; in_block += 1u) {
    if (in_block < elems) {
        reached[in_block] = row[place * 17u + in_block];
    }
}
#pragma unroll
for (u32 reach = 1u; reach < 16u; reach *= 2u) {
    #pragma unroll
    for (u32 in_block = 15u; in_block >= reach; in_block -= 1u) {
        if (in_block < elems${no_trap}) {
            reached[in_block] = ${operator}(reached[in_block - reach], reached[in_block]${passed_trap});
            ${note}
        }
    }
}
