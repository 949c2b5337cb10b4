typedef int i32;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

// Notes the number of the first trap site that the element met; 0 if none.
static __device__ void skel_note(u32 site, u32& skel_trap) {
    if (skel_trap == 0u) {
        skel_trap = site;
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

static __device__ i32 skel_add_i32(i32 a, i32 b) {
    return (i32)((u32)a + (u32)b);
}

static __device__ i32 skel_div_i32(i32 a, i32 b, u32 site, u32& skel_trap) {
    if (b == 0) {
        skel_note(site, skel_trap);
        return 0;
    }
    if (b == -1 && a == (-2147483647 - 1)) {
        skel_note(site + 1u, skel_trap);
        return 0;
    }
    return (i32)(a / b);
}

static __device__ i32 ratio_f0(i32 a_0, i32 b_1, u32& skel_trap) {
    return skel_div_i32(a_0, b_1, 1u, skel_trap); // user.rs:5
}

static __device__ i32 caller_f1(i32 a_0, i32 b_1, u32& skel_trap) {
    i32 c_2 = ratio_f0(a_0, b_1, skel_trap); // user.rs:5
    if (skel_trap != 0u) {
        return {};
    }
    if (c_2 < 0) {
        a_0 = -2147483647 - 1;
    }
    return skel_add_i32(a_0, c_2);
}

struct Params {
    usize count;
    usize head;
    usize vectors;
    const i32* arg0;
    const i32* arg1;
    i32* arg2;
    usize base;
    usize* status;
};
static_assert(sizeof(Params) == 64, "layout");

// Every output element from the input elements of the same index: vectors of elements, which are loaded and
// stored at once, and then those that are in none. Where arguments are not aligned alike, all are in none.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    for (u64 from = (u64)blockIdx.x * 256u + threadIdx.x; from < params.vectors;
         from += (u64)gridDim.x * 256u) {
        // The loads of several vectors are on their way at once.
        skel_vector<i32, 4> ahead0[1];
        skel_vector<i32, 4> ahead1[1];
        #pragma unroll
        for (u32 turn = 0u; turn < 1u; turn += 1u) {
            const u64 vector = from + turn * 256u;
            if (vector < params.vectors) {
                const u64 begin = params.head + vector * 4u;
                ahead0[turn] = *(const skel_vector<i32, 4>*)(params.arg0 + begin);
                ahead1[turn] = *(const skel_vector<i32, 4>*)(params.arg1 + begin);
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 1u; turn += 1u) {
            const u64 vector = from + turn * 256u;
            if (vector >= params.vectors) {
                break;
            }
            const u64 begin = params.head + vector * 4u;
            skel_vector<i32, 4> made2 = {};
            #pragma unroll
            for (u32 part = 0u; part < 4u; part += 1u) {
                const u64 at = begin + part;
                (void)at;
                u32 skel_trap = 0u;
                const i32 value = caller_f1(ahead0[turn].part[part], ahead1[turn].part[part], skel_trap);
                if (skel_trap != 0u) {
                    atomicMin(&params.status[skel_trap - 1u], params.base + at);
                    continue;
                }
                made2.part[part] = value;
            }
            skel_store(params.arg2 + begin, made2);
        }
    }
    const u64 skipped = params.vectors * 4u;
    for (u64 from = (u64)blockIdx.x * 1024u + threadIdx.x; from < params.count - skipped;
         from += (u64)gridDim.x * 1024u) {
        i32 ahead0[4];
        i32 ahead1[4];
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = skel_beside(from + turn * 256u, params.head, skipped);
            if (at < params.count) {
                ahead0[turn] = params.arg0[at];
                ahead1[turn] = params.arg1[at];
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = skel_beside(from + turn * 256u, params.head, skipped);
            if (at >= params.count) {
                break;
            }
            u32 skel_trap = 0u;
            const i32 value = caller_f1(ahead0[turn], ahead1[turn], skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[skel_trap - 1u], params.base + at);
                continue;
            }
            params.arg2[at] = value;
        }
    }
}
