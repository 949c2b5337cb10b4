// The nodes that end where this one begins; of the last leaf, all that precede it.
const u64 number = (first - begin) / params.leaf;
u64 level = 0u;
for (; number >> level > 0u && (last == end || (number >> level & 1u) == 1u); level += 1u) {
    if ((number >> level & 1u) == 1u) {
        total = ${operator}(params.partials[params.table_node + level * slots + slot], total${passed_trap});
        ${leave}
    }
}
if (last < end) {
    params.partials[params.table_node + level * slots + slot] = total;
}
