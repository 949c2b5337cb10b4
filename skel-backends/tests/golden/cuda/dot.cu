typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;
typedef float f32;

static __device__ u64 skel_least(u64 a, u64 b) {
    return a < b ? a : b;
}

static __device__ f32 mult_f0(f32 a_0, f32 b_1) {
    return a_0 * b_1; // user.rs:5
}

static __device__ f32 add_f1(f32 a_0, f32 b_1) {
    return a_0 + b_1; // user.rs:5
}

struct Params {
    usize count;
    usize level;
    usize width;
    const f32* arg0;
    const f32* arg1;
    f32* partials;
};
static_assert(sizeof(Params) == 48, "layout");

// A value of each leaf, an aligned group of tiles; for a scan, of each tile. Tiles are combined as everywhere: see
// `skel_core::plan::grouping`.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    __shared__ f32 tile[1024];
    const u64 lane = threadIdx.x;
    const u64 tiles = 1ull << params.level;
    const u64 begin = skel_least(blockIdx.x * tiles * 1024ull, params.count);
    const u64 left = skel_least(params.count - begin, tiles * 1024ull);
    // No lane leaves before the end, for all must meet.
    // Each of a tile's lanes takes every 128th element, or the first lane all of them, and these are halved.
    for (u64 place = lane; place < tiles * 128u; place += 256u) {
        const u64 first = begin + place / 128u * 1024u + place % 128u;
        const u64 end = begin + skel_least((place / 128u + 1u) * 1024u, left);
        const u64 last = place % 128u < params.width ? end : first;
        f32 total = {};
        // The loads of several elements are on their way at once.
        for (u64 from = first; from < last; from += 4u * params.width) {
            f32 ahead0[4];
            f32 ahead1[4];
            #pragma unroll
            for (u32 turn = 0u; turn < 4u; turn += 1u) {
                const u64 at = from + turn * params.width;
                if (at < last) {
                    ahead0[turn] = params.arg0[at];
                    ahead1[turn] = params.arg1[at];
                }
            }
            #pragma unroll
            for (u32 turn = 0u; turn < 4u; turn += 1u) {
                const u64 at = from + turn * params.width;
                if (at >= last) {
                    break;
                }
                const f32 value = mult_f0(ahead0[turn], ahead1[turn]);
                if (at == first) {
                    total = value;
                } else {
                    total = add_f1(total, value);
                }
            }
        }
        tile[place] = total;
    }
    for (u32 half = 7u; half > 0u; half -= 1u) {
        __syncthreads();
        const u64 reach = 1ull << (half - 1u);
        for (u64 pair = lane; pair < tiles * reach; pair += 256u) {
            const u64 of_tile = left - skel_least(left, (pair >> (half - 1u)) * 1024u);
            const u64 in_tile = pair & (reach - 1u);
            const u64 place = (pair >> (half - 1u)) * 128u + in_tile;
            if (in_tile + reach < skel_least(of_tile, params.width)) {
                tile[place] = add_f1(tile[place], tile[place + reach]);
            }
        }
    }
    for (u64 reach = 1u; reach < tiles; reach *= 2u) {
        __syncthreads();
        for (u64 at = lane * 2u * reach; at + reach < tiles; at += 256u * 2u * reach) {
            if ((at + reach) * 1024u < left) {
                tile[at * 128u] = add_f1(tile[at * 128u], tile[(at + reach) * 128u]);
            }
        }
    }
    if (lane == 0u) {
        params.partials[2u * blockIdx.x] = tile[0];
    }
}
