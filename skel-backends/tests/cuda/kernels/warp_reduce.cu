// One sum per warp, by shuffles alone; and which lanes of the warp had an odd element.
struct Params {
    const long long *in;
    long long *sums;
    unsigned int *odd;
};

extern "C" __global__ void skel_kernel(const Params params) {
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long sum = params.in[i];
    const unsigned int odd = __ballot_sync(0xffffffffu, sum % 2 != 0);
    for (unsigned int reach = 16; reach > 0; reach /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, reach);
    }
    if (i % warpSize == 0) {
        params.sums[i / warpSize] = sum;
        params.odd[i / warpSize] = odd;
    }
}
