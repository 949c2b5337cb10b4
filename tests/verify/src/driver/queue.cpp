// When operations run: only when a caller waits, so late, and those that the caller does not need in
// the most adverse order. The seed chooses how:
//
// | seed modulo 3 | what runs when a caller waits |
// |---|---|
// | 0 | what the caller needs, and nothing else |
// | 1 | first all that it does not need, then what it does; the youngest stream first |
// | 2 | whatever may run, by chance |
//
// In the eager mode everything runs at once. What no thread waits for runs after a while all the same.
#include "state.hpp"
#include <algorithm>
#include <chrono>
#include <thread>

namespace {

/// Whether nothing stands before it any more.
bool may_run(const Op &op) {
    if (op.running || op.done || op.stream->context->device->busy)
        return false;
    if (op.hangs_until_s > now_s())
        return false;
    const auto is_done = [](const OpPtr &before) { return before->done; };
    return std::all_of(op.after.begin(), op.after.end(), is_done);
}

/// All that must run before `target` is done, and itself.
std::set<const Op *> needed_for(const OpPtr &target) {
    std::set<const Op *> needed;
    std::vector<OpPtr> open = {target};
    while (!open.empty()) {
        const OpPtr op = open.back();
        open.pop_back();
        if (op->done || !needed.insert(op.get()).second)
            continue;
        open.insert(open.end(), op->after.begin(), op->after.end());
        for (const OpPtr &before : op->stream->ops) {
            if (before == op)
                break;
            open.push_back(before);
        }
    }
    return needed;
}

void run(const OpPtr &op, Lock &lock) {
    Stream &stream = *op->stream;
    Context &context = *stream.context;
    Device &device = *context.device;
    op->running = true;
    CUresult result = CUDA_SUCCESS;
    double took_s = 0;
    if (op->hangs_until_s != 0) {
        result = CUDA_ERROR_LAUNCH_TIMEOUT;
    } else if (op->work) {
        device.busy = true;
        const auto changes = device.memory.changes(device.server.fresh);
        device.server.fresh = false;
        device.unsent.insert(device.unsent.end(), changes.begin(), changes.end());
        lock.unlock();
        const double began_s = now_s();
        result = op->work();
        took_s = now_s() - began_s;
        lock.lock();
        device.busy = false;
    }
    device.clock_ns += number_setting("SKEL_SHIM_OP_NS", 500 + (uint64_t)(took_s * 1e9));
    op->ended_ns = device.clock_ns;
    op->running = false;
    op->done = true;
    op->work = nullptr;
    op->after.clear();
    if (!stream.ops.empty() && stream.ops.front() == op)
        stream.ops.pop_front();
    if (stream.destroyed && stream.ops.empty()) {
        auto &all = context.streams;
        const auto is_it = [&](const std::shared_ptr<Stream> &one) { return one.get() == &stream; };
        all.erase(std::remove_if(all.begin(), all.end(), is_it), all.end());
    }
    if (result != CUDA_SUCCESS)
        stick(context, result);
    state().changed.notify_all();
}

/// One that may run now: of `needed`, or of the context's others where the seed wants it.
OpPtr choose(Context *context, const std::set<const Op *> &needed) {
    State &s = state();
    std::vector<OpPtr> wanted, others;
    for (Context *each : s.contexts) {
        for (auto &stream : each->streams) {
            if (stream->ops.empty() || !may_run(*stream->ops.front()))
                continue;
            const OpPtr &op = stream->ops.front();
            if (needed.count(op.get()) != 0)
                wanted.push_back(op);
            else if (context == nullptr || each == context)
                others.push_back(op);
        }
    }
    if (wanted.empty() && (others.empty() || !needed.empty()) && s.seed % 3 == 0)
        return nullptr;
    switch (s.seed % 3) {
    case 0: return wanted.empty() ? others.back() : wanted.back();
    case 1:
        if (!others.empty())
            return others.back();
        return wanted.empty() ? nullptr : wanted.back();
    default:
        wanted.insert(wanted.end(), others.begin(), others.end());
        return wanted.empty() ? nullptr : wanted[s.random() % wanted.size()];
    }
}

} // namespace

CUresult finish(const OpPtr &op, Lock &lock) {
    if (op == nullptr)
        return CUDA_SUCCESS;
    Context *const context = op->done ? nullptr : op->stream->context;
    while (!op->done) {
        if (op->running) {
            state().changed.wait(lock);
            continue;
        }
        const OpPtr next = choose(context, needed_for(op));
        if (next != nullptr)
            run(next, lock);
        else // another thread is at it, or it hangs
            state().changed.wait_for(lock, std::chrono::milliseconds(20));
    }
    const bool lives = context != nullptr && state().contexts.count(context) != 0;
    return lives ? context->sticky : CUDA_SUCCESS;
}

CUresult finish_all(Context &context, Lock &lock) {
    for (bool any = true; any;) {
        any = false;
        for (size_t k = context.streams.size(); k-- > 0;) {
            if (k >= context.streams.size() || context.streams[k]->ops.empty())
                continue;
            const OpPtr last = context.streams[k]->ops.back();
            any = true;
            const CUresult result = finish(last, lock);
            if (result != CUDA_SUCCESS)
                return result;
        }
    }
    return context.sticky;
}

bool poll(const OpPtr &op, Lock &lock) {
    if (op == nullptr || op->done)
        return true;
    // It is not there at once, but it comes if one keeps asking.
    if (state().random() % 2 == 0) {
        const OpPtr next = choose(op->stream->context, needed_for(op));
        if (next != nullptr)
            run(next, lock);
    }
    return op->done;
}

OpPtr enqueue(Stream &stream, std::function<CUresult()> work, Lock &lock, double hangs_until_s,
              const OpPtr &before) {
    constexpr size_t MOST = 512;
    Context &context = *stream.context;
    const OpPtr op = std::make_shared<Op>();
    op->stream = &stream;
    op->work = std::move(work);
    op->hangs_until_s = hangs_until_s;
    if (before != nullptr)
        op->after.push_back(before);
    Stream &first = *context.streams.front();
    if (&stream == &first) {
        for (auto &other : context.streams)
            if (other.get() != &first && other->blocking && !other->ops.empty())
                op->after.push_back(other->ops.back());
    } else if (stream.blocking && !first.ops.empty()) {
        op->after.push_back(first.ops.back());
    }
    stream.ops.push_back(op);
    if (state().eager && hangs_until_s == 0)
        finish(op, lock);
    else if (stream.ops.size() > MOST)
        finish(stream.ops.front(), lock);
    return op;
}

CUresult submit(Stream &stream, const char *kind, std::function<CUresult()> work, Lock &lock,
                OpPtr *op) {
    const CUresult code = fault(kind, stream.context->device->number);
    if (code != CUDA_SUCCESS && code != HANGS && !is_sticky(code))
        return code;
    if (is_sticky(code))
        work = [code] { return code; };
    const double limit_s = (double)number_setting("SKEL_SHIM_LIMIT_S", 60);
    Context &context = *stream.context;
    const OpPtr queued =
        enqueue(stream, std::move(work), lock, code == HANGS ? now_s() + limit_s : 0);
    if (op != nullptr)
        *op = queued;
    return context.sticky;
}

void wait_idle(Device &device, Lock &lock) {
    while (device.busy)
        state().changed.wait(lock);
}

void start_progress() {
    std::thread([] {
        const auto pause = std::chrono::milliseconds(20);
        uint64_t seen = 0;
        for (;;) {
            std::this_thread::sleep_for(pause);
            State &s = state();
            Lock lock(s.mutex);
            if (s.calls != seen) {
                seen = s.calls;
                continue;
            }
            while (const OpPtr next = choose(nullptr, {})) {
                run(next, lock);
                if (s.calls != seen)
                    break;
            }
        }
    }).detach();
}
