if (!has) {
    total = node;
    has = true;
} else if (true${no_trap}) {
    total = ${operator}(node, total${passed_trap});
    ${leave}
}
