// A device's process: it has the memory of its device, and runs kernels on it, one after another.
// `wire.hpp` says what goes over the pipes. Whatever is wrong with a kernel ends this process.
//
// Arguments: first address and bytes of the device's memory (file 3), and of page-locked memory of the
// host (file 4).
#include "../shim/block.hpp"
#include "types.hpp"
#include "wire.hpp"
#include <dlfcn.h>
#include <map>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

namespace skel_host {
namespace {

wire::Pipe *driver;
/// By path, the kernels of each module.
std::map<std::string, std::vector<const Kernel *>> modules;

[[noreturn]] void answer_failure(CUresult code, const char *message) {
    driver->put((uint32_t)code);
    driver->put_text(message);
    driver->flush();
    _exit(1);
}

std::string open_module(const std::string &path) {
    if (modules.count(path) != 0)
        return "";
    const size_t before = kernels().size();
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
        return dlerror();
    modules[path].assign(kernels().begin() + (long)before, kernels().end());
    return "";
}

void load() {
    std::string path;
    if (!driver->get_text(path))
        _exit(0);
    driver->put_text(open_module(path));
    const auto &all = modules[path];
    driver->put((uint32_t)all.size());
    for (const Kernel *kernel : all) {
        driver->put_text(kernel->name);
        driver->put((uint32_t)kernel->max_threads);
        driver->put((uint32_t)(kernel->shared_end - kernel->shared_begin));
        driver->put((uint32_t)kernel->parameter_count);
        for (unsigned k = 0; k < kernel->parameter_count; k++) {
            driver->put((uint32_t)kernel->parameters[k].offset);
            driver->put((uint32_t)kernel->parameters[k].bytes);
        }
    }
    driver->flush();
}

void launch() {
    std::string path, name, parameters;
    uint32_t extents[6], order_kind, limit_s;
    Order order;
    bool complete = driver->get_text(path) && driver->get_text(name);
    for (uint32_t &extent : extents)
        complete = complete && driver->get(extent);
    complete = complete && driver->get(order_kind) && driver->get(order.seed) &&
               driver->get(limit_s) && driver->get_text(parameters);
    if (!complete)
        _exit(0);
    order.kind = (Order::Kind)order_kind;
    const std::string wrong = open_module(path);
    const Kernel *found = nullptr;
    for (const Kernel *kernel : modules[path])
        if (name == kernel->name)
            found = kernel;
    if (found == nullptr)
        answer_failure(CUDA_ERROR_LAUNCH_FAILED, wrong.c_str());
    parameters.resize(found->params_bytes);
    // With the alignment of all that may lie in it.
    alignas(64) static char block[4096];
    memcpy(block, parameters.data(), parameters.size());
    alarm(limit_s);
    run_grid(*found, dim3{extents[0], extents[1], extents[2]},
             dim3{extents[3], extents[4], extents[5]}, block, order);
    alarm(0);
    driver->put((uint32_t)CUDA_SUCCESS);
    driver->put_text("");
    driver->flush();
}

void change() {
    uint64_t address, bytes;
    uint32_t open;
    if (!driver->get(address) || !driver->get(bytes) || !driver->get(open))
        _exit(0);
    void *at = reinterpret_cast<void *>(address);
    if (bytes != 0 && mprotect(at, bytes, open ? PROT_READ | PROT_WRITE : PROT_NONE) != 0)
        answer_failure(CUDA_ERROR_OPERATING_SYSTEM, "mprotect");
}

bool map(const char *base, const char *span, int file, int access) {
    const uint64_t at = strtoull(base, nullptr, 10), bytes = strtoull(span, nullptr, 10);
    void *wanted = reinterpret_cast<void *>(at);
    const int flags = MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    return mmap(wanted, bytes, access, flags, file, 0) == wanted;
}

} // namespace

void report_failure(const char *message) { answer_failure(CUDA_ERROR_LAUNCH_FAILED, message); }

} // namespace skel_host

int main(int count, char **arguments) {
    using namespace skel_host;
    if (count != 5 || !map(arguments[1], arguments[2], 3, PROT_NONE) ||
        !map(arguments[3], arguments[4], 4, PROT_READ | PROT_WRITE)) {
        fprintf(stderr, "the device's memory cannot be had at its addresses\n");
        return 1;
    }
    for (int bad : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGALRM})
        signal(bad, SIG_DFL);
    wire::Pipe pipe(STDIN_FILENO, STDOUT_FILENO);
    driver = &pipe;
    for (uint32_t request; pipe.get(request);) {
        switch (request) {
        case wire::change: change(); break;
        case wire::load: load(); break;
        case wire::launch: launch(); break;
        default: return 2;
        }
    }
    return 0;
}
