// The program around a batch of kernels: takes launches from standard input, answers on standard
// output. What a sanitizer finds goes to standard error and ends this process alone.
//
// All numbers are little-endian. A request:
//   u32 kernel, u32 limit in seconds, u32 order, u64 seed, u32 grid[3], u32 block[3],
//   u32 bytes of parameters, the parameters,
//   u32 pointers, each u32 offset in the parameters, u32 buffer,
//   u32 buffers, each u64 bytes, the bytes.
// A pointer's place in the parameters holds the offset into the buffer.
// The answer: u32 0 and all buffers' bytes, or u32 1, u32 length, and a message, after which the
// process ends. At the start it says u32 `skel`, u32 number of kernels.
#include <memory>
#include <signal.h>
#include <stdio.h>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include "block.hpp"

extern "C" const char *__asan_default_options() {
    return "detect_leaks=0:detect_stack_use_after_return=0:print_legend=0:allocator_may_return_null=1";
}

namespace skel_host {
namespace {

void read_all(void *to, size_t bytes) {
    char *at = static_cast<char *>(to);
    while (bytes > 0) {
        const ssize_t n = read(STDIN_FILENO, at, bytes);
        if (n <= 0)
            _exit(n == 0 ? 0 : 2); // the reader is gone
        at += n;
        bytes -= (size_t)n;
    }
}

void write_all(const void *from, size_t bytes) {
    const char *at = static_cast<const char *>(from);
    while (bytes > 0) {
        const ssize_t n = write(STDOUT_FILENO, at, bytes);
        if (n <= 0)
            _exit(2);
        at += n;
        bytes -= (size_t)n;
    }
}

template <typename T> T number() {
    T value;
    read_all(&value, sizeof value);
    return value;
}

dim3 extents() {
    const unsigned x = number<uint32_t>(), y = number<uint32_t>(), z = number<uint32_t>();
    return dim3{x, y, z};
}

/// Memory of exactly this size, aligned as a device's, with the sanitizer's red zones around it.
struct Buffer {
    static constexpr size_t alignment = 256;
    size_t bytes;
    char *memory;
    explicit Buffer(size_t bytes) : bytes(bytes), memory(nullptr) {
        void *found = nullptr;
        if (posix_memalign(&found, alignment, bytes) != 0)
            report_failure("no memory for a buffer");
        memory = static_cast<char *>(found);
        read_all(memory, bytes);
    }
    ~Buffer() { free(memory); }
    Buffer(const Buffer &) = delete;
};

void check(const Kernel &kernel, dim3 grid, dim3 block, size_t params_bytes) {
    const size_t threads = (size_t)block.x * block.y * block.z;
    const size_t blocks = (size_t)grid.x * grid.y * grid.z;
    std::string wrong;
    if (params_bytes != kernel.params_bytes)
        wrong = "Params has " + std::to_string(kernel.params_bytes) + " bytes, but " +
                std::to_string(params_bytes) + " were given";
    else if (threads == 0 || threads > 1024 || blocks == 0 || grid.y > 65535 || grid.z > 65535)
        wrong = "no device takes a grid or block of this size";
    else if (kernel.max_threads != 0 && threads > kernel.max_threads)
        wrong = std::to_string(threads) + " threads, but __launch_bounds__ says " +
                std::to_string(kernel.max_threads);
    if (!wrong.empty())
        report_failure(wrong.c_str());
}

void launch() {
    const uint32_t which = number<uint32_t>();
    const uint32_t limit_s = number<uint32_t>();
    Order order;
    order.kind = static_cast<Order::Kind>(number<uint32_t>());
    order.seed = number<uint64_t>();
    const dim3 grid = extents(), block = extents();
    Buffer params(number<uint32_t>());
    std::vector<std::pair<uint32_t, uint32_t>> pointers(number<uint32_t>());
    for (auto &[offset, buffer] : pointers) {
        offset = number<uint32_t>();
        buffer = number<uint32_t>();
    }
    std::vector<std::unique_ptr<Buffer>> buffers(number<uint32_t>());
    for (auto &buffer : buffers)
        buffer = std::make_unique<Buffer>(number<uint64_t>());

    for (auto [offset, buffer] : pointers) {
        if (buffer >= buffers.size() || offset + sizeof(uint64_t) > params.bytes)
            report_failure("a pointer to a buffer, or at a place, that is not there");
        uint64_t address;
        memcpy(&address, params.memory + offset, sizeof address);
        address += reinterpret_cast<uintptr_t>(buffers[buffer]->memory);
        memcpy(params.memory + offset, &address, sizeof address);
    }
    if (which >= kernels().size())
        report_failure("no kernel of this number");
    const Kernel &kernel = *kernels()[which];
    check(kernel, grid, block, params.bytes);
    alarm(limit_s);
    run_grid(kernel, grid, block, params.memory, order);
    alarm(0);
    const uint32_t fine = 0;
    write_all(&fine, sizeof fine);
    for (const auto &buffer : buffers)
        write_all(buffer->memory, buffer->bytes);
}

void too_long(int) {
    // From a signal handler, so without the standard library.
    static const char text[] = "the launch takes too long";
    const uint32_t head[2] = {1, sizeof text - 1};
    write_all(head, sizeof head);
    write_all(text, sizeof text - 1);
    _exit(0);
}

} // namespace

void report_failure(const char *message) {
    const uint32_t head[2] = {1, (uint32_t)strlen(message)};
    write_all(head, sizeof head);
    write_all(message, head[1]);
    _exit(0);
}

} // namespace skel_host

int main() {
    using namespace skel_host;
    signal(SIGALRM, too_long);
    const uint32_t hello[2] = {0x6c656b73, (uint32_t)kernels().size()};
    write_all(hello, sizeof hello);
    for (;;)
        launch();
}
