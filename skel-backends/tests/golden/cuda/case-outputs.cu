typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

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

struct tuple_s0 {
    u64 x0_0;
    bool x1_1;
};

static __device__ tuple_s0 square_f0(u32 a_0) {
    return tuple_s0{((u64)a_0 * (u64)a_0), (a_0 > 9u)}; // user.rs:5
}

struct Params {
    usize count;
    usize head;
    usize vectors;
    const u32* arg0;
    u64* arg1;
    bool* arg2;
};
static_assert(sizeof(Params) == 48, "layout");

// Every output element from the input elements of the same index: vectors of elements, which are loaded and
// stored at once, and then those that are in none. Where arguments are not aligned alike, all are in none.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    for (u64 from = (u64)blockIdx.x * 1024u + threadIdx.x; from < params.vectors;
         from += (u64)gridDim.x * 1024u) {
        // The loads of several vectors are on their way at once.
        skel_vector<u32, 2> ahead0[4];
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 vector = from + turn * 256u;
            if (vector < params.vectors) {
                const u64 begin = params.head + vector * 2u;
                ahead0[turn] = *(const skel_vector<u32, 2>*)(params.arg0 + begin);
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 vector = from + turn * 256u;
            if (vector >= params.vectors) {
                break;
            }
            const u64 begin = params.head + vector * 2u;
            skel_vector<u64, 2> made1;
            skel_vector<bool, 2> made2;
            #pragma unroll
            for (u32 part = 0u; part < 2u; part += 1u) {
                const u64 at = begin + part;
                (void)at;
                const tuple_s0 value = square_f0(ahead0[turn].part[part]);
                made1.part[part] = value.x0_0;
                made2.part[part] = value.x1_1;
            }
            skel_store(params.arg1 + begin, made1);
            skel_store(params.arg2 + begin, made2);
        }
    }
    const u64 skipped = params.vectors * 2u;
    for (u64 from = (u64)blockIdx.x * 2048u + threadIdx.x; from < params.count - skipped;
         from += (u64)gridDim.x * 2048u) {
        u32 ahead0[8];
        #pragma unroll
        for (u32 turn = 0u; turn < 8u; turn += 1u) {
            const u64 at = skel_beside(from + turn * 256u, params.head, skipped);
            if (at < params.count) {
                ahead0[turn] = params.arg0[at];
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 8u; turn += 1u) {
            const u64 at = skel_beside(from + turn * 256u, params.head, skipped);
            if (at >= params.count) {
                break;
            }
            const tuple_s0 value = square_f0(ahead0[turn]);
            params.arg1[at] = value.x0_0;
            params.arg2[at] = value.x1_1;
        }
    }
}
