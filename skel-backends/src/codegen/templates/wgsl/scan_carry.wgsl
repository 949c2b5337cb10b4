if (place / 16u % ${chunks_per_tile}u > 0u) {
    prefix = get_chunk(place / 16u);
    has = true;
}
if (place % 16u > 0u) {
    if (has) {
        prefix = ${operator}(prefix, get_tile(place));
        ${note}
    } else {
        prefix = get_tile(place);
        has = true;
    }
}
