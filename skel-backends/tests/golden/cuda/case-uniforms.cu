typedef int i32;
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;
typedef float f32;

// Notes the number of the first trap site that the element met; 0 if none.
static __device__ void skel_note(u32 site, u32& skel_trap) {
    if (skel_trap == 0u) {
        skel_trap = site;
    }
}

template <typename T, u64 N> struct skel_array {
    typedef T elem;
    static const u64 len = N;
    T part[N == 0 ? 1 : N];
};

static __device__ void skel_check(u64 i, u64 len, u32 site, u32& skel_trap) {
    if (i >= len) {
        skel_note(site, skel_trap);
    }
}

template <typename T, u64 N>
static __device__ const T& skel_array_at(const skel_array<T, N>& all, u64 i, u32 site, u32& skel_trap) {
    skel_check(i, N, site, skel_trap);
    return all.part[i < N ? i : 0];
}

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

struct Setting_s0 {
    skel_array<f32, 4> weights_0;
    i32 offset_1;
};

static __device__ f32 weighted_f0(bool a_0, Setting_s0 b_1, f32 c_2, u8 d_3, u32& skel_trap) {
    return (skel_array_at(b_1.weights_0, (usize)d_3, 1u, skel_trap) + (f32)b_1.offset_1) + ((f32)(i32)a_0 * c_2); // user.rs:5
}

struct Params {
    usize count;
    usize head;
    usize vectors;
    bool uniform0;
    Setting_s0 uniform1;
    const f32* arg2;
    const u8* arg3;
    f32* arg4;
    usize base;
    usize* status;
};
static_assert(sizeof(Params) == 88, "layout");

// Every output element from the input elements of the same index: vectors of elements, which are loaded and
// stored at once, and then those that are in none. Where arguments are not aligned alike, all are in none.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    for (u64 from = (u64)blockIdx.x * 256u + threadIdx.x; from < params.vectors;
         from += (u64)gridDim.x * 256u) {
        // The loads of several vectors are on their way at once.
        skel_vector<f32, 4> ahead2[1];
        skel_vector<u8, 4> ahead3[1];
        #pragma unroll
        for (u32 turn = 0u; turn < 1u; turn += 1u) {
            const u64 vector = from + turn * 256u;
            if (vector < params.vectors) {
                const u64 begin = params.head + vector * 4u;
                ahead2[turn] = *(const skel_vector<f32, 4>*)(params.arg2 + begin);
                ahead3[turn] = *(const skel_vector<u8, 4>*)(params.arg3 + begin);
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 1u; turn += 1u) {
            const u64 vector = from + turn * 256u;
            if (vector >= params.vectors) {
                break;
            }
            const u64 begin = params.head + vector * 4u;
            skel_vector<f32, 4> made4 = {};
            #pragma unroll
            for (u32 part = 0u; part < 4u; part += 1u) {
                const u64 at = begin + part;
                (void)at;
                u32 skel_trap = 0u;
                const f32 value = weighted_f0(params.uniform0, params.uniform1, ahead2[turn].part[part], ahead3[turn].part[part], skel_trap);
                if (skel_trap != 0u) {
                    atomicMin(&params.status[skel_trap - 1u], params.base + at);
                    continue;
                }
                made4.part[part] = value;
            }
            skel_store(params.arg4 + begin, made4);
        }
    }
    const u64 skipped = params.vectors * 4u;
    for (u64 from = (u64)blockIdx.x * 1024u + threadIdx.x; from < params.count - skipped;
         from += (u64)gridDim.x * 1024u) {
        f32 ahead2[4];
        u8 ahead3[4];
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = skel_beside(from + turn * 256u, params.head, skipped);
            if (at < params.count) {
                ahead2[turn] = params.arg2[at];
                ahead3[turn] = params.arg3[at];
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = skel_beside(from + turn * 256u, params.head, skipped);
            if (at >= params.count) {
                break;
            }
            u32 skel_trap = 0u;
            const f32 value = weighted_f0(params.uniform0, params.uniform1, ahead2[turn], ahead3[turn], skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[skel_trap - 1u], params.base + at);
                continue;
            }
            params.arg4[at] = value;
        }
    }
}
