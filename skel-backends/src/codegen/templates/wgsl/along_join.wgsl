// The nodes that end where this one begins; of the last leaf, all that precede it.
let number = (first - begin) / params.leaf;
var level = 0u;
while ((number >> level) > 0u && (last == end || ((number >> level) & 1u) == 1u)) {
    if (((number >> level) & 1u) == 1u) {
        total = ${operator}(${node}, total);
        ${leave}
    }
    level += 1u;
}
if (last < end) {
    ${keep}
}
