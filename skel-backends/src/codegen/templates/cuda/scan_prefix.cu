if (lane > 0u && lane < lanes${no_trap}) {
    if (has) {
        prefix = ${operator}(prefix, tile[lane - 1u]${passed_trap});
        ${note}
    } else {
        prefix = tile[lane - 1u];
        has = true;
    }
}
