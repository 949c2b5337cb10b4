// Copies. Those to and from the device begin when they run: memory of the host that is page-locked is
// read and written only then; other memory is read at once, and written before the call returns.
#include "state.hpp"
#include <string.h>

namespace {

bool is_pinned(const void *memory, size_t bytes) {
    const uint64_t at = reinterpret_cast<uintptr_t>(memory);
    if (state().pinned.holds(at, bytes))
        return true;
    const auto after = state().registered.upper_bound(at);
    if (after == state().registered.begin())
        return false;
    const auto [begin, length] = *std::prev(after);
    return at - begin < length && bytes <= length - (at - begin);
}

/// Where the driver itself has a device's memory, if all of it has been allocated there.
char *view(CUdeviceptr address, size_t bytes) {
    for (auto &device : state().devices)
        if (device->memory.holds(address, bytes))
            return device->memory.view(address);
    if (state().pinned.holds(address, bytes))
        return state().pinned.view(address);
    return nullptr;
}

struct Copy {
    Call call{Call::healthy};
    CUresult error;
    Stream *stream = nullptr;
    Copy(void *handle) : error(call.error) {
        if (error == CUDA_SUCCESS && (stream = stream_of(*call.ctx, handle)) == nullptr)
            error = CUDA_ERROR_INVALID_HANDLE;
    }

    CUresult submit_move(const char *kind, char *to, const char *from, size_t bytes, bool waits) {
        OpPtr op;
        const auto move = [=] {
            memmove(to, from, bytes);
            return CUDA_SUCCESS;
        };
        const CUresult result = submit(*stream, kind, move, call.lock, &op);
        return result == CUDA_SUCCESS && waits ? finish(op, call.lock) : result;
    }

    CUresult to_device(CUdeviceptr to, const void *from, size_t bytes, bool waits) {
        if (error != CUDA_SUCCESS || bytes == 0)
            return error;
        char *const at = view(to, bytes);
        if (at == nullptr || from == nullptr)
            return CUDA_ERROR_INVALID_VALUE;
        const char *const source = static_cast<const char *>(from);
        if (is_pinned(from, bytes))
            return submit_move("h2d", at, source, bytes, waits);
        // What has been staged need not have arrived.
        auto staged = std::make_shared<std::vector<char>>(source, source + bytes);
        const auto move = [=] {
            memcpy(at, staged->data(), bytes);
            return CUDA_SUCCESS;
        };
        return submit(*stream, "h2d", move, call.lock);
    }

    CUresult to_host(void *to, CUdeviceptr from, size_t bytes, bool waits) {
        if (error != CUDA_SUCCESS || bytes == 0)
            return error;
        const char *const at = view(from, bytes);
        if (at == nullptr || to == nullptr)
            return CUDA_ERROR_INVALID_VALUE;
        waits = waits || !is_pinned(to, bytes);
        return submit_move("d2h", static_cast<char *>(to), at, bytes, waits);
    }

    CUresult on_device(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
        if (error != CUDA_SUCCESS || bytes == 0)
            return error;
        char *const target = view(to, bytes);
        const char *const source = view(from, bytes);
        if (target == nullptr || source == nullptr)
            return CUDA_ERROR_INVALID_VALUE;
        return submit_move("d2d", target, source, bytes, false);
    }

    /// `count` times the lowest bytes of `value`.
    CUresult set(CUdeviceptr to, uint32_t value, size_t bytes, size_t count) {
        if (error != CUDA_SUCCESS || count == 0)
            return error;
        char *const at = view(to, bytes * count);
        if (at == nullptr || to % bytes != 0)
            return CUDA_ERROR_INVALID_VALUE;
        const auto fill = [=] {
            for (size_t k = 0; k < count; k++)
                memcpy(at + k * bytes, &value, bytes);
            return CUDA_SUCCESS;
        };
        return submit(*stream, "memset", fill, call.lock);
    }
};

} // namespace

SKEL_API CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
    return Copy(nullptr).to_device(to, from, bytes, true);
}
SKEL_API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, void *stream) {
    return Copy(stream).to_device(to, from, bytes, false);
}
SKEL_API CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
    return Copy(nullptr).to_host(to, from, bytes, true);
}
SKEL_API CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, void *stream) {
    return Copy(stream).to_host(to, from, bytes, false);
}
SKEL_API CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    return Copy(nullptr).on_device(to, from, bytes);
}
SKEL_API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, void *stream) {
    return Copy(stream).on_device(to, from, bytes);
}
SKEL_API CUresult cuMemcpyPeerAsync(CUdeviceptr to, Context *, CUdeviceptr from, Context *,
                                    size_t bytes, void *stream) {
    return Copy(stream).on_device(to, from, bytes);
}

SKEL_API CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
    return Copy(nullptr).set(to, value, 1, count);
}
SKEL_API CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, void *stream) {
    return Copy(stream).set(to, value, 1, count);
}
SKEL_API CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count) {
    return Copy(nullptr).set(to, value, 2, count);
}
SKEL_API CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, void *stream) {
    return Copy(stream).set(to, value, 2, count);
}
SKEL_API CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) {
    return Copy(nullptr).set(to, value, 4, count);
}
SKEL_API CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, void *stream) {
    return Copy(stream).set(to, value, 4, count);
}
