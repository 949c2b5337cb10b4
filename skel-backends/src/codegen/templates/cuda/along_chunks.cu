${element} of_tile = {};
for (u64 chunk = first; chunk < last; chunk += 256u) {
    const u64 chunk_end = skel_least(chunk + 256u, last);
    ${element} of_chunk = {};
    for (u64 block = chunk; block < chunk_end; block += params.width) {
        const u64 block_end = skel_least(block + params.width, chunk_end);
        ${block}
        if (block == chunk) {
            of_chunk = total;
        } else {
            of_chunk = ${operator}(of_chunk, total${passed_trap});
            ${leave}
        }
    }
    ${leave_all}
    if (chunk == first) {
        of_tile = of_chunk;
    } else {
        of_tile = ${operator}(of_tile, of_chunk${passed_trap});
        ${leave}
    }
}
${leave_all}
total = of_tile;
