// All that the driver knows. Everything here is guarded by one lock, which is not held while an
// operation runs.
#pragma once
#include "arena.hpp"
#include "server.hpp"
#include "types.hpp"
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

struct Context;
struct Stream;

/// One thing that a device has been asked to do.
struct Op {
    Stream *stream;
    /// What is done, without the lock. Empty for what only marks a place.
    std::function<CUresult()> work;
    /// What must be done before, besides what comes before in the stream.
    std::vector<std::shared_ptr<Op>> after;
    bool running = false, done = false;
    /// If it hangs: when the device gives up.
    double hangs_until_s = 0;
    /// The device's clock at the end.
    uint64_t ended_ns = 0;
};
using OpPtr = std::shared_ptr<Op>;
using Lock = std::unique_lock<std::mutex>;

struct Stream {
    Context *context;
    /// Whether it waits for the context's default stream, and that one for it.
    bool blocking = true;
    bool destroyed = false;
    std::deque<OpPtr> ops;
};

struct Event {
    Context *context;
    bool timed;
    /// The last time it was recorded.
    OpPtr record;
};

struct Module {
    Context *context;
    std::string path;
    std::vector<KernelInfo> kernels;
};

struct Function {
    Module *module;
    KernelInfo info;
};

struct Device {
    int number = 0;
    uint64_t total_bytes = 0;
    Arena memory;
    Server server;
    Context *primary = nullptr;
    int retained = 0;
    /// Something runs on it, without the lock.
    bool busy = false;
    uint64_t clock_ns = 0;
    /// Kernels that it was asked to launch so far.
    uint64_t launches = 0;
    /// Allocations and their addresses that the device's process was not told of yet: for the next launch.
    std::vector<Change> unsent;
};

struct Context {
    Device *device;
    /// An error after which nothing works any more.
    CUresult sticky = CUDA_SUCCESS;
    /// The first one is the default stream.
    std::vector<std::shared_ptr<Stream>> streams;
    std::set<uint64_t> allocations, pinned;
    std::set<Event *> events;
    std::set<Module *> modules;
};

struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool initialized = false;
    std::vector<std::unique_ptr<Device>> devices;
    /// Page-locked memory of ours, and ranges of the program's own that it registered.
    Arena pinned;
    std::map<uint64_t, uint64_t> registered;
    std::set<Context *> contexts;
    std::set<Event *> events;
    std::set<Module *> modules;
    std::set<Function *> functions;
    std::mt19937_64 random;
    uint64_t seed = 0;
    bool eager = false;
    /// Calls so far, so that a later check sees whether there were any.
    uint64_t calls = 0;
};

/// Never destroyed: threads may still be at work when the process ends.
State &state();
/// The value of a variable: as it was set by `skelShimSet`, or in the environment.
std::string setting(const char *name, const char *otherwise);
uint64_t number_setting(const char *name, uint64_t otherwise);
double now_s();

/// The context that is current in this thread, or none; it is not checked that it still exists.
extern thread_local std::vector<Context *> current;

/// What a function of the interface begins with: takes the lock, and looks at what must be.
struct Call {
    enum Needs { nothing, driver, context, healthy };
    explicit Call(Needs needs);
    Lock lock;
    Context *ctx = nullptr;
    CUresult error = CUDA_SUCCESS;
};

/// Takes what `SKEL_SHIM_FAIL` says.
void read_faults();
/// If a fault of this kind is due now, its code, else success. -1 is a hang.
CUresult fault(const char *kind, int device);
enum : CUresult { HANGS = -1 };

/// The context is of no use from now on; nothing that it was asked for happens any more.
void stick(Context &context, CUresult code);
/// The stream of a handle, or null: also those of the default stream's own handles.
Stream *stream_of(Context &context, void *handle);

/// Puts an operation into a stream; it also waits for `before`.
OpPtr enqueue(Stream &stream, std::function<CUresult()> work, Lock &lock,
              double hangs_until_s = 0, const OpPtr &before = nullptr);
/// As `enqueue`, for operations that a fault of this kind may befall.
CUresult submit(Stream &stream, const char *kind, std::function<CUresult()> work, Lock &lock,
                OpPtr *op = nullptr);
/// Runs operations, in an order as unkind as is allowed, until this one is done.
CUresult finish(const OpPtr &op, Lock &lock);
/// Until all of the context's are done.
CUresult finish_all(Context &context, Lock &lock);
/// Perhaps one of those that this one waits for; then whether it is done.
bool poll(const OpPtr &op, Lock &lock);
/// Waits until nothing runs on the device; then the caller may talk to its process, with the lock.
void wait_idle(Device &device, Lock &lock);
/// Begins to do what no thread waits for, when nothing else happens.
void start_progress();

void destroy(Context *context, Lock &lock);
