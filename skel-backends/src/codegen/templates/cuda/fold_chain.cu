__syncthreads();
for (u64 whole = lane; whole < tiles * ${wholes}u; whole += ${lanes}u) {
    const u64 first = whole * ${parts}u * ${apart}u;
    const u64 elems = skel_least(left - skel_least(left, whole * ${parts}u * ${part_elems}u), ${parts}u * ${part_elems}u);
    const u64 parts = (elems + ${part_width} - 1u) / ${part_width};
    if (parts == 0u) {
        continue;
    }
    ${element} total = tile[first];
    for (u64 part = 1u; part < parts${no_trap}; part += 1u) {
        total = ${operator}(total, tile[first + part * ${apart}u]${passed_trap});
        ${leave}
    }
    tile[first] = total;
}
