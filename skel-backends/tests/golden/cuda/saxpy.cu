typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;
typedef float f32;

template <typename T, u32 N> struct __align__(sizeof(T) * N) skel_vector {
    T part[N];
};

template <u32 BYTES> struct skel_word { typedef uint4 type; };
template <> struct skel_word<8> { typedef uint2 type; };
template <> struct skel_word<4> { typedef unsigned int type; };
template <> struct skel_word<2> { typedef unsigned short type; };
template <> struct skel_word<1> { typedef unsigned char type; };

// As one word, and by an intrinsic: an assignment may become a store of each element.
template <typename T, u32 N>
static __device__ void skel_store(T* place, const skel_vector<T, N>& all) {
    typedef typename skel_word<sizeof(T) * N>::type word;
    union {
        skel_vector<T, N> elements;
        word bits;
    } both;
    both.elements = all;
    __stwb((word*)place, both.bits);
}

// Which element is the k-th of those that are in no vector: `head` are before the vectors, which have `skipped`.
static __device__ u64 skel_beside(u64 k, u64 head, u64 skipped) {
    return k < head ? k : k + skipped;
}

static __device__ f32 saxpy_f0(f32 a_0, f32 b_1, f32 c_2) {
    return (a_0 * b_1) + c_2; // user.rs:5
}

struct Params {
    usize count;
    usize head;
    usize vectors;
    f32 uniform0;
    const f32* arg1;
    const f32* arg2;
    f32* arg3;
};
static_assert(sizeof(Params) == 56, "layout");

// Every output element from the input elements of the same index: vectors of elements, which are loaded and
// stored at once, and then those that are in none. Where arguments are not aligned alike, all are in none.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    for (u64 from = (u64)blockIdx.x * 256u + threadIdx.x; from < params.vectors;
         from += (u64)gridDim.x * 256u) {
        // The loads of several vectors are on their way at once.
        skel_vector<f32, 4> ahead1[1];
        skel_vector<f32, 4> ahead2[1];
        #pragma unroll
        for (u32 turn = 0u; turn < 1u; turn += 1u) {
            const u64 vector = from + turn * 256u;
            if (vector < params.vectors) {
                const u64 begin = params.head + vector * 4u;
                ahead1[turn] = *(const skel_vector<f32, 4>*)(params.arg1 + begin);
                ahead2[turn] = *(const skel_vector<f32, 4>*)(params.arg2 + begin);
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 1u; turn += 1u) {
            const u64 vector = from + turn * 256u;
            if (vector >= params.vectors) {
                break;
            }
            const u64 begin = params.head + vector * 4u;
            skel_vector<f32, 4> made3;
            #pragma unroll
            for (u32 part = 0u; part < 4u; part += 1u) {
                const u64 at = begin + part;
                (void)at;
                const f32 value = saxpy_f0(params.uniform0, ahead1[turn].part[part], ahead2[turn].part[part]);
                made3.part[part] = value;
            }
            skel_store(params.arg3 + begin, made3);
        }
    }
    const u64 skipped = params.vectors * 4u;
    for (u64 from = (u64)blockIdx.x * 1024u + threadIdx.x; from < params.count - skipped;
         from += (u64)gridDim.x * 1024u) {
        f32 ahead1[4];
        f32 ahead2[4];
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = skel_beside(from + turn * 256u, params.head, skipped);
            if (at < params.count) {
                ahead1[turn] = params.arg1[at];
                ahead2[turn] = params.arg2[at];
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = skel_beside(from + turn * 256u, params.head, skipped);
            if (at >= params.count) {
                break;
            }
            const f32 value = saxpy_f0(params.uniform0, ahead1[turn], ahead2[turn]);
            params.arg3[at] = value;
        }
    }
}
