// The driver and its devices.
#include "state.hpp"
#include <algorithm>
#include <chrono>
#include <stdio.h>
#include <string.h>
#include <thread>

namespace {

/// Addresses that are not hit by chance: far from the heap, the stack and libraries.
constexpr uint64_t DEVICES_BASE = 0x200000000000, PINNED_BASE = 0x100000000000;
constexpr uint64_t SPAN = 64ull << 30;
constexpr uint64_t MEMORY_BYTES = 4ull << 30;

Device *device_of(CUdevice number) {
    auto &devices = state().devices;
    return number >= 0 && (size_t)number < devices.size() ? devices[(size_t)number].get() : nullptr;
}

/// The compute capability, ten times the major number and the minor one.
int capability() { return (int)number_setting("SKEL_SHIM_CAPABILITY", 90); }

CUresult open_all(State &s) {
    const uint64_t count = number_setting("SKEL_SHIM_DEVICES", 1);
    const CUresult pinned = s.pinned.reserve(PINNED_BASE, SPAN, true);
    if (pinned != CUDA_SUCCESS)
        return pinned;
    for (uint64_t k = 0; k < count; k++) {
        auto device = std::make_unique<Device>();
        device->number = (int)k;
        device->total_bytes = number_setting("SKEL_SHIM_MEMORY", MEMORY_BYTES);
        const CUresult memory = device->memory.reserve(DEVICES_BASE + k * SPAN, SPAN, false);
        if (memory != CUDA_SUCCESS)
            return memory;
        s.devices.push_back(std::move(device));
    }
    return CUDA_SUCCESS;
}

int attribute(const Device &device, int which) {
    switch (which) {
    case 1: return 1024;                                // threads in a block
    case 2: case 3: return 1024;                        // its extents
    case 4: return 64;
    case 5: return 0x7fffffff;                          // extents of a grid
    case 6: case 7: return 65535;
    case 8: case 97: return 48 << 10;                   // shared memory of a block
    case 9: return 64 << 10;                            // constant memory
    case 10: return 32;                                 // threads in a warp
    case 11: return 0x7fffffff;                         // pitch
    case 12: case 82: return 64 << 10;                  // registers
    case 13: case 36: return 1000000;                   // clocks in kHz
    case 14: return 512;                                // alignment of textures
    case 15: case 19: case 31: return 1;                // overlap, mapped memory, concurrent kernels
    case 16: return (int)number_setting("SKEL_SHIM_MULTIPROCESSORS", 4);
    case 33: return device.number + 1;                  // on the bus
    case 34: case 50: return 0;
    case 37: return 256;                                // bus width
    case 38: return 4 << 20;                            // L2 cache
    case 39: return 2048;                               // threads of a multiprocessor
    case 40: return 2;                                  // copy engines
    case 41: return 1;                                  // unified addresses
    case 75: return capability() / 10;
    case 76: return capability() % 10;
    case 78: return 1;                                  // priorities of streams
    case 81: return 100 << 10;                          // shared memory of a multiprocessor
    case 106: return 16;                                // blocks of a multiprocessor
    case 115: return 1;                                 // memory in the order of streams
    default: return 0;
    }
}

} // namespace

SKEL_API CUresult cuInit(unsigned flags) {
    Call call(Call::nothing);
    State &s = state();
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    static const bool read = (read_faults(), true);
    (void)read;
    const CUresult failed = fault("init", -1);
    if ((int)failed == -1) {
        call.lock.unlock();
        for (;;)
            std::this_thread::sleep_for(std::chrono::hours(1));
    }
    if (failed != CUDA_SUCCESS)
        return failed;
    if (!s.initialized) {
        s.seed = number_setting("SKEL_SHIM_SEED", 0);
        s.random.seed(s.seed);
        s.eager = setting("SKEL_SHIM_EAGER", "0") != "0";
        if (number_setting("SKEL_SHIM_DEVICES", 1) == 0)
            return CUDA_ERROR_NO_DEVICE;
        const CUresult opened = open_all(s);
        if (opened != CUDA_SUCCESS)
            return opened;
        s.initialized = true;
        start_progress();
    }
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuDriverGetVersion(int *version) {
    if (version == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *version = (int)number_setting("SKEL_SHIM_VERSION", 12080);
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuDeviceGetCount(int *count) {
    Call call(Call::driver);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    *count = (int)state().devices.size();
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuDeviceGet(CUdevice *device, int number) {
    Call call(Call::driver);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (device_of(number) == nullptr)
        return CUDA_ERROR_INVALID_DEVICE;
    *device = number;
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuDeviceGetName(char *name, int bytes, CUdevice device) {
    Call call(Call::driver);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (device_of(device) == nullptr)
        return CUDA_ERROR_INVALID_DEVICE;
    if (name == nullptr || bytes <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    snprintf(name, (size_t)bytes, "%s", setting("SKEL_SHIM_NAME", "CUDA on the CPU").c_str());
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
    Call call(Call::driver);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    const Device *d = device_of(device);
    if (d == nullptr)
        return CUDA_ERROR_INVALID_DEVICE;
    *bytes = d->total_bytes;
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuDeviceGetAttribute(int *value, int which, CUdevice device) {
    Call call(Call::driver);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    const Device *d = device_of(device);
    if (d == nullptr)
        return CUDA_ERROR_INVALID_DEVICE;
    if (value == nullptr || which <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    *value = attribute(*d, which);
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
    const CUresult first = cuDeviceGetAttribute(major, 75, device);
    return first == CUDA_SUCCESS ? cuDeviceGetAttribute(minor, 76, device) : first;
}

SKEL_API CUresult cuDeviceGetUuid(unsigned char *uuid, CUdevice device) {
    Call call(Call::driver);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (device_of(device) == nullptr)
        return CUDA_ERROR_INVALID_DEVICE;
    memcpy(uuid, "skel on the CPU", 15);
    uuid[15] = (unsigned char)device;
    return CUDA_SUCCESS;
}
SKEL_API CUresult cuDeviceGetUuid_v2(unsigned char *uuid, CUdevice device) {
    return cuDeviceGetUuid(uuid, device);
}

SKEL_API CUresult cuDeviceGetPCIBusId(char *text, int bytes, CUdevice device) {
    Call call(Call::driver);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (device_of(device) == nullptr)
        return CUDA_ERROR_INVALID_DEVICE;
    if (text == nullptr || bytes < 13)
        return CUDA_ERROR_INVALID_VALUE;
    const std::string first = setting("SKEL_SHIM_PCI", "");
    if (first.empty() || device > 0)
        snprintf(text, (size_t)bytes, "0000:%02x:00.0", (unsigned)device + 1);
    else
        snprintf(text, (size_t)bytes, "%s", first.c_str());
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
    Call call(Call::driver);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (device_of(device) == nullptr || device_of(peer) == nullptr)
        return CUDA_ERROR_INVALID_DEVICE;
    *can = 0;
    return CUDA_SUCCESS;
}

/// Retained as often as it is released; the first makes it, the last destroys it.
SKEL_API CUresult cuDevicePrimaryCtxRetain(Context **context, CUdevice device) {
    Call call(Call::driver);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    Device *d = device_of(device);
    if (d == nullptr)
        return CUDA_ERROR_INVALID_DEVICE;
    const CUresult failed = fault("context", device);
    if (failed != CUDA_SUCCESS)
        return failed;
    if (d->primary == nullptr) {
        d->primary = new Context{d, CUDA_SUCCESS, {}, {}, {}, {}, {}};
        d->primary->streams.push_back(std::make_shared<Stream>());
        d->primary->streams[0]->context = d->primary;
        state().contexts.insert(d->primary);
    }
    d->retained++;
    *context = d->primary;
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
    Call call(Call::driver);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    Device *d = device_of(device);
    if (d == nullptr)
        return CUDA_ERROR_INVALID_DEVICE;
    if (d->primary != nullptr)
        destroy(d->primary, call.lock);
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
    Call call(Call::driver);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    Device *d = device_of(device);
    if (d == nullptr)
        return CUDA_ERROR_INVALID_DEVICE;
    if (d->retained == 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (--d->retained == 0 && d->primary != nullptr)
        destroy(d->primary, call.lock);
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned) {
    Call call(Call::driver);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    return device_of(device) == nullptr ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

SKEL_API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
    Call call(Call::driver);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    const Device *d = device_of(device);
    if (d == nullptr)
        return CUDA_ERROR_INVALID_DEVICE;
    *flags = 0;
    *active = d->primary != nullptr;
    return CUDA_SUCCESS;
}
