// Kernels of a module, as they announce themselves: by name, with what they take.
#pragma once
#include "cuda_host.hpp"
#include <stddef.h>

namespace skel_host {

/// A function on parameters that lie in memory as CUDA lays them.
template <auto function> struct Entry;

template <typename... A, void (*function)(A...)> struct Entry<function> {
    static constexpr unsigned COUNT = sizeof...(A);
    Parameter parameters[COUNT + 1] = {};
    Kernel kernel;

    Entry(const char *name, unsigned max_threads, char *shared_begin, char *shared_end)
        : kernel(~0u, name, run, lay(parameters), max_threads, shared_begin, shared_end, parameters,
                 COUNT) {}

    /// Where each lies; the bytes of all.
    static unsigned lay(Parameter *to) {
        const Parameter all[] = {{alignof(A), sizeof(A)}..., {1, 0}};
        unsigned at = 0;
        for (unsigned k = 0; k < COUNT; k++) {
            at = (at + all[k].offset - 1) / all[k].offset * all[k].offset;
            to[k] = Parameter{at, all[k].bytes};
            at += all[k].bytes;
        }
        return at;
    }

    template <size_t... I> struct Indices {};
    template <size_t N, size_t... I> static auto indices() {
        if constexpr (N == 0)
            return Indices<I...>();
        else
            return indices<N - 1, N - 1, I...>();
    }
    template <size_t... I> static void call(const char *bytes, const Parameter *where, Indices<I...>) {
        (void)bytes, (void)where;
        function(*reinterpret_cast<const A *>(bytes + where[I].offset)...);
    }
    static void run(const void *bytes) {
        static const Places places;
        call(static_cast<const char *>(bytes), places.all, indices<COUNT>());
    }
    struct Places {
        Parameter all[COUNT + 1];
        Places() { lay(all); }
    };
};

} // namespace skel_host
