// One sum per block, neighbours first. ELEMENT is replaced by a type.
#define LANES 256

struct Params {
    const ELEMENT *in;
    ELEMENT *sums;
    unsigned int count;
};

extern "C" __global__ void __launch_bounds__(LANES) skel_kernel(const Params params) {
    __shared__ ELEMENT tile[LANES];
    const unsigned int lane = threadIdx.x;
    const unsigned int i = blockIdx.x * LANES + lane;
    tile[lane] = i < params.count ? params.in[i] : ELEMENT(0);
    for (unsigned int reach = 1; reach < LANES; reach *= 2) {
        __syncthreads();
        if (lane % (2 * reach) == 0) {
            tile[lane] = tile[lane] + tile[lane + reach];
        }
    }
    if (lane == 0) {
        params.sums[blockIdx.x] = tile[0];
    }
}
