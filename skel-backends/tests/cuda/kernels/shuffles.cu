// Every kind of shuffle in sections of eight lanes, and votes of half a warp.
struct Params {
    int *out;
};

extern "C" __global__ void skel_kernel(const Params params) {
    const unsigned int all = 0xffffffffu;
    const int lane = threadIdx.x;
    int *out = params.out + lane * 6;
    out[0] = __shfl_sync(all, 100 + lane, 3, 8);
    out[1] = __shfl_up_sync(all, 100 + lane, 2, 8);
    out[2] = __shfl_down_sync(all, 100 + lane, 2, 8);
    out[3] = __shfl_xor_sync(all, 100 + lane, 5, 8);
    const unsigned int half = lane < 16 ? 0x0000ffffu : 0xffff0000u;
    out[4] = __any_sync(half, lane == 20);
    out[5] = __all_sync(half, lane >= 16);
    __syncwarp();
}
