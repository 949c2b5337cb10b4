// The loads of several vectors are on their way at once.
${ahead}
#pragma unroll
for (u32 turn = 0u; turn < ${vectors}u; turn += 1u) {
    const u64 vector = from + turn * ${lanes}u;
    if (vector < params.vectors) {
        const u64 begin = params.head + vector * ${width}u;
        ${fetch}
    }
}
