// The loads of several elements are on their way at once.
for (u64 from = ${from}; from < ${end}${untrapped_yet}; from += ${steps}) {
    ${ahead}
    #pragma unroll
    for (u32 turn = 0u; turn < ${batch}u; turn += 1u) {
        const u64 at = from + turn * ${apart};
        if (at < ${end}) {
            ${fetch}
        }
    }
    #pragma unroll
    for (u32 turn = 0u; turn < ${batch}u; turn += 1u) {
        const u64 at = from + turn * ${apart};
        if (at >= ${end}) {
            break;
        }
        ${body}
    }
}
