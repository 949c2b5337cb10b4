const u64 in_block = at - first;
${load}
${apply}
${map_trap}
if (is_whole) {
    ${tree}
} else if (in_block == 0u) {
    total = value;
} else {
    total = ${operator}(total, value${passed_trap});
    ${leave}
}
