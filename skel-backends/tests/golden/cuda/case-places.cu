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

template <typename T, u64 N>
static __device__ const T& skel_array_at(const skel_array<T, N>& all, u64 i, u32 site, u32& skel_trap) {
    skel_check(i, N, site, skel_trap);
    return all.part[i < N ? i : 0];
}

static __device__ i32 skel_add_i32(i32 a, i32 b) {
    return (i32)((u32)a + (u32)b);
}

struct Boxed_s0 {
    skel_array<i32, 5> all_0;
};

static __device__ skel_array<i32, 3> spread_f0(usize a_0, u32& skel_trap) {
    Boxed_s0 b_1 = Boxed_s0{skel_filled<skel_array<i32, 5>>(7)}; // user.rs:5
    usize c_2 = 0ull;
    for (;;) {
        if (c_2 >= 9ull) {
            break;
        }
        const i32 part0 = skel_add_i32(skel_array_at(b_1.all_0, ((a_0 + c_2) % 5ull), 1u, skel_trap), (i32)c_2);
        if (skel_trap != 0u) {
            return {};
        }
        const usize part1 = (a_0 + c_2) % 5ull;
        skel_check(part1, 5u, 2u, skel_trap);
        if (skel_trap != 0u) {
            return {};
        }
        b_1.all_0.part[part1] = part0;
        c_2 = c_2 + 1ull;
    }
    return skel_array<i32, 3>{{skel_array_at(b_1.all_0, (a_0 % 5ull), 3u, skel_trap), b_1.all_0.part[4], 1}};
}

struct Params {
    usize count;
    const usize* arg0;
    skel_array<i32, 3>* arg1;
    usize base;
    usize* status;
};
static_assert(sizeof(Params) == 40, "layout");

// Every output element from the input elements of the same index.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * 256u;
    for (u64 at = (u64)blockIdx.x * 256u + threadIdx.x; at < params.count; at += stride) {
        u32 skel_trap = 0u;
        const skel_array<i32, 3> value = spread_f0(params.arg0[at], skel_trap);
        if (skel_trap != 0u) {
            atomicMin(&params.status[skel_trap - 1u], params.base + at);
            continue;
        }
        params.arg1[at] = value;
    }
}
