if (lane > 0u && lane < lanes${untrapped}) {
    if (has) {
        prefix = ${operator}(prefix, tile[lane - 1u]);
        ${note}
    } else {
        prefix = tile[lane - 1u];
        has = true;
    }
}
