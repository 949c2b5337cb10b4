if (has) {
    prefix = ${operator}(prefix, value);
    ${leave}
} else {
    prefix = value;
    has = true;
}
