typedef unsigned short u16;
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

static __device__ u16 skel_add_u16(u16 a, u16 b) {
    return (u16)((u32)a + (u32)b);
}

static __device__ const skel_array<u16, 100> table0 = skel_array<u16, 100>{{0u, 1u, 4u, 9u, 16u, 25u, 36u, 49u, 64u, 81u, 100u, 121u, 144u, 169u, 196u, 225u, 256u, 289u, 324u, 361u, 400u, 441u, 484u, 529u, 576u, 625u, 676u, 729u, 784u, 841u, 900u, 961u, 1024u, 1089u, 1156u, 1225u, 1296u, 1369u, 1444u, 1521u, 1600u, 1681u, 1764u, 1849u, 1936u, 2025u, 2116u, 2209u, 2304u, 2401u, 2500u, 2601u, 2704u, 2809u, 2916u, 3025u, 3136u, 3249u, 3364u, 3481u, 3600u, 3721u, 3844u, 3969u, 4096u, 4225u, 4356u, 4489u, 4624u, 4761u, 4900u, 5041u, 5184u, 5329u, 5476u, 5625u, 5776u, 5929u, 6084u, 6241u, 6400u, 6561u, 6724u, 6889u, 7056u, 7225u, 7396u, 7569u, 7744u, 7921u, 8100u, 8281u, 8464u, 8649u, 8836u, 9025u, 9216u, 9409u, 9604u, 9801u}};

static __device__ u16 looked_up_f0(usize a_0, u32& skel_trap) {
    const u16 part0 = skel_array_at(table0, (a_0 % 100ull), 1u, skel_trap); // user.rs:5
    if (skel_trap != 0u) {
        return {};
    }
    return skel_add_u16(part0, skel_array_at(skel_array<u16, 3>{{3u, 1u, 4u}}, (a_0 % 3ull), 2u, skel_trap));
}

struct Params {
    usize count;
    usize head;
    usize vectors;
    const usize* arg0;
    u16* arg1;
    usize base;
    usize* status;
};
static_assert(sizeof(Params) == 56, "layout");

// Every output element from the input elements of the same index: vectors of elements, which are loaded and
// stored at once, and then those that are in none. Where arguments are not aligned alike, all are in none.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    for (u64 from = (u64)blockIdx.x * 512u + threadIdx.x; from < params.vectors;
         from += (u64)gridDim.x * 512u) {
        // The loads of several vectors are on their way at once.
        skel_vector<usize, 2> ahead0[2];
        #pragma unroll
        for (u32 turn = 0u; turn < 2u; turn += 1u) {
            const u64 vector = from + turn * 256u;
            if (vector < params.vectors) {
                const u64 begin = params.head + vector * 2u;
                ahead0[turn] = *(const skel_vector<usize, 2>*)(params.arg0 + begin);
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 2u; turn += 1u) {
            const u64 vector = from + turn * 256u;
            if (vector >= params.vectors) {
                break;
            }
            const u64 begin = params.head + vector * 2u;
            skel_vector<u16, 2> made1 = {};
            #pragma unroll
            for (u32 part = 0u; part < 2u; part += 1u) {
                const u64 at = begin + part;
                (void)at;
                u32 skel_trap = 0u;
                const u16 value = looked_up_f0(ahead0[turn].part[part], skel_trap);
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
    for (u64 from = (u64)blockIdx.x * 1024u + threadIdx.x; from < params.count - skipped;
         from += (u64)gridDim.x * 1024u) {
        usize ahead0[4];
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = skel_beside(from + turn * 256u, params.head, skipped);
            if (at < params.count) {
                ahead0[turn] = params.arg0[at];
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 4u; turn += 1u) {
            const u64 at = skel_beside(from + turn * 256u, params.head, skipped);
            if (at >= params.count) {
                break;
            }
            u32 skel_trap = 0u;
            const u16 value = looked_up_f0(ahead0[turn], skel_trap);
            if (skel_trap != 0u) {
                atomicMin(&params.status[skel_trap - 1u], params.base + at);
                continue;
            }
            params.arg1[at] = value;
        }
    }
}
