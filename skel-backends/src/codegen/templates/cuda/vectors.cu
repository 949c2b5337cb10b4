// Every output element from the input elements of the same index: vectors of elements, which are loaded and
// stored at once, and then those that are in none. Where arguments are not aligned alike, all are in none.
extern "C" __global__ void __launch_bounds__(${lanes}) skel_kernel(const Params params) {
    for (u64 from = (u64)blockIdx.x * ${tile}u + threadIdx.x; from < params.vectors;
         from += (u64)gridDim.x * ${tile}u) {
        ${fetched_vectors}
        #pragma unroll
        for (u32 turn = 0u; turn < ${vectors}u; turn += 1u) {
            const u64 vector = from + turn * ${lanes}u;
            if (vector >= params.vectors) {
                break;
            }
            const u64 begin = params.head + vector * ${width}u;
            ${made}
            #pragma unroll
            for (u32 part = 0u; part < ${width}u; part += 1u) {
                const u64 at = begin + part;
                (void)at;
                ${vector_body}
            }
            ${put}
        }
    }
    const u64 skipped = params.vectors * ${width}u;
    for (u64 from = (u64)blockIdx.x * ${beside}u + threadIdx.x; from < params.count - skipped;
         from += (u64)gridDim.x * ${beside}u) {
        ${fetched}
        #pragma unroll
        for (u32 turn = 0u; turn < ${batch}u; turn += 1u) {
            const u64 at = skel_beside(from + turn * ${lanes}u, params.head, skipped);
            if (at >= params.count) {
                break;
            }
            ${body}
        }
    }
}
