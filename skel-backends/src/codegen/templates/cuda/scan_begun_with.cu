if ((params.carried & 1u) != 0u) {
    const ${element} initial = params.${table}[2u * params.leaves];
    if (!has) {
        total = initial;
    } ${or_else} {
        total = ${operator}(initial, total${passed_trap});
        ${note}
    }
}
