// The operator, unless something of the launch has trapped: what it would combine may be missing then, and its loops might
// not end.
static __device__ ${element} skel_guarded(const ${element}& left, const ${element}& right${trap}, const Params& params) {
    for (u32 word = 0u; word < ${words}u; word += 1u) {
        if (*(const volatile u64*)&params.status[word] != ~0ull) {
            return left;
        }
    }
    return ${operator}(left, right${passed_trap});
}

