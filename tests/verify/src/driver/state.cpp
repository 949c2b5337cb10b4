#include "state.hpp"
#include <algorithm>
#include <chrono>
#include <sstream>
#include <stdlib.h>
#include <string.h>

namespace {

/// Settings have a lock of their own: they are also read before there is a driver.
std::mutex settings_mutex;
std::map<std::string, std::string> &settings() {
    static auto *all = new std::map<std::string, std::string>;
    return *all;
}

/// The n-th operation of a kind fails.
struct Fault {
    std::string kind;
    int device;
    uint64_t left;
    CUresult code;
};
std::vector<Fault> &faults() {
    static auto *all = new std::vector<Fault>;
    return *all;
}

} // namespace

thread_local std::vector<Context *> current;

State &state() {
    static State *the = new State;
    return *the;
}

std::string setting(const char *name, const char *otherwise) {
    std::lock_guard<std::mutex> lock(settings_mutex);
    const auto found = settings().find(name);
    if (found != settings().end())
        return found->second;
    const char *value = getenv(name);
    return value == nullptr || *value == 0 ? otherwise : value;
}

uint64_t number_setting(const char *name, uint64_t otherwise) {
    const std::string text = setting(name, "");
    return text.empty() ? otherwise : strtoull(text.c_str(), nullptr, 0);
}

double now_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Sets a variable for this process, before or after the driver's start; null takes it back. The seed
/// and the mode count from now on, what devices there are from the start.
SKEL_API void skelShimSet(const char *name, const char *value) {
    {
        std::lock_guard<std::mutex> lock(settings_mutex);
        if (value == nullptr)
            settings().erase(name);
        else
            settings()[name] = value;
    }
    State &s = state();
    Lock lock(s.mutex);
    s.seed = number_setting("SKEL_SHIM_SEED", 0);
    s.random.seed(s.seed);
    s.eager = setting("SKEL_SHIM_EAGER", "0") != "0";
}

/// How many kernels a device was asked to launch so far.
SKEL_API uint64_t skelShimLaunches(int device) {
    std::lock_guard<std::mutex> lock(state().mutex);
    for (const auto &each : state().devices)
        if (each->number == device)
            return each->launches;
    return 0;
}

/// From now on the n-th operation of a kind (1 is the next one) on a device (-1: on any) fails with a
/// code, or hangs, which is code -1. All faults that are left are taken back where `kind` is null.
SKEL_API void skelShimFail(int device, const char *kind, uint64_t n, int code) {
    Lock lock(state().mutex);
    if (kind == nullptr)
        faults().clear();
    else
        faults().push_back(Fault{kind, device, n, code});
}

void read_faults() {
    std::string all = setting("SKEL_SHIM_FAIL", "");
    std::replace(all.begin(), all.end(), ':', ' ');
    std::replace(all.begin(), all.end(), ',', ' ');
    std::istringstream words(all);
    Fault fault{"", -1, 0, CUDA_SUCCESS};
    while (words >> fault.kind >> fault.left >> fault.code)
        faults().push_back(fault);
}

CUresult fault(const char *kind, int device) {
    CUresult code = CUDA_SUCCESS;
    for (size_t k = 0; k < faults().size();) {
        Fault &f = faults()[k];
        const bool due = f.kind == kind && (f.device < 0 || f.device == device) && --f.left == 0;
        if (due) {
            code = f.code;
            faults().erase(faults().begin() + (long)k);
        } else {
            k++;
        }
    }
    return code;
}

Call::Call(Needs needs) : lock(state().mutex) {
    State &s = state();
    s.calls++;
    if (needs >= driver && !s.initialized)
        error = CUDA_ERROR_NOT_INITIALIZED;
    if (error != CUDA_SUCCESS || needs < context)
        return;
    ctx = current.empty() ? nullptr : current.back();
    if (ctx == nullptr || s.contexts.count(ctx) == 0)
        error = CUDA_ERROR_INVALID_CONTEXT;
    else if (needs >= healthy)
        error = ctx->sticky;
}

Stream *stream_of(Context &context, void *handle) {
    // Null and 1 are the default stream. 2 would be one per thread.
    if (reinterpret_cast<uintptr_t>(handle) < 2)
        return context.streams.front().get();
    for (size_t k = 1; k < context.streams.size(); k++)
        if (context.streams[k].get() == handle && !context.streams[k]->destroyed)
            return context.streams[k].get();
    return nullptr;
}

void stick(Context &context, CUresult code) {
    if (context.sticky == CUDA_SUCCESS)
        context.sticky = code;
    for (auto &stream : context.streams) {
        for (auto &op : stream->ops) {
            if (op->running)
                continue;
            op->done = true;
            op->work = nullptr;
            op->after.clear();
        }
        const auto is_done = [](const OpPtr &op) { return op->done; };
        auto &ops = stream->ops;
        ops.erase(std::remove_if(ops.begin(), ops.end(), is_done), ops.end());
    }
    state().changed.notify_all();
}

void destroy(Context *context, Lock &lock) {
    if (context->sticky == CUDA_SUCCESS)
        finish_all(*context, lock);
    wait_idle(*context->device, lock);
    State &s = state();
    // Copies that other threads still hold of its operations see that nothing will come of them.
    stick(*context, CUDA_ERROR_INVALID_CONTEXT);
    for (uint64_t address : context->allocations)
        context->device->memory.release(address);
    for (uint64_t address : context->pinned)
        s.pinned.release(address);
    for (Event *event : context->events) {
        s.events.erase(event);
        delete event;
    }
    for (Module *module : context->modules) {
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
        delete module;
    }
    s.contexts.erase(context);
    if (context->device->primary == context)
        context->device->primary = nullptr;
    delete context;
}
