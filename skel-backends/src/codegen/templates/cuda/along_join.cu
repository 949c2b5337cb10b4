// The nodes that end where this one begins; of the last leaf, all that precede it.
const u64 number = first / params.leaf;
u64 level = 0u;
for (; number >> level > 0u && (last == params.depth || (number >> level & 1u) == 1u); level += 1u) {
    if ((number >> level & 1u) == 1u) {
        total = ${operator}(params.partials[level * params.count + at], total${passed_trap});
        ${leave}
    }
}
if (last < params.depth) {
    params.partials[level * params.count + at] = total;
}
