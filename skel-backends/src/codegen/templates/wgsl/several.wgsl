for (var turn = 0u; turn < ${elems}u; turn += 1u) {
    let at = base + turn * ${lanes}u;
    ${element}
}
