struct Params {
    const float *singles;
    const double *doubles;
    long long *out;
};

extern "C" __global__ void skel_kernel(const Params params) {
    const float x = params.singles[threadIdx.x];
    const double y = params.doubles[threadIdx.x];
    long long *out = params.out + threadIdx.x * 8;
    out[0] = __float2int_rz(x);
    out[1] = __float2uint_rz(x);
    out[2] = __float2ll_rz(x);
    out[3] = (long long)__float2ull_rz(x);
    out[4] = __double2int_rz(y);
    out[5] = __double2uint_rz(y);
    out[6] = __double2ll_rz(y);
    out[7] = (long long)__double2ull_rz(y);
}
