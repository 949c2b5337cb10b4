// Every output element folds a row or column of the arguments, one element after the other.
extern "C" __global__ void __launch_bounds__(${lanes}) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * ${lanes}u;
    for (u64 at = (u64)blockIdx.x * ${lanes}u + threadIdx.x; at < params.count; at += stride) {
        ${untrapped}
        ${total}
        for (u64 turn = 0u; turn < params.depth; turn++) {
            // The element that is folded, as the arguments count it.
            const u64 place =
                (params.base + at) * params.places_per_value + turn * params.places_per_step;
            (void)place;
            ${load}
            ${apply}
            ${map_trap}
            ${combine}
            ${operator_trap}
        }
        ${trap}
        const ${element} value = total;
        ${store}
    }
}
