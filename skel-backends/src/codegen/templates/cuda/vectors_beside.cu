${ahead}
#pragma unroll
for (u32 turn = 0u; turn < ${batch}u; turn += 1u) {
    const u64 at = skel_beside(from + turn * ${lanes}u, params.head, skipped);
    if (at < params.count) {
        ${fetch}
    }
}
