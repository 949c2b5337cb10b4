workgroupBarrier();
for (var whole = lane; whole < tiles * ${wholes}u; whole += ${lanes}u) {
    let first = whole * ${parts}u * ${apart}u;
    let elems = min(left - min(left, whole * ${parts}u * ${part_elems}u), ${parts}u * ${part_elems}u);
    let parts = (elems + ${part_width} - 1u) / ${part_width};
    if (parts == 0u) {
        continue;
    }
    var total = get_tile(first);
    for (var part = 1u; part < parts${untrapped}; part += 1u) {
        total = ${operator}(total, get_tile(first + part * ${apart}u));
        ${leave}
    }
    set_tile(first, total);
}
