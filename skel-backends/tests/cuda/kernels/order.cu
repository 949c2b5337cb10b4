// Notes the threads in order of arrival, before and after a barrier.
struct Params {
    unsigned int *came;
    unsigned int *count;
};

extern "C" __global__ void skel_kernel(const Params params) {
    params.came[atomicAdd(params.count, 1u)] = blockIdx.x * 1000 + threadIdx.x;
    __syncthreads();
    params.came[atomicAdd(params.count, 1u)] = blockIdx.x * 1000 + 100 + threadIdx.x;
}
