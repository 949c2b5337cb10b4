typedef int i32;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

template <typename T, u64 N> struct skel_array {
    typedef T elem;
    static const u64 len = N;
    T part[N == 0 ? 1 : N];
};

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

static __device__ i32 skel_add_i32(i32 a, i32 b) {
    return (i32)((u32)a + (u32)b);
}

static __device__ i32 skel_mul_i32(i32 a, i32 b) {
    return (i32)((u32)a * (u32)b);
}

struct Pair_s0 {
    i32 a_0;
    skel_array<i32, 3> b_1;
};

static __device__ i32 bump_f0(i32& v_0, i32 v_1) {
    v_0 = skel_add_i32(v_0, v_1); // user.rs:5
    return skel_mul_i32(v_0, 2);
}

static __device__ i32 double_f1(i32 a_0) {
    return skel_mul_i32(a_0, 2); // user.rs:5
}

static __device__ i32 change_f2(Pair_s0& v_0) {
    (void)(v_0.a_0 | 1); // user.rs:5
    i32 v_1;
    v_1 = bump_f0(v_0.a_0, 5);
    bump_f0(v_0.b_1.part[2], v_0.a_0);
    i32 v_2;
    v_2 = bump_f0(v_1, double_f1(4));
    return skel_add_i32(v_1, v_2);
}

struct Params {
    usize count;
    usize head;
    usize vectors;
    Pair_s0* arg0;
    i32* arg1;
};
static_assert(sizeof(Params) == 40, "layout");

// Every output element from the input elements of the same index: vectors of elements, which are loaded and
// stored at once, and then those that are in none. Where arguments are not aligned alike, all are in none.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    for (u64 from = (u64)blockIdx.x * 512u + threadIdx.x; from < params.vectors;
         from += (u64)gridDim.x * 512u) {
        // The loads of several vectors are on their way at once.
        skel_vector<Pair_s0, 1> ahead0[2];
        #pragma unroll
        for (u32 turn = 0u; turn < 2u; turn += 1u) {
            const u64 vector = from + turn * 256u;
            if (vector < params.vectors) {
                const u64 begin = params.head + vector * 1u;
                ahead0[turn] = *(const skel_vector<Pair_s0, 1>*)(params.arg0 + begin);
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 2u; turn += 1u) {
            const u64 vector = from + turn * 256u;
            if (vector >= params.vectors) {
                break;
            }
            const u64 begin = params.head + vector * 1u;
            skel_vector<i32, 1> made1;
            #pragma unroll
            for (u32 part = 0u; part < 1u; part += 1u) {
                const u64 at = begin + part;
                (void)at;
                Pair_s0 changed0 = ahead0[turn].part[part];
                const i32 value = change_f2(changed0);
                ahead0[turn].part[part] = changed0;
                made1.part[part] = value;
            }
            skel_store(params.arg0 + begin, ahead0[turn]);
            skel_store(params.arg1 + begin, made1);
        }
    }
    const u64 skipped = params.vectors * 1u;
    for (u64 from = (u64)blockIdx.x * 512u + threadIdx.x; from < params.count - skipped;
         from += (u64)gridDim.x * 512u) {
        Pair_s0 ahead0[2];
        #pragma unroll
        for (u32 turn = 0u; turn < 2u; turn += 1u) {
            const u64 at = skel_beside(from + turn * 256u, params.head, skipped);
            if (at < params.count) {
                ahead0[turn] = params.arg0[at];
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 2u; turn += 1u) {
            const u64 at = skel_beside(from + turn * 256u, params.head, skipped);
            if (at >= params.count) {
                break;
            }
            Pair_s0 changed0 = ahead0[turn];
            const i32 value = change_f2(changed0);
            params.arg0[at] = changed0;
            params.arg1[at] = value;
        }
    }
}
