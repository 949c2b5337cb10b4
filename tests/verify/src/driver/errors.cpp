// What the driver says about its errors, and where its functions are.
#include "server.hpp"
#include "types.hpp"
#include <dlfcn.h>
#include <string>

namespace {

struct Named {
    CUresult code;
    const char *name, *text;
};
#define SKEL_ERROR(name, text) {CUDA_##name, "CUDA_" #name, text}
const Named errors[] = {
    SKEL_ERROR(SUCCESS, "no error"),
    SKEL_ERROR(ERROR_INVALID_VALUE, "invalid argument"),
    SKEL_ERROR(ERROR_OUT_OF_MEMORY, "out of memory"),
    SKEL_ERROR(ERROR_NOT_INITIALIZED, "initialization error"),
    SKEL_ERROR(ERROR_NO_DEVICE, "no CUDA-capable device is detected"),
    SKEL_ERROR(ERROR_INVALID_DEVICE, "invalid device ordinal"),
    SKEL_ERROR(ERROR_INVALID_IMAGE, "device kernel image is invalid"),
    SKEL_ERROR(ERROR_INVALID_CONTEXT, "invalid device context"),
    SKEL_ERROR(ERROR_NO_BINARY_FOR_GPU, "no kernel image is available for execution on the device"),
    SKEL_ERROR(ERROR_ECC_UNCORRECTABLE, "uncorrectable ECC error encountered"),
    SKEL_ERROR(ERROR_INVALID_PTX, "a PTX JIT compilation failed"),
    SKEL_ERROR(ERROR_OPERATING_SYSTEM, "OS call failed or operation not supported on this OS"),
    SKEL_ERROR(ERROR_INVALID_HANDLE, "invalid resource handle"),
    SKEL_ERROR(ERROR_NOT_FOUND, "named symbol not found"),
    SKEL_ERROR(ERROR_NOT_READY, "device not ready"),
    SKEL_ERROR(ERROR_ILLEGAL_ADDRESS, "an illegal memory access was encountered"),
    SKEL_ERROR(ERROR_LAUNCH_OUT_OF_RESOURCES, "too many resources requested for launch"),
    SKEL_ERROR(ERROR_LAUNCH_TIMEOUT, "the launch timed out and was terminated"),
    SKEL_ERROR(ERROR_ASSERT, "device-side assert triggered"),
    SKEL_ERROR(ERROR_HARDWARE_STACK_ERROR, "hardware stack error"),
    SKEL_ERROR(ERROR_ILLEGAL_INSTRUCTION, "an illegal instruction was encountered"),
    SKEL_ERROR(ERROR_MISALIGNED_ADDRESS, "misaligned address"),
    SKEL_ERROR(ERROR_INVALID_ADDRESS_SPACE, "operation not supported on global/shared address space"),
    SKEL_ERROR(ERROR_INVALID_PC, "invalid program counter"),
    SKEL_ERROR(ERROR_LAUNCH_FAILED, "unspecified launch failure"),
    SKEL_ERROR(ERROR_NOT_SUPPORTED, "operation not supported"),
    SKEL_ERROR(ERROR_UNKNOWN, "unknown error"),
};
#undef SKEL_ERROR

CUresult find(CUresult code, const char *Named::*what, const char **text) {
    for (const Named &error : errors) {
        if (error.code == code) {
            *text = error.*what;
            return CUDA_SUCCESS;
        }
    }
    *text = nullptr;
    return CUDA_ERROR_INVALID_VALUE;
}

} // namespace

SKEL_API CUresult cuGetErrorName(CUresult code, const char **name) {
    return find(code, &Named::name, name);
}
SKEL_API CUresult cuGetErrorString(CUresult code, const char **text) {
    return find(code, &Named::text, text);
}

/// The newest variant of a name, as the real one gives it for a version that is new enough.
SKEL_API CUresult cuGetProcAddress_v2(const char *name, void **function, int, uint64_t, int *status) {
    const std::string self = own_folder() + "/libcuda.so.1";
    void *const library = dlopen(self.c_str(), RTLD_NOW | RTLD_NOLOAD);
    *function = nullptr;
    for (const char *suffix : {"_v2", ""}) {
        *function = dlsym(library, (std::string(name) + suffix).c_str());
        if (*function != nullptr)
            break;
    }
    if (status != nullptr)
        *status = *function == nullptr ? 1 : 0;
    return *function == nullptr ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}
SKEL_API CUresult cuGetProcAddress(const char *name, void **function, int version, uint64_t flags) {
    return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}

SKEL_API CUresult cuProfilerStart() { return CUDA_SUCCESS; }
SKEL_API CUresult cuProfilerStop() { return CUDA_SUCCESS; }
