typedef short i16;
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;
typedef float f32;
typedef double f64;

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

static __device__ i16 skel_mul_i16(i16 a, i16 b) {
    return (i16)((u32)a * (u32)b);
}

static __device__ u8 skel_add_u8(u8 a, u8 b) {
    return (u8)((u32)a + (u32)b);
}

struct Tag_s0 {
    u8 small_0;
    bool is_1;
    i16 half_2;
};

struct Point_s1 {
    f64 x_0;
    Tag_s0 tag_1;
    f32 y_2;
};

static __device__ Point_s1 swapped_f0(Point_s1 a_0) {
    return Point_s1{(f64)a_0.y_2, Tag_s0{skel_add_u8(a_0.tag_1.small_0, 200u), (a_0.x_0 < 3.0), skel_mul_i16(a_0.tag_1.half_2, a_0.tag_1.half_2)}, (f32)a_0.x_0}; // user.rs:5
}

struct Params {
    usize count;
    usize head;
    usize vectors;
    const Point_s1* arg0;
    Point_s1* arg1;
};
static_assert(sizeof(Params) == 40, "layout");

// Every output element from the input elements of the same index: vectors of elements, which are loaded and
// stored at once, and then those that are in none. Where arguments are not aligned alike, all are in none.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    for (u64 from = (u64)blockIdx.x * 512u + threadIdx.x; from < params.vectors;
         from += (u64)gridDim.x * 512u) {
        // The loads of several vectors are on their way at once.
        skel_vector<Point_s1, 1> ahead0[2];
        #pragma unroll
        for (u32 turn = 0u; turn < 2u; turn += 1u) {
            const u64 vector = from + turn * 256u;
            if (vector < params.vectors) {
                const u64 begin = params.head + vector * 1u;
                ahead0[turn] = *(const skel_vector<Point_s1, 1>*)(params.arg0 + begin);
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 2u; turn += 1u) {
            const u64 vector = from + turn * 256u;
            if (vector >= params.vectors) {
                break;
            }
            const u64 begin = params.head + vector * 1u;
            skel_vector<Point_s1, 1> made1;
            #pragma unroll
            for (u32 part = 0u; part < 1u; part += 1u) {
                const u64 at = begin + part;
                (void)at;
                const Point_s1 value = swapped_f0(ahead0[turn].part[part]);
                made1.part[part] = value;
            }
            skel_store(params.arg1 + begin, made1);
        }
    }
    const u64 skipped = params.vectors * 1u;
    for (u64 from = (u64)blockIdx.x * 512u + threadIdx.x; from < params.count - skipped;
         from += (u64)gridDim.x * 512u) {
        Point_s1 ahead0[2];
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
            const Point_s1 value = swapped_f0(ahead0[turn]);
            params.arg1[at] = value;
        }
    }
}
