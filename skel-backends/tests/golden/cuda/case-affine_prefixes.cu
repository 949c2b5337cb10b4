typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

static __device__ u64 skel_least(u64 a, u64 b) {
    return a < b ? a : b;
}

struct Affine_s0 {
    u32 a_0;
    u32 b_1;
};

static __device__ Affine_s0 same_f0(Affine_s0 a_0) {
    return a_0; // user.rs:5
}

static __device__ Affine_s0 then_f1(Affine_s0 a_0, Affine_s0 b_1) {
    return Affine_s0{(a_0.a_0 * b_1.a_0), ((b_1.a_0 * a_0.b_1) + b_1.b_1)}; // user.rs:5
}

struct Params {
    usize count;
    usize level;
    usize width;
    const Affine_s0* arg0;
    Affine_s0* partials;
};
static_assert(sizeof(Params) == 40, "layout");

// A value of each leaf, an aligned group of tiles; for a scan, of each tile. Tiles are combined as everywhere: see
// `skel_core::plan::grouping`.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    __shared__ Affine_s0 tile[512];
    const u64 lane = threadIdx.x;
    const u64 tiles = 1ull << params.level;
    const u64 begin = skel_least(blockIdx.x * tiles * 4096ull, params.count);
    const u64 left = skel_least(params.count - begin, tiles * 4096ull);
    // No lane leaves before the end, for all must meet.
    // Each lane takes a block: whole ones as a tree, a last, shorter one as a chain; as a chain all elements if they are few.
    for (u64 place = lane; place < tiles * 256u; place += 256u) {
        const u64 first = begin + skel_least(place * params.width, left);
        const u64 last = begin + skel_least((place + 1u) * params.width, left);
        const bool is_whole = last - first == 16u && params.width == 16u;
        Affine_s0 total = {};
        Affine_s0 one = {};
        Affine_s0 two = {};
        Affine_s0 four = {};
        Affine_s0 eight = {};
        // The loads of several elements are on their way at once.
        for (u64 from = first; from < last; from += 4u * 1u) {
            Affine_s0 ahead0[4];
            #pragma unroll
            for (u32 turn = 0u; turn < 4u; turn += 1u) {
                const u64 at = from + turn * 1u;
                if (at < last) {
                    ahead0[turn] = params.arg0[at];
                }
            }
            #pragma unroll
            for (u32 turn = 0u; turn < 4u; turn += 1u) {
                const u64 at = from + turn * 1u;
                if (at >= last) {
                    break;
                }
                const u64 in_block = at - first;
                const Affine_s0 value = same_f0(ahead0[turn]);
                if (is_whole) {
                    // Pairs, pairs of pairs, and so on.
                    Affine_s0 node = value;
                    if ((in_block & 1u) == 0u) {
                        one = node;
                    } else {
                        node = then_f1(one, node);
                        if ((in_block & 2u) == 0u) {
                            two = node;
                        } else {
                            node = then_f1(two, node);
                            if ((in_block & 4u) == 0u) {
                                four = node;
                            } else {
                                node = then_f1(four, node);
                                if ((in_block & 8u) == 0u) {
                                    eight = node;
                                } else {
                                    total = then_f1(eight, node);
                                }
                            }
                        }
                    }
                } else if (in_block == 0u) {
                    total = value;
                } else {
                    total = then_f1(total, value);
                }
            }
        }
        tile[place] = total;
    }
    __syncthreads();
    for (u64 whole = lane; whole < tiles * 16u; whole += 256u) {
        const u64 first = whole * 16u * 1u;
        const u64 elems = skel_least(left - skel_least(left, whole * 16u * 16u), 16u * 16u);
        const u64 parts = (elems + params.width - 1u) / params.width;
        if (parts == 0u) {
            continue;
        }
        Affine_s0 total = tile[first];
        for (u64 part = 1u; part < parts; part += 1u) {
            total = then_f1(total, tile[first + part * 1u]);
        }
        tile[first] = total;
    }
    __syncthreads();
    for (u64 whole = lane; whole < tiles * 1u; whole += 256u) {
        const u64 first = whole * 16u * 16u;
        const u64 elems = skel_least(left - skel_least(left, whole * 16u * 256u), 16u * 256u);
        const u64 parts = (elems + 256u - 1u) / 256u;
        if (parts == 0u) {
            continue;
        }
        Affine_s0 total = tile[first];
        for (u64 part = 1u; part < parts; part += 1u) {
            total = then_f1(total, tile[first + part * 16u]);
        }
        tile[first] = total;
    }
    __syncthreads();
    for (u64 of_block = lane; of_block < tiles && of_block * 4096u < left; of_block += 256u) {
        params.partials[2u * (blockIdx.x * tiles + of_block)] = tile[of_block * 256u];
    }
}
