if (!has) {
    total = node;
    has = true;
} ${or_else} {
    total = ${operator}(node, total${passed_trap});
    ${leave}
}
