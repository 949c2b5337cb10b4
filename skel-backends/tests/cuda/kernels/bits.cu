struct Params {
    const unsigned long long *in;
    unsigned long long *out;
};

extern "C" __global__ void skel_kernel(const Params params) {
    const unsigned long long wide = params.in[threadIdx.x];
    const unsigned int narrow = (unsigned int)wide;
    unsigned long long *out = params.out + threadIdx.x * 12;
    out[0] = __clz((int)narrow);
    out[1] = __clzll((long long)wide);
    out[2] = __popc(narrow);
    out[3] = __popcll(wide);
    out[4] = __ffs((int)narrow);
    out[5] = __ffsll((long long)wide);
    out[6] = __brev(narrow);
    out[7] = __brevll(wide);
    out[8] = __umulhi(narrow, 0x9e3779b9u);
    out[9] = __umul64hi(wide, 0x9e3779b97f4a7c15ull);
    out[10] = __funnelshift_l(narrow, (unsigned int)(wide >> 32), 13);
    out[11] = __byte_perm(narrow, (unsigned int)(wide >> 32), 0x7241);
}
