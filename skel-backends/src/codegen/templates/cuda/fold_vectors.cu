if (of_tile == ${tile_elems}u && params.width == 128u && params.head == 0u && params.vectors > 0u) {
    // Each lane takes vectors of neighbouring elements.
    for (u64 place = in_warp * ${width}u; place < 128u; place += ${warp}u * ${width}u) {
        ${element} totals[${width}] = {};
        // Not unrolled: what is loaded ahead takes registers, and more warps are of more use.
        #pragma unroll 1
        for (u32 row = 0u; row < ${tile_elems}u / 128u; row += ${rows}u) {
            const u64 from = begin + of_block * ${tile_elems}u + row * 128u + place;
            ${ahead}
            #pragma unroll
            for (u32 turn = 0u; turn < ${rows}u; turn += 1u) {
                const u64 begin = from + turn * 128u;
                ${fetch}
            }
            #pragma unroll
            for (u32 turn = 0u; turn < ${rows}u; turn += 1u) {
                #pragma unroll
                for (u32 part = 0u; part < ${width}u; part += 1u) {
                    const u64 at = from + turn * 128u + part;
                    (void)at;
                    ${load}
                    ${apply}
                    totals[part] = row + turn == 0u ? value : ${operator}(totals[part], value);
                }
            }
        }
        #pragma unroll
        for (u32 part = 0u; part < ${width}u; part += 1u) {
            places[place + part] = totals[part];
        }
    }
} else {
    ${singly}
}
