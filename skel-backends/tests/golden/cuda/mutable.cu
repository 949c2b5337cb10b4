typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

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

template <typename A> static __device__ A skel_filled(const typename A::elem value) {
    A all;
    for (u64 i = 0; i < A::len; i += 1) {
        all.part[i] = value;
    }
    return all;
}

static __device__ void skel_check(u64 i, u64 len, u32 site, u32& skel_trap) {
    if (i >= len) {
        skel_note(site, skel_trap);
    }
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

static __device__ void move_all_f0(u32& a_0, u32& b_1) {
    b_1 = a_0 + b_1; // user.rs:5
    a_0 = 0u;
}

static __device__ skel_array<u32, 2> sides_f1(u32 a_0, u32& skel_trap) {
    if (a_0 > 1u) { // user.rs:5
        skel_note(1u, skel_trap);
        return {};
    }
    skel_array<u32, 2> b_1 = skel_filled<skel_array<u32, 2>>(a_0);
    u32 c_2 = 7u;
    const usize part0 = (usize)a_0;
    skel_check(part0, 2u, 2u, skel_trap);
    if (skel_trap != 0u) {
        return {};
    }
    move_all_f0(c_2, b_1.part[part0]);
    return b_1;
}

struct Params {
    usize count;
    usize head;
    usize vectors;
    const u32* arg0;
    skel_array<u32, 2>* arg1;
    usize base;
    usize* status;
};
static_assert(sizeof(Params) == 56, "layout");

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
            skel_vector<skel_array<u32, 2>, 2> made1 = {};
            #pragma unroll
            for (u32 part = 0u; part < 2u; part += 1u) {
                const u64 at = begin + part;
                (void)at;
                u32 skel_trap = 0u;
                const skel_array<u32, 2> value = sides_f1(ahead0[turn].part[part], skel_trap);
                if (skel_trap != 0u) {
                    atomicMin(&params.status[skel_trap - 1u], params.base + at);
                    continue;
                }
                made1.part[part] = value;
            }
            skel_store(params.arg1 + begin, made1);
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
            u32 skel_trap = 0u;
            const skel_array<u32, 2> value = sides_f1(ahead0[turn], skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[skel_trap - 1u], params.base + at);
                continue;
            }
            params.arg1[at] = value;
        }
    }
}
