// Every output element from the input elements of the same index.
extern "C" __global__ void __launch_bounds__(${lanes}) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * ${lanes}u;
    for (u64 at = (u64)blockIdx.x * ${lanes}u + threadIdx.x; at < params.count; at += stride) {
        ${untrapped}
        ${load}
        ${apply}
        ${trap}
        ${store}
    }
}
