// Memory: of the device, and page-locked on the host.
#include "state.hpp"
#include <stdlib.h>

SKEL_API CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    const Device &device = *call.ctx->device;
    *free_bytes = device.total_bytes - device.memory.used_bytes;
    *total_bytes = device.total_bytes;
    return CUDA_SUCCESS;
}

namespace {

CUresult allocate(Call &call, CUdeviceptr *address, size_t bytes) {
    if (address == nullptr || bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    Device &device = *call.ctx->device;
    const CUresult failed = fault("alloc", device.number);
    if (failed != CUDA_SUCCESS) {
        if (is_sticky(failed))
            stick(*call.ctx, failed);
        return failed;
    }
    if (bytes > device.total_bytes - device.memory.used_bytes)
        return CUDA_ERROR_OUT_OF_MEMORY;
    uint64_t at = 0;
    const CUresult result = device.memory.allocate(bytes, at);
    if (result == CUDA_SUCCESS) {
        call.ctx->allocations.insert(at);
        *address = at;
    }
    return result;
}

} // namespace

SKEL_API CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    return allocate(call, address, bytes);
}

/// Waits for the whole device first, as the real one does in fact.
SKEL_API CUresult cuMemFree_v2(CUdeviceptr address) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (address == 0)
        return CUDA_SUCCESS;
    if (call.ctx->allocations.count(address) == 0)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = finish_all(*call.ctx, call.lock);
    if (result != CUDA_SUCCESS)
        return result;
    wait_idle(*call.ctx->device, call.lock);
    if (call.ctx->allocations.erase(address) == 0)
        return CUDA_ERROR_INVALID_VALUE;
    return call.ctx->device->memory.release(address);
}

SKEL_API CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, void *handle) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (stream_of(*call.ctx, handle) == nullptr)
        return CUDA_ERROR_INVALID_HANDLE;
    return allocate(call, address, bytes);
}

SKEL_API CUresult cuMemFreeAsync(CUdeviceptr address, void *handle) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    Stream *stream = stream_of(*call.ctx, handle);
    if (stream == nullptr)
        return CUDA_ERROR_INVALID_HANDLE;
    if (call.ctx->allocations.count(address) == 0)
        return CUDA_ERROR_INVALID_VALUE;
    Context *context = call.ctx;
    enqueue(*stream, [context, address] {
        Lock lock(state().mutex);
        return context->allocations.erase(address) == 0 ? CUDA_ERROR_INVALID_VALUE
                                                        : context->device->memory.release(address);
    }, call.lock);
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuMemGetAddressRange_v2(CUdeviceptr *begin, size_t *bytes, CUdeviceptr address) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    uint64_t first, all;
    if (!call.ctx->device->memory.find(address, first, all))
        return CUDA_ERROR_NOT_FOUND;
    if (begin != nullptr)
        *begin = first;
    if (bytes != nullptr)
        *bytes = all;
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (memory == nullptr || bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult failed = fault("host_alloc", call.ctx->device->number);
    if (failed != CUDA_SUCCESS)
        return failed;
    if (bytes > number_setting("SKEL_SHIM_PINNED", 4ull << 30) - state().pinned.used_bytes)
        return CUDA_ERROR_OUT_OF_MEMORY;
    uint64_t at = 0;
    const CUresult result = state().pinned.allocate(bytes, at);
    if (result != CUDA_SUCCESS)
        return result;
    call.ctx->pinned.insert(at);
    *memory = reinterpret_cast<void *>(at);
    return CUDA_SUCCESS;
}
SKEL_API CUresult cuMemAllocHost_v2(void **memory, size_t bytes) {
    return cuMemHostAlloc(memory, bytes, 0);
}

SKEL_API CUresult cuMemFreeHost(void *memory) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    const CUresult result = finish_all(*call.ctx, call.lock);
    if (result != CUDA_SUCCESS)
        return result;
    const uint64_t address = reinterpret_cast<uintptr_t>(memory);
    if (call.ctx->pinned.erase(address) == 0)
        return CUDA_ERROR_INVALID_VALUE;
    return state().pinned.release(address);
}

SKEL_API CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *memory, unsigned) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (!state().pinned.holds(reinterpret_cast<uintptr_t>(memory), 1))
        return CUDA_ERROR_INVALID_VALUE;
    *address = reinterpret_cast<uintptr_t>(memory);
    return CUDA_SUCCESS;
}

/// Copies treat it as page-locked from then on; kernels cannot reach it.
SKEL_API CUresult cuMemHostRegister_v2(void *memory, size_t bytes, unsigned) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (memory == nullptr || bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult failed = fault("host_alloc", call.ctx->device->number);
    if (failed != CUDA_SUCCESS)
        return failed;
    state().registered[reinterpret_cast<uintptr_t>(memory)] = bytes;
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuMemHostUnregister(void *memory) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    const CUresult result = finish_all(*call.ctx, call.lock);
    if (result != CUDA_SUCCESS)
        return result;
    const bool was = state().registered.erase(reinterpret_cast<uintptr_t>(memory)) != 0;
    return was ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
