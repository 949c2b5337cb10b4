// CUDA's arithmetic for the CPU: overloads, conversions, bits. Where C++ leaves a result open and the
// PTX manual does not (conversions that do not fit, counts of zero), it is the manual's.
#pragma once

// Of a number and a NaN, the number, as PTX has it; the C library looks at which kind of NaN.
namespace skel_host {
template <typename T> inline T lesser(T a, T b) { return a != a ? b : b != b || a < b ? a : b; }
template <typename T> inline T greater(T a, T b) { return a != a ? b : b != b || a > b ? a : b; }
} // namespace skel_host
// An argument may have commas in braces, as `P{x, y}.p` has; so macros take whatever there is.
#define fminf(...) skel_host::lesser<float>(__VA_ARGS__)
#define fmaxf(...) skel_host::greater<float>(__VA_ARGS__)
#define fmin(...) skel_host::lesser<double>(__VA_ARGS__)
#define fmax(...) skel_host::greater<double>(__VA_ARGS__)

#define SKEL_MIN_MAX(T, A, B)                                                                      \
    static inline T min(A a, B b) { return (T)a < (T)b ? (T)a : (T)b; }                            \
    static inline T max(A a, B b) { return (T)a < (T)b ? (T)b : (T)a; }
SKEL_MIN_MAX(int, int, int)
SKEL_MIN_MAX(unsigned int, unsigned int, unsigned int)
SKEL_MIN_MAX(unsigned int, int, unsigned int)
SKEL_MIN_MAX(unsigned int, unsigned int, int)
SKEL_MIN_MAX(long, long, long)
SKEL_MIN_MAX(unsigned long, unsigned long, unsigned long)
SKEL_MIN_MAX(long long, long long, long long)
SKEL_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
#undef SKEL_MIN_MAX
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }

static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / sqrt(x); }
static inline float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }
static inline float sinpif(float x) { return (float)sin(3.14159265358979323846 * (double)x); }
static inline float cospif(float x) { return (float)cos(3.14159265358979323846 * (double)x); }

// Each rounded to nearest and by itself: g++ is told not to contract.
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __frcp_rn(float a) { return 1.0f / a; }
static inline float __fsqrt_rn(float a) { return sqrtf(a); }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __drcp_rn(double a) { return 1.0 / a; }
static inline double __dsqrt_rn(double a) { return sqrt(a); }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }

// The fast ones may be as exact as they like. Their names are taken by the C library, for itself.
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __expf expf
#define __exp10f exp10f
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __powf powf
static inline float __fdividef(float x, float y) { return x / y; }

namespace skel_host {
/// A whole number in `From` to `To`: what does not fit is clamped; NaN is 0 from `float` to 32 bits,
/// else the top bit alone.
template <typename To, typename From> inline To convert(From whole) {
    const int bits = 8 * sizeof(To);
    const bool is_signed = (To)-1 < (To)0;
    const To least = is_signed ? (To)((unsigned long long)1 << (bits - 1)) : (To)0;
    if (whole != whole)
        return sizeof(From) == 4 && bits == 32 ? (To)0 : (To)((unsigned long long)1 << (bits - 1));
    if (whole < (From)least)
        return least;
    if (whole >= (From)ldexp(1.0, is_signed ? bits - 1 : bits))
        return (To)~least;
    return (To)whole;
}
} // namespace skel_host

#define SKEL_CONVERT(name, To, From)                                                               \
    static inline To name##_rz(From x) { return skel_host::convert<To>((From)trunc(x)); }          \
    static inline To name##_rn(From x) { return skel_host::convert<To>((From)rint(x)); }           \
    static inline To name##_ru(From x) { return skel_host::convert<To>((From)ceil(x)); }           \
    static inline To name##_rd(From x) { return skel_host::convert<To>((From)floor(x)); }
SKEL_CONVERT(__float2int, int, float)
SKEL_CONVERT(__float2uint, unsigned int, float)
SKEL_CONVERT(__float2ll, long long, float)
SKEL_CONVERT(__float2ull, unsigned long long, float)
SKEL_CONVERT(__double2int, int, double)
SKEL_CONVERT(__double2uint, unsigned int, double)
SKEL_CONVERT(__double2ll, long long, double)
SKEL_CONVERT(__double2ull, unsigned long long, double)
#undef SKEL_CONVERT
static inline float __int2float_rn(int x) { return (float)x; }
static inline float __uint2float_rn(unsigned int x) { return (float)x; }
static inline float __ll2float_rn(long long x) { return (float)x; }
static inline float __ull2float_rn(unsigned long long x) { return (float)x; }
static inline double __int2double_rn(int x) { return (double)x; }
static inline double __uint2double_rn(unsigned int x) { return (double)x; }
static inline double __ll2double_rn(long long x) { return (double)x; }
static inline double __ull2double_rn(unsigned long long x) { return (double)x; }
static inline float __double2float_rn(double x) { return (float)x; }

#define SKEL_BITS(name, To, From)                                                                  \
    static inline To name(From x) { return skel_host::from_bits<To>(skel_host::to_bits(x)); }
SKEL_BITS(__float_as_int, int, float)
SKEL_BITS(__float_as_uint, unsigned int, float)
SKEL_BITS(__int_as_float, float, int)
SKEL_BITS(__uint_as_float, float, unsigned int)
SKEL_BITS(__double_as_longlong, long long, double)
SKEL_BITS(__longlong_as_double, double, long long)
#undef SKEL_BITS
static inline int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
static inline int __double2loint(double x) { return (int)__double_as_longlong(x); }
static inline double __hiloint2double(int high, int low) {
    return __longlong_as_double(
        (long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}

static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
static inline int __clzll(long long x) {
    return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
static inline int __popc(unsigned int x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline unsigned int __brev(unsigned int x) {
    unsigned int reversed = 0;
    for (int k = 0; k < 32; k++)
        reversed |= (x >> k & 1u) << (31 - k);
    return reversed;
}
static inline unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
static inline unsigned int __umulhi(unsigned int a, unsigned int b) {
    return (unsigned)((unsigned long long)a * b >> 32);
}
static inline int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
static inline long long __mul64hi(long long a, long long b) {
    return (long long)((__int128)a * b >> 64);
}
/// The amounts are masked, as the machine's funnel shift does it.
static inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int by) {
    return (unsigned)((((unsigned long long)high << 32 | low) << (by & 31)) >> 32);
}
static inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int by) {
    return (unsigned)(((unsigned long long)high << 32 | low) >> (by & 31));
}
/// Four of the eight bytes of `high` and `low`; bit 3 of a digit asks for the byte's sign instead.
static inline unsigned int __byte_perm(unsigned int low, unsigned int high, unsigned int digits) {
    unsigned long long bytes = (unsigned long long)high << 32 | low;
    unsigned int result = 0;
    for (int k = 0; k < 4; k++) {
        unsigned int digit = digits >> (4 * k);
        unsigned int byte = (unsigned)(bytes >> (8 * (digit & 7))) & 0xffu;
        if (digit & 8)
            byte = byte & 0x80u ? 0xffu : 0u;
        result |= byte << (8 * k);
    }
    return result;
}
