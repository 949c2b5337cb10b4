var of_tile: ${element};
var chunk = first;
while (chunk < last) {
    let chunk_end = min(chunk + 256u, last);
    var of_chunk: ${element};
    var block = chunk;
    while (block < chunk_end) {
        let block_end = min(block + params.width, chunk_end);
        ${block}
        if (block == chunk) {
            of_chunk = total;
        } else {
            of_chunk = ${operator}(of_chunk, total);
            ${leave}
        }
        block = block_end;
    }
    ${leave_all}
    if (chunk == first) {
        of_tile = of_chunk;
    } else {
        of_tile = ${operator}(of_tile, of_chunk);
        ${leave}
    }
    chunk = chunk_end;
}
${leave_all}
total = of_tile;
