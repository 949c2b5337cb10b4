// Running the threads of a grid: between `runner.cpp`, which takes orders, and the kernels.
#pragma once
#include "cuda_host.hpp"
#include <vector>

namespace skel_host {

/// In which order blocks, and threads of a block between two barriers, run.
struct Order {
    enum Kind : uint32_t { ascending = 0, descending = 1, shuffled = 2, interleaved = 3 } kind;
    uint64_t seed;
};

/// Every kernel that was linked in, by number.
std::vector<const Kernel *> &kernels();
/// Runs all threads; returns only if nothing was wrong.
void run_grid(const Kernel &kernel, dim3 grid, dim3 block, const void *params, Order order);
/// Says that the launch failed and ends the process; `runner.cpp` has it.
[[noreturn]] void report_failure(const char *message);

} // namespace skel_host
