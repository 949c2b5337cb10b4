// Modules, functions, launches.
#include "image.hpp"
#include "state.hpp"
#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdio.h>
#include <string.h>

namespace {

/// What a block may have of it.
constexpr uint32_t SHARED_BYTES = 48 << 10;

int capability() { return (int)number_setting("SKEL_SHIM_CAPABILITY", 90); }

CUresult load(Call &call, Module **module, const char *text) {
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (module == nullptr || text == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    Context &context = *call.ctx;
    Device &device = *context.device;
    const CUresult failed = fault("module", device.number);
    if (failed != CUDA_SUCCESS)
        return failed;
    Image image;
    if (!image.from_text(text))
        return CUDA_ERROR_INVALID_IMAGE;
    const bool is_of_another_kind =
        image.capability / 10 != capability() / 10 || image.capability > capability();
    if (image.kind == "cubin" && is_of_another_kind)
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    // Only machine code knows its own length.
    const bool is_whole = image.kind == "cubin" || text[image.text_bytes] == 0;
    if (image.capability > capability() || !is_whole)
        return CUDA_ERROR_INVALID_PTX;
    // As long as g++ runs, others may go on.
    call.lock.unlock();
    std::string log;
    const std::string path = compile(image.name, image.source, log);
    call.lock.lock();
    if (path.empty()) {
        fprintf(stderr, "CUDA on the CPU: %s\n", log.c_str());
        return CUDA_ERROR_INVALID_PTX;
    }
    wait_idle(device, call.lock);
    if (state().contexts.count(&context) == 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    auto fresh = std::make_unique<Module>(Module{&context, path, {}});
    const std::string wrong = device.server.load(device.memory, state().pinned, path, fresh->kernels);
    if (!wrong.empty()) {
        fprintf(stderr, "CUDA on the CPU: %s\n", wrong.c_str());
        return CUDA_ERROR_INVALID_IMAGE;
    }
    for (const KernelInfo &kernel : fresh->kernels)
        if (kernel.shared_bytes > SHARED_BYTES || kernel.parameter_bytes() > 4096)
            return CUDA_ERROR_INVALID_PTX;
    *module = fresh.release();
    state().modules.insert(*module);
    context.modules.insert(*module);
    return CUDA_SUCCESS;
}

bool is_known(Function *function) { return state().functions.count(function) != 0; }

/// The parameters as they lie in one block of memory; false where there are none.
bool gather(const KernelInfo &kernel, void **parameters, void **extra, std::string &block) {
    block.assign(kernel.parameter_bytes(), 0);
    if (parameters != nullptr) {
        for (size_t k = 0; k < kernel.parameters.size(); k++) {
            const auto [offset, bytes] = kernel.parameters[k];
            memcpy(block.data() + offset, parameters[k], bytes);
        }
        return true;
    }
    const void *buffer = nullptr;
    size_t bytes = 0;
    // Names and values by turns: 0 is the end, 1 the buffer, 2 where its size stands.
    for (; extra != nullptr && *extra != nullptr; extra += 2) {
        if (reinterpret_cast<uintptr_t>(*extra) == 1)
            buffer = extra[1];
        else
            bytes = *static_cast<size_t *>(extra[1]);
    }
    if (bytes < block.size() || (buffer == nullptr && !block.empty()))
        return false;
    if (!block.empty())
        memcpy(block.data(), buffer, block.size());
    return true;
}

} // namespace

SKEL_API CUresult cuModuleLoadData(Module **module, const void *image) {
    Call call(Call::healthy);
    return load(call, module, static_cast<const char *>(image));
}
SKEL_API CUresult cuModuleLoadDataEx(Module **module, const void *image, unsigned, int *, void **) {
    return cuModuleLoadData(module, image);
}
SKEL_API CUresult cuModuleLoad(Module **module, const char *path) {
    Call call(Call::healthy);
    std::ifstream file(path, std::ios::binary);
    if (call.error == CUDA_SUCCESS && !file)
        return 301;
    std::ostringstream text;
    text << file.rdbuf();
    return load(call, module, text.str().c_str());
}

SKEL_API CUresult cuModuleUnload(Module *module) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    State &s = state();
    if (s.modules.count(module) == 0)
        return CUDA_ERROR_INVALID_HANDLE;
    // What is still queued has the path, so this need not wait.
    for (auto at = s.functions.begin(); at != s.functions.end();) {
        Function *function = *at;
        if (function->module == module) {
            at = s.functions.erase(at);
            delete function;
        } else {
            at++;
        }
    }
    s.modules.erase(module);
    module->context->modules.erase(module);
    delete module;
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuModuleGetFunction(Function **function, Module *module, const char *name) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (state().modules.count(module) == 0)
        return CUDA_ERROR_INVALID_HANDLE;
    for (const KernelInfo &kernel : module->kernels) {
        if (kernel.name != name)
            continue;
        *function = new Function{module, kernel};
        state().functions.insert(*function);
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_FOUND;
}

SKEL_API CUresult cuModuleGetGlobal_v2(CUdeviceptr *, size_t *, Module *, const char *) {
    Call call(Call::healthy);
    return call.error == CUDA_SUCCESS ? CUDA_ERROR_NOT_FOUND : call.error;
}

/// How many threads a block can have: what its bounds say, or fewer, as if it needed many registers.
static uint64_t most_threads(const KernelInfo &kernel) {
    const uint64_t bounds = kernel.max_threads == 0 ? 1024 : kernel.max_threads;
    return std::min<uint64_t>(bounds, number_setting("SKEL_SHIM_MAX_THREADS", 1024));
}

SKEL_API CUresult cuFuncGetAttribute(int *value, int which, Function *function) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (!is_known(function))
        return CUDA_ERROR_INVALID_HANDLE;
    const KernelInfo &kernel = function->info;
    switch (which) {
    case 0: *value = (int)most_threads(kernel); break;
    case 1: *value = (int)kernel.shared_bytes; break;
    case 4: *value = 32; break;
    case 5: case 6: *value = capability(); break;
    case 8: *value = (int)(SHARED_BYTES - kernel.shared_bytes); break;
    case 2: case 3: case 7: case 9: *value = 0; break;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuFuncSetAttribute(Function *function, int, int) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    return is_known(function) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
SKEL_API CUresult cuFuncSetCacheConfig(Function *function, int) {
    return cuFuncSetAttribute(function, 0, 0);
}

SKEL_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Function *function,
                                                              int threads, size_t dynamic_bytes) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (!is_known(function) || threads <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    const size_t shared = function->info.shared_bytes + dynamic_bytes;
    const size_t by_shared = shared == 0 ? 16 : (100u << 10) / shared;
    *blocks = threads > 1024 ? 0 : (int)std::min<size_t>({16, (size_t)(2048 / threads), by_shared});
    return CUDA_SUCCESS;
}
SKEL_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, Function *function, int threads, size_t dynamic_bytes, unsigned) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, dynamic_bytes);
}

SKEL_API CUresult cuLaunchKernel(Function *function, unsigned grid_x, unsigned grid_y,
                                 unsigned grid_z, unsigned block_x, unsigned block_y,
                                 unsigned block_z, unsigned shared_bytes, void *handle,
                                 void **parameters, void **extra) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    Stream *stream = stream_of(*call.ctx, handle);
    if (stream == nullptr || !is_known(function) || function->module->context != call.ctx)
        return CUDA_ERROR_INVALID_HANDLE;
    const KernelInfo &kernel = function->info;
    const uint64_t threads = (uint64_t)block_x * block_y * block_z;
    if (grid_x == 0 || grid_y == 0 || grid_z == 0 || threads == 0 || threads > 1024 ||
        block_z > 64 || grid_x > 0x7fffffff || grid_y > 65535 || grid_z > 65535)
        return CUDA_ERROR_INVALID_VALUE;
    if (threads > most_threads(kernel))
        return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    if (shared_bytes != 0)
        return CUDA_ERROR_NOT_SUPPORTED;
    State &s = state();
    LaunchRequest request{function->module->path, kernel.name, "", {grid_x, grid_y, grid_z},
                          {block_x, block_y, block_z}, s.eager ? 0 : (uint32_t)(s.random() % 4),
                          s.random(), (uint32_t)number_setting("SKEL_SHIM_LIMIT_S", 60)};
    if (!gather(kernel, parameters, extra, request.parameters))
        return CUDA_ERROR_INVALID_VALUE;
    Device *device = call.ctx->device;
    device->launches++;
    const auto work = [device, request] {
        std::vector<Change> changes;
        changes.swap(device->unsent);
        return device->server.launch(changes, request);
    };
    return submit(*stream, "launch", work, call.lock);
}
