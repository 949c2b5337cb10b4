typedef short i16;
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;
typedef float f32;
typedef double f64;

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
    const Point_s1* arg0;
    Point_s1* arg1;
};
static_assert(sizeof(Params) == 24, "layout");

// Every output element from the input elements of the same index.
extern "C" __global__ void __launch_bounds__(256) skel_kernel(const Params params) {
    const u64 stride = (u64)gridDim.x * 512u;
    // The loads of several elements are on their way at once.
    for (u64 from = (u64)blockIdx.x * 512u + threadIdx.x; from < params.count; from += stride) {
        Point_s1 ahead0[2];
        #pragma unroll
        for (u32 turn = 0u; turn < 2u; turn += 1u) {
            const u64 at = from + turn * 256u;
            if (at < params.count) {
                ahead0[turn] = params.arg0[at];
            }
        }
        #pragma unroll
        for (u32 turn = 0u; turn < 2u; turn += 1u) {
            const u64 at = from + turn * 256u;
            if (at >= params.count) {
                break;
            }
            const Point_s1 value = swapped_f0(ahead0[turn]);
            params.arg1[at] = value;
        }
    }
}
