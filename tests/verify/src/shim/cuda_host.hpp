// CUDA C++ for the CPU: what a kernel's source finds declared when g++ compiles it unchanged.
//
// Here are the words of the language and the operations between threads; `cuda_math.hpp` has the
// arithmetic. `cuda_host.cpp` runs the threads.
#pragma once
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define __CUDACC__ 1
#define __CUDA_ARCH__ 750
#define __host__
#define __device__
#define __global__
#define __constant__
#define __grid_constant__
// A size is checked when the kernel is launched: the wrapper of the source reads it from the text.
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))

struct uint3 {
    unsigned int x, y, z;
};
struct dim3 {
    unsigned int x, y, z;
};

#define SKEL_VECTOR(scalar, name)                                                                  \
    struct __attribute__((aligned(2 * sizeof(scalar)))) name##2 {                                  \
        scalar x, y;                                                                               \
    };                                                                                             \
    struct __attribute__((aligned(sizeof(scalar) > 4 ? 16 : 4 * sizeof(scalar)))) name##4 {        \
        scalar x, y, z, w;                                                                         \
    };                                                                                             \
    static inline name##2 make_##name##2(scalar x, scalar y) { return name##2{x, y}; }             \
    static inline name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w) {                 \
        return name##4{x, y, z, w};                                                                \
    }
SKEL_VECTOR(signed char, char)
SKEL_VECTOR(unsigned char, uchar)
SKEL_VECTOR(short, short)
SKEL_VECTOR(unsigned short, ushort)
SKEL_VECTOR(int, int)
SKEL_VECTOR(unsigned int, uint)
SKEL_VECTOR(float, float)
SKEL_VECTOR(double, double)
SKEL_VECTOR(long long, longlong)
SKEL_VECTOR(unsigned long long, ulonglong)
#undef SKEL_VECTOR

// The threads of a block take turns on one processor: these are those of the thread that runs.
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
static const int warpSize = 32;

namespace skel_host {
/// What a warp does together.
enum class Collective { sync, ballot, shuffle };

/// Ends the launch with an error; nothing is run after it.
[[noreturn]] void fail(const char *message);
/// Meets all threads of the block; the line is part of the meaning, see there.
void barrier(int line);
/// Meets the threads of the mask; `source` is the lane whose value a shuffle gives.
uint64_t collective(Collective what, unsigned mask, uint64_t value, int source, int line);
/// The lane of the running thread in its warp.
int lane();
/// Lets others run first, also other blocks if all threads of this one do nothing else.
void pause();
/// How often threads did what a loop does that waits for another block.
extern unsigned touches;
/// Whether that is also where another block may go on, see `Order::Interleaved`; then it may be now.
extern bool interleaves;
void maybe_leave();
inline void touched() {
    if (interleaves)
        maybe_leave();
    else if (++touches % 64 == 0)
        pause();
}

/// Where a parameter of a kernel lies.
struct Parameter {
    unsigned offset, bytes;
};

/// A compiled kernel announces itself by a static object of this type.
struct Kernel {
    /// Its place among all; `~0u` for the next one.
    unsigned number;
    const char *name;
    void (*run)(const void *params);
    unsigned params_bytes;
    /// What `__launch_bounds__` says; 0 where it says nothing.
    unsigned max_threads;
    /// The memory of all that is `__shared__`.
    char *shared_begin, *shared_end;
    /// Its parameters, where it is launched by way of the driver.
    const Parameter *parameters;
    unsigned parameter_count;
    Kernel(unsigned number, const char *name, void (*run)(const void *), unsigned params_bytes,
           unsigned max_threads, char *shared_begin, char *shared_end,
           const Parameter *parameters = nullptr, unsigned parameter_count = 0);
};

template <typename T> inline uint64_t to_bits(T value) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}
template <typename T> inline T from_bits(uint64_t bits) {
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
} // namespace skel_host

static inline void __syncthreads(int line = __builtin_LINE()) { skel_host::barrier(line); }
static inline void __syncwarp(unsigned mask = 0xffffffffu, int line = __builtin_LINE()) {
    skel_host::collective(skel_host::Collective::sync, mask, 0, 0, line);
}
static inline unsigned __ballot_sync(unsigned mask, int is, int line = __builtin_LINE()) {
    return (unsigned)skel_host::collective(skel_host::Collective::ballot, mask, is != 0, 0, line);
}
static inline int __any_sync(unsigned mask, int is, int line = __builtin_LINE()) {
    return __ballot_sync(mask, is, line) != 0;
}
static inline int __all_sync(unsigned mask, int is, int line = __builtin_LINE()) {
    return __ballot_sync(mask, !is, line) == 0;
}

// A lane whose source would lie in another section of `width` lanes gets its own value back.
#define SKEL_SHUFFLES(T)                                                                           \
    static inline T skel_shuffle(unsigned mask, T value, int source, int line) {                   \
        return skel_host::from_bits<T>(skel_host::collective(                                      \
            skel_host::Collective::shuffle, mask, skel_host::to_bits(value), source, line));       \
    }                                                                                              \
    static inline T __shfl_sync(unsigned mask, T value, int from, int width = 32,                  \
                                int line = __builtin_LINE()) {                                     \
        int first = skel_host::lane() & ~(width - 1);                                              \
        return skel_shuffle(mask, value, first + (from & (width - 1)), line);                      \
    }                                                                                              \
    static inline T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32,          \
                                     int line = __builtin_LINE()) {                                \
        int me = skel_host::lane(), last = me | (width - 1);                                       \
        return skel_shuffle(mask, value, me + (int)by > last ? me : me + (int)by, line);           \
    }                                                                                              \
    static inline T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32,            \
                                   int line = __builtin_LINE()) {                                  \
        int me = skel_host::lane(), first = me & ~(width - 1);                                     \
        return skel_shuffle(mask, value, me - (int)by < first ? me : me - (int)by, line);          \
    }                                                                                              \
    static inline T __shfl_xor_sync(unsigned mask, T value, int with, int width = 32,              \
                                    int line = __builtin_LINE()) {                                 \
        int me = skel_host::lane(), last = me | (width - 1), source = me ^ with;                   \
        return skel_shuffle(mask, value, source > last ? me : source, line);                       \
    }
SKEL_SHUFFLES(int)
SKEL_SHUFFLES(unsigned int)
SKEL_SHUFFLES(long)
SKEL_SHUFFLES(unsigned long)
SKEL_SHUFFLES(long long)
SKEL_SHUFFLES(unsigned long long)
SKEL_SHUFFLES(float)
SKEL_SHUFFLES(double)
#undef SKEL_SHUFFLES

// One thread runs at a time, and changes only at the operations above and, once in a while, after one
// of these; so plain code is atomic.
#define SKEL_ATOMIC(name, T, changed)                                                              \
    static inline T name(T *at, T by) {                                                            \
        T old = *at;                                                                               \
        *at = (changed);                                                                           \
        skel_host::touched();                                                                      \
        return old;                                                                                \
    }
#define SKEL_ATOMICS(T)                                                                            \
    SKEL_ATOMIC(atomicExch, T, by)                                                                 \
    SKEL_ATOMIC(atomicMin, T, by < old ? by : old)                                                 \
    SKEL_ATOMIC(atomicMax, T, old < by ? by : old)                                                 \
    SKEL_ATOMIC(atomicAnd, T, old & by)                                                            \
    SKEL_ATOMIC(atomicOr, T, old | by)                                                             \
    SKEL_ATOMIC(atomicXor, T, old ^ by)                                                            \
    static inline T atomicCAS(T *at, T expected, T by) {                                           \
        T old = *at;                                                                               \
        if (old == expected)                                                                       \
            *at = by;                                                                              \
        skel_host::touched();                                                                      \
        return old;                                                                                \
    }
SKEL_ATOMICS(int)
SKEL_ATOMICS(unsigned int)
SKEL_ATOMICS(unsigned long long)
SKEL_ATOMIC(atomicMin, long long, by < old ? by : old)
SKEL_ATOMIC(atomicMax, long long, old < by ? by : old)
SKEL_ATOMIC(atomicExch, float, by)
// Atomic addition wraps, signed or not.
SKEL_ATOMIC(atomicAdd, int, (int)((unsigned)old + (unsigned)by))
SKEL_ATOMIC(atomicAdd, unsigned int, old + by)
SKEL_ATOMIC(atomicAdd, unsigned long long, old + by)
SKEL_ATOMIC(atomicAdd, float, old + by)
SKEL_ATOMIC(atomicAdd, double, old + by)
SKEL_ATOMIC(atomicSub, int, (int)((unsigned)old - (unsigned)by))
SKEL_ATOMIC(atomicSub, unsigned int, old - by)
SKEL_ATOMIC(atomicInc, unsigned int, old >= by ? 0 : old + 1)
SKEL_ATOMIC(atomicDec, unsigned int, old == 0 || old > by ? by : old - 1)
#undef SKEL_ATOMICS
#undef SKEL_ATOMIC

static inline void __threadfence() { skel_host::touched(); }
static inline void __threadfence_block() { skel_host::touched(); }
static inline void __threadfence_system() { skel_host::touched(); }
static inline void __nanosleep(unsigned) { skel_host::pause(); }
[[noreturn]] static inline void __trap() { skel_host::fail("__trap() was called"); }
template <typename T> static inline T __ldg(const T *at) { return *at; }
template <typename T> static inline T __ldcs(const T *at) { return *at; }
template <typename T> static inline void __stcs(T *at, T value) { *at = value; }
template <typename T> static inline void __stcg(T *at, T value) { *at = value; }
template <typename T> static inline void __stwb(T *at, T value) { *at = value; }
// A thread that waits for another block may read in this way.
template <typename T> static inline T __ldcg(const T *at) {
    skel_host::touched();
    return *at;
}
template <typename T> static inline T __ldcv(const T *at) {
    skel_host::touched();
    return *at;
}

#include "cuda_math.hpp"
