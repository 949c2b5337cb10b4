// Contexts. There is one per device, its primary one.
#include "state.hpp"

SKEL_API CUresult cuCtxSetCurrent(Context *context) {
    Call call(Call::driver);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (context != nullptr && state().contexts.count(context) == 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!current.empty())
        current.pop_back();
    if (context != nullptr)
        current.push_back(context);
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuCtxGetCurrent(Context **context) {
    Call call(Call::driver);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    *context = current.empty() ? nullptr : current.back();
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuCtxPushCurrent_v2(Context *context) {
    Call call(Call::driver);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (state().contexts.count(context) == 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    current.push_back(context);
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuCtxPopCurrent_v2(Context **context) {
    Call call(Call::driver);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (current.empty())
        return CUDA_ERROR_INVALID_CONTEXT;
    if (context != nullptr)
        *context = current.back();
    current.pop_back();
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuCtxGetDevice(CUdevice *device) {
    Call call(Call::context);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    *device = call.ctx->device->number;
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuCtxGetApiVersion(Context *, unsigned *version) {
    Call call(Call::driver);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    *version = 3020;
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    Call call(Call::context);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (least != nullptr)
        *least = 0;
    if (greatest != nullptr)
        *greatest = -5;
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuCtxSetFlags(unsigned) {
    Call call(Call::context);
    return call.error;
}

SKEL_API CUresult cuCtxSynchronize() {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    const CUresult failed = fault("synchronize", call.ctx->device->number);
    if (failed != CUDA_SUCCESS)
        return failed;
    return finish_all(*call.ctx, call.lock);
}
