if (place / 16u % ${chunks_per_tile}u > 0u) {
    prefix = chunk[place / 16u];
    has = true;
}
if (place % 16u > 0u) {
    if (has) {
        prefix = ${operator}(prefix, tile[place]);
        ${note}
    } else {
        prefix = tile[place];
        has = true;
    }
}
