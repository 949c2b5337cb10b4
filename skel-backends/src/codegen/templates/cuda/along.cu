// Every output element folds a row or column of the arguments, leaf after leaf; or one span of it: see `crate::along`.
extern "C" __global__ void __launch_bounds__(${lanes}) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * ${lanes}u;
    const u64 slots = params.count * params.spans;
    for (u64 slot = (u64)blockIdx.x * ${lanes}u + threadIdx.x; slot < slots; slot += stride) {
        const u64 at = slot % params.count;
        const u64 begin = slot / params.count * params.span;
        const u64 end = skel_least(begin + params.span, params.depth);
        ${untrapped}
        ${stop}
        ${element} total = {};
        for (u64 first = begin; first < end; first += params.leaf) {
            const u64 last = skel_least(first + params.leaf, end);
            if (params.joining != 0u) {
                total = params.partials[params.from_node + first * params.count + at];
            } else {
                ${gather}
            }
            ${join}
            ${leave_all}
        }
        ${trap}
        if (params.spans > 1u) {
            params.partials[params.to_node + slot] = total;
        } else {
            ${initial}
            ${trap_of_initial}
            const ${element} value = total;
            ${store}
        }
    }
}
