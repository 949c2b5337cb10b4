// Streams and events, as the interface has them; `queue.cpp` has what they do.
#include "state.hpp"
#include <algorithm>

SKEL_API CUresult cuStreamCreateWithPriority(void **handle, unsigned flags, int) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (handle == nullptr || flags > 1)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult failed = fault("stream", call.ctx->device->number);
    if (failed != CUDA_SUCCESS)
        return failed;
    auto stream = std::make_shared<Stream>();
    stream->context = call.ctx;
    stream->blocking = flags == 0;
    call.ctx->streams.push_back(stream);
    *handle = stream.get();
    return CUDA_SUCCESS;
}
SKEL_API CUresult cuStreamCreate(void **handle, unsigned flags) {
    return cuStreamCreateWithPriority(handle, flags, 0);
}

/// What is in it is done all the same.
SKEL_API CUresult cuStreamDestroy_v2(void *handle) {
    Call call(Call::context);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    Stream *stream = stream_of(*call.ctx, handle);
    auto &all = call.ctx->streams;
    if (stream == nullptr || stream == all.front().get())
        return CUDA_ERROR_INVALID_HANDLE;
    stream->destroyed = true;
    if (stream->ops.empty())
        all.erase(std::find_if(all.begin(), all.end(), [&](auto &one) { return one.get() == stream; }));
    return call.ctx->sticky;
}

namespace {

/// Something that the stream has not done yet, or null. The default stream stands for all that wait
/// for it.
OpPtr left_in(Context &context, Stream &stream) {
    const bool is_default = &stream == context.streams.front().get();
    for (auto &each : context.streams) {
        const bool counts = is_default ? each->blocking : each.get() == &stream;
        if (counts && !each->ops.empty())
            return each->ops.back();
    }
    return nullptr;
}

} // namespace

SKEL_API CUresult cuStreamSynchronize(void *handle) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    Stream *stream = stream_of(*call.ctx, handle);
    if (stream == nullptr)
        return CUDA_ERROR_INVALID_HANDLE;
    const CUresult failed = fault("synchronize", call.ctx->device->number);
    if (failed != CUDA_SUCCESS)
        return failed;
    if (stream == call.ctx->streams.front().get())
        return finish(enqueue(*stream, nullptr, call.lock), call.lock);
    return finish(left_in(*call.ctx, *stream), call.lock);
}

SKEL_API CUresult cuStreamQuery(void *handle) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    Stream *stream = stream_of(*call.ctx, handle);
    if (stream == nullptr)
        return CUDA_ERROR_INVALID_HANDLE;
    poll(left_in(*call.ctx, *stream), call.lock);
    if (call.ctx->sticky != CUDA_SUCCESS)
        return call.ctx->sticky;
    return left_in(*call.ctx, *stream) == nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

SKEL_API CUresult cuLaunchHostFunc(void *handle, void (*function)(void *), void *argument) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    Stream *stream = stream_of(*call.ctx, handle);
    if (stream == nullptr || function == nullptr)
        return stream == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    enqueue(*stream, [=] {
        function(argument);
        return CUDA_SUCCESS;
    }, call.lock);
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuEventCreate(Event **handle, unsigned flags) {
    Call call(Call::healthy);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    const CUresult failed = fault("event", call.ctx->device->number);
    if (failed != CUDA_SUCCESS)
        return failed;
    if (handle == nullptr || flags > 7)
        return CUDA_ERROR_INVALID_VALUE;
    Event *event = new Event{call.ctx, (flags & 2) == 0, nullptr};
    state().events.insert(event);
    call.ctx->events.insert(event);
    *handle = event;
    return CUDA_SUCCESS;
}

SKEL_API CUresult cuEventDestroy_v2(Event *event) {
    Call call(Call::driver);
    if (call.error != CUDA_SUCCESS)
        return call.error;
    if (state().events.erase(event) == 0)
        return CUDA_ERROR_INVALID_HANDLE;
    event->context->events.erase(event);
    delete event;
    return CUDA_SUCCESS;
}

namespace {

/// What all functions of events look at first.
CUresult check(const Call &call, Event *event) {
    if (call.error != CUDA_SUCCESS)
        return call.error;
    return state().events.count(event) == 0 ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

} // namespace

SKEL_API CUresult cuEventRecord(Event *event, void *handle) {
    Call call(Call::healthy);
    const CUresult wrong = check(call, event);
    if (wrong != CUDA_SUCCESS)
        return wrong;
    Stream *stream = stream_of(*call.ctx, handle);
    if (stream == nullptr || event->context != call.ctx)
        return CUDA_ERROR_INVALID_HANDLE;
    Context &context = *call.ctx;
    const OpPtr record = enqueue(*stream, nullptr, call.lock);
    // Others may have had the lock meanwhile.
    if (state().events.count(event) != 0)
        event->record = record;
    return context.sticky;
}
SKEL_API CUresult cuEventRecordWithFlags(Event *event, void *handle, unsigned) {
    return cuEventRecord(event, handle);
}

/// The stream's next operations come after what the event has recorded so far; nothing, if it never
/// was. The event may belong to another device.
SKEL_API CUresult cuStreamWaitEvent(void *handle, Event *event, unsigned flags) {
    Call call(Call::healthy);
    const CUresult wrong = check(call, event);
    if (wrong != CUDA_SUCCESS)
        return wrong;
    Stream *stream = stream_of(*call.ctx, handle);
    if (stream == nullptr || flags > 1)
        return stream == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    if (event->record == nullptr || event->record->done)
        return CUDA_SUCCESS;
    const OpPtr before = event->record;
    enqueue(*stream, nullptr, call.lock, 0, before);
    return call.ctx->sticky;
}

SKEL_API CUresult cuEventSynchronize(Event *event) {
    Call call(Call::healthy);
    const CUresult wrong = check(call, event);
    if (wrong != CUDA_SUCCESS)
        return wrong;
    const CUresult failed = fault("synchronize", call.ctx->device->number);
    if (failed != CUDA_SUCCESS)
        return failed;
    const OpPtr record = event->record;
    return finish(record, call.lock);
}

SKEL_API CUresult cuEventQuery(Event *event) {
    Call call(Call::healthy);
    const CUresult wrong = check(call, event);
    if (wrong != CUDA_SUCCESS)
        return wrong;
    const OpPtr record = event->record;
    const bool done = poll(record, call.lock);
    if (call.ctx->sticky != CUDA_SUCCESS)
        return call.ctx->sticky;
    return done ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

/// By the device's clock, which runs while the device works.
SKEL_API CUresult cuEventElapsedTime_v2(float *ms, Event *begin, Event *end) {
    Call call(Call::healthy);
    for (Event *event : {begin, end}) {
        const CUresult wrong = check(call, event);
        if (wrong != CUDA_SUCCESS)
            return wrong;
        if (!event->timed || event->record == nullptr)
            return CUDA_ERROR_INVALID_HANDLE;
    }
    if (!begin->record->done || !end->record->done)
        return CUDA_ERROR_NOT_READY;
    const int64_t ns = (int64_t)(end->record->ended_ns - begin->record->ended_ns);
    *ms = (float)((double)ns / 1e6);
    return CUDA_SUCCESS;
}
SKEL_API CUresult cuEventElapsedTime(float *ms, Event *begin, Event *end) {
    return cuEventElapsedTime_v2(ms, begin, end);
}
