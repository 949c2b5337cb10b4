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

struct Random_s0 {
    u32 seed_0;
    u32 seed_high_1;
    u32 call_2;
    u32 index_3;
    u32 index_high_4;
};

struct tuple_s1 {
    u32 x0_0;
    f32 x1_1;
};

static __device__ tuple_s1 dice_f0(Random_s0& a_0) {
    return tuple_s1{(a_0.seed_0 ^ a_0.index_3), (f32)(a_0.seed_0 ^ a_0.index_3)}; // user.rs:5
}

struct Params {
    usize count;
    usize head;
    usize vectors;
    u32* arg0;
    f32* arg1;
    usize base;
    usize seed;
    usize call;
};
static_assert(sizeof(Params) == 64, "layout");

// Every output element from the input elements of the same index: vectors of elements, which are loaded and
// stored at once, and then those that are in none. Where arguments are not aligned alike, all are in none.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    for (u64 from = (u64)blockIdx.x * 256u + threadIdx.x; from < params.vectors;
         from += (u64)gridDim.x * 256u) {
        #pragma unroll
        for (u32 turn = 0u; turn < 1u; turn += 1u) {
            const u64 vector = from + turn * 256u;
            if (vector >= params.vectors) {
                break;
            }
            const u64 begin = params.head + vector * 4u;
            skel_vector<u32, 4> made0;
            skel_vector<f32, 4> made1;
            #pragma unroll
            for (u32 part = 0u; part < 4u; part += 1u) {
                const u64 at = begin + part;
                (void)at;
                Random_s0 random = {(u32)params.seed, (u32)(params.seed >> 32), (u32)params.call, (u32)(params.base + at), (u32)((params.base + at) >> 32)};
                const tuple_s1 value = dice_f0(random);
                made0.part[part] = value.x0_0;
                made1.part[part] = value.x1_1;
            }
            skel_store(params.arg0 + begin, made0);
            skel_store(params.arg1 + begin, made1);
        }
    }
    const u64 skipped = params.vectors * 4u;
    for (u64 from = (u64)blockIdx.x * 256u + threadIdx.x; from < params.count - skipped;
         from += (u64)gridDim.x * 256u) {
        #pragma unroll
        for (u32 turn = 0u; turn < 1u; turn += 1u) {
            const u64 at = skel_beside(from + turn * 256u, params.head, skipped);
            if (at >= params.count) {
                break;
            }
            Random_s0 random = {(u32)params.seed, (u32)(params.seed >> 32), (u32)params.call, (u32)(params.base + at), (u32)((params.base + at) >> 32)};
            const tuple_s1 value = dice_f0(random);
            params.arg0[at] = value.x0_0;
            params.arg1[at] = value.x1_1;
        }
    }
}
