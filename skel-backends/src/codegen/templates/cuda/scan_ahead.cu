// The loads of all elements are on their way at once.
${ahead}
#pragma unroll ${unrolled}
for (u32 turn = 0u; turn < ${batch}u; turn += 1u) {
    const u64 in_row = turn * ${lanes}u + lane;
    const u64 at = begin + in_row;
    if (in_row < left) {
        ${fetch}
    }
}
