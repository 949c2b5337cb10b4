// The operator, unless something of the launch has trapped: what it would combine may be missing then, and its loops might
// not end.
fn skel_guarded(left: ${element}, right: ${element}) -> ${element} {
    for (var word = 0u; word < ${words}u; word += 1u) {
        if (atomicLoad(&status[params.status + word]) != 0xffffffffu) {
            return left;
        }
    }
    return ${operator}(left, right);
}

