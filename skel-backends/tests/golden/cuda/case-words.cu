typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;

struct PhiloxBlock_s0 {
    u32 c0_0;
    u32 c1_1;
    u32 c2_2;
    u32 c3_3;
    u32 k0_4;
    u32 k1_5;
};

struct Generator_s1 {
    u32 seed_0;
    u32 seed_high_1;
    u32 call_2;
    u32 index_3;
    u32 index_high_4;
    u32 block_5;
    u32 next0_6;
    u32 next1_7;
    u32 next2_8;
    u32 left_9;
};

static __device__ u32 high_product_f0(u32 a_0, u32 b_1) {
    u32 a_low_2 = a_0 & 65535u; // ir.rs:78
    u32 a_high_3 = a_0 >> 16u; // ir.rs:79
    u32 b_low_4 = b_1 & 65535u; // ir.rs:80
    u32 b_high_5 = b_1 >> 16u; // ir.rs:81
    u32 carry_6 = (a_low_2 * b_low_4) >> 16u; // ir.rs:82
    u32 middle_7 = (a_high_3 * b_low_4) + carry_6; // ir.rs:83
    u32 other_8 = (a_low_2 * b_high_5) + (middle_7 & 65535u); // ir.rs:84
    return ((a_high_3 * b_high_5) + (middle_7 >> 16u)) + (other_8 >> 16u); // ir.rs:85
}

static __device__ PhiloxBlock_s0 philox_round_f1(PhiloxBlock_s0 b_0) {
    return PhiloxBlock_s0{((high_product_f0(3449720151u, b_0.c2_2) ^ b_0.c1_1) ^ b_0.k0_4), (3449720151u * b_0.c2_2), ((high_product_f0(3528531795u, b_0.c0_0) ^ b_0.c3_3) ^ b_0.k1_5), (3528531795u * b_0.c0_0), (b_0.k0_4 + 2654435769u), (b_0.k1_5 + 3144134277u)}; // ir.rs:96
}

static __device__ PhiloxBlock_s0 philox_f2(Generator_s1 random_0) {
    PhiloxBlock_s0 b_1 = PhiloxBlock_s0{random_0.index_3, random_0.index_high_4, random_0.block_5, random_0.seed_high_1, random_0.seed_0, random_0.call_2}; // ir.rs:104
    PhiloxBlock_s0 b_2 = philox_round_f1(philox_round_f1(philox_round_f1(philox_round_f1(philox_round_f1(b_1))))); // ir.rs:112
    return philox_round_f1(philox_round_f1(philox_round_f1(philox_round_f1(philox_round_f1(b_2))))); // ir.rs:113
}

static __device__ u32 next_u32_f3(Generator_s1& random_0) {
    if (random_0.left_9 == 0u) { // ir.rs:120
        PhiloxBlock_s0 words_1 = philox_f2(random_0); // ir.rs:121
        random_0.block_5 = random_0.block_5 + 1u; // ir.rs:122
        random_0.next0_6 = words_1.c1_1; // ir.rs:123
        random_0.next1_7 = words_1.c2_2; // ir.rs:124
        random_0.next2_8 = words_1.c3_3; // ir.rs:125
        random_0.left_9 = 3u; // ir.rs:126
        return words_1.c0_0; // ir.rs:127
    } else {
        u32 word_2 = random_0.next0_6; // ir.rs:129
        random_0.next0_6 = random_0.next1_7; // ir.rs:130
        random_0.next1_7 = random_0.next2_8; // ir.rs:131
        random_0.left_9 = random_0.left_9 - 1u; // ir.rs:132
        return word_2; // ir.rs:133
    }
}

struct Params {
    usize count;
    u32* arg0;
    usize base;
    usize seed;
    usize call;
};
static_assert(sizeof(Params) == 40, "layout");

// Every output element from the input elements of the same index.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * 256u;
    for (u64 at = (u64)blockIdx.x * 256u + threadIdx.x; at < params.count; at += stride) {
        Generator_s1 random = {(u32)params.seed, (u32)(params.seed >> 32), (u32)params.call, (u32)(params.base + at), (u32)((params.base + at) >> 32)};
        const u32 value = next_u32_f3(random);
        params.arg0[at] = value;
    }
}
