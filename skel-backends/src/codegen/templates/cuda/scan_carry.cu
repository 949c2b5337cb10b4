if (place / 16u % ${chunks_per_tile}u > 0u) {
    prefix = chunk[place / 16u];
    has = true;
}
if (place % 16u > 0u) {
    if (!has) {
        prefix = tile[place];
        has = true;
    } ${or_else} {
        prefix = ${operator}(prefix, tile[place]${passed_trap});
        ${note}
    }
}
