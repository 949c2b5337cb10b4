// Every output element from the input elements of the same index.
extern "C" __global__ void __launch_bounds__(${lanes}) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * ${tile}u;
    ${each}
}
