struct Params {
    const unsigned long long *in;
    unsigned long long *least, *greatest, *total, *bits;
    float *sum;
    int *tickets;
};

extern "C" __global__ void skel_kernel(const Params params) {
    const unsigned long long value = params.in[blockIdx.x * blockDim.x + threadIdx.x];
    atomicMin(params.least, value);
    atomicMax(params.greatest, value);
    atomicAdd(params.total, value);
    atomicXor(params.bits, value);
    atomicAdd(params.sum, 0.25f);
    // A counter by compare-and-swap.
    int seen = *params.tickets;
    while (true) {
        const int before = atomicCAS(params.tickets, seen, seen + 1);
        if (before == seen) {
            break;
        }
        seen = before;
    }
}
