if (lane / 16u % ${chunks_per_tile}u > 0u) {
    prefix = chunk[lane / 16u];
    has = true;
}
if (lane % 16u > 0u) {
    if (!has) {
        prefix = tile[lane];
        has = true;
    } else if (true${no_trap}) {
        prefix = ${operator}(prefix, tile[lane]${passed_trap});
        ${note}
    }
}
