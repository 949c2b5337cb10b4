// Every output element folds a row or column of the arguments, leaf after leaf: see `crate::along`.
extern "C" __global__ void __launch_bounds__(${lanes}) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * ${lanes}u;
    for (u64 at = (u64)blockIdx.x * ${lanes}u + threadIdx.x; at < params.count; at += stride) {
        ${untrapped}
        ${element} total = {};
        for (u64 first = 0u; first < params.depth; first += params.leaf) {
            const u64 last = skel_least(first + params.leaf, params.depth);
            ${gather}
            ${join}
            ${leave_all}
        }
        ${trap}
        ${initial}
        ${trap_of_initial}
        const ${element} value = total;
        ${store}
    }
}
