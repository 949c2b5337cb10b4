struct Params {
    float *y;
    const float *x;
    float a;
    unsigned int count;
};

extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= params.count) {
        return;
    }
    params.y[i] = params.a * params.x[i] + params.y[i];
}
