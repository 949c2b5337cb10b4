// Threads as fibers. Blocks run one after another; in a block a thread runs until it must wait for
// others. Which one comes next is the order's choice, so a race shows in one order or another.
//
// A block whose threads do nothing but look whether another block has come further makes room for
// others; up to RESIDENT of them are begun at a time, and take turns. Where blocks are interleaved, a thread
// may make its block leave wherever it touches what other blocks may see, and which block comes next is left to
// chance: so a block meets others at any place between two of these.
#include <algorithm>
#include <deque>
#include <memory>
#include <numeric>
#include <random>
#include <stdio.h>
#include <string>
#include <vector>

#include "block.hpp"
#include "fiber.hpp"

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace skel_host {
namespace {

enum class State { ready, pauses, at_barrier, in_warp, ended };

struct Thread {
    State state;
    uint3 index;
    /// The one that it is suspended in, or none if it has not begun.
    Fiber *fiber;
    /// Where it waits.
    int line;
    /// What it waits for in its warp, and what it gets.
    Collective what;
    unsigned mask;
    int source;
    uint64_t value;
};

/// As many blocks are begun at a time: a device does not promise more either.
constexpr size_t RESIDENT = 64;
/// As often all threads of a block pause, and nothing else, before another block gets its turn.
constexpr unsigned PATIENCE = 8;
/// One time of so many, a block leaves where it may.
constexpr unsigned STAYS = 3;

struct Block {
    uint3 index;
    std::vector<Thread> threads;
    /// Of `__shared__` memory, while another block runs.
    std::vector<char> shared;
};

// The grid that runs. There is one at a time, and `threadIdx` is global as well.
const Kernel *kernel;
const void *arguments;
/// Those of the block that runs.
std::vector<Thread> threads;
std::vector<unsigned> sequence;
size_t at;
unsigned running;
/// Counts what threads do but pausing, and meeting their warps: a warp may look together.
uint64_t moves;
/// Where blocks are interleaved: what decides, and whether the running block is to leave now.
std::mt19937_64 chance;
bool leaves;
/// How many threads wait in their warps: mostly none, and then they are not checked.
uint64_t in_warps;
Main scheduler;
std::vector<std::unique_ptr<Fiber>> all_fibers;
std::vector<Fiber *> idle_fibers;
Fiber *running_fiber;

std::string place(unsigned number) {
    const uint3 &i = threads[number].index;
    char text[96];
    snprintf(text, sizeof text, "thread (%u,%u,%u) of block (%u,%u,%u)", i.x, i.y, i.z, blockIdx.x,
             blockIdx.y, blockIdx.z);
    return text;
}

const char *name(Collective what) {
    switch (what) {
    case Collective::sync: return "__syncwarp";
    case Collective::ballot: return "a vote";
    case Collective::shuffle: return "a shuffle";
    }
    return "";
}

std::string doing(unsigned number) {
    const Thread &t = threads[number];
    const std::string line = " in line " + std::to_string(t.line);
    switch (t.state) {
    case State::ready: return "runs";
    case State::pauses: return "pauses";
    case State::at_barrier: return "waits at __syncthreads" + line;
    case State::in_warp: return std::string("waits for ") + name(t.what) + line;
    case State::ended: return "has ended";
    }
    return "";
}

[[noreturn]] void disagree(const char *about, unsigned a, unsigned b) {
    fail((std::string(about) + ": " + place(a) + " " + doing(a) + ", but " + place(b) + " " +
          doing(b))
             .c_str());
}

/// Whether the thread at `number` can begin or go on now; it becomes the running one.
bool take(unsigned number) {
    const State state = threads[number].state;
    if (state != State::ready && state != State::pauses)
        return false;
    running = number;
    threadIdx = threads[number].index;
    return true;
}

/// Lets the threads of the warp go on that wait for the same, if none is missing.
void meet_warp(unsigned number) {
    const Thread &first = threads[number];
    const unsigned base = number / 32 * 32;
    const unsigned end = std::min<unsigned>(base + 32, threads.size());
    const auto named = [&](unsigned k) { return (first.mask >> (k - base) & 1) != 0; };
    for (unsigned k = base; k < end; k++) {
        const Thread &t = threads[k];
        if (!named(k) || t.state == State::ended)
            continue;
        if (t.state != State::in_warp)
            return;
        if (t.mask == first.mask && t.what == first.what)
            continue;
        // It may go on with others first, and come here later, if it does not wait for this one.
        if ((t.mask >> (number - base) & 1) != 0)
            disagree("threads of a warp want different things", number, k);
        return;
    }
    const auto takes_part = [&](unsigned k) {
        return k < end && named(k) && threads[k].state == State::in_warp;
    };
    uint64_t results[32] = {};
    unsigned votes = 0;
    for (unsigned k = base; k < end; k++)
        if (takes_part(k) && threads[k].value != 0)
            votes |= 1u << (k - base);
    for (unsigned k = base; k < end; k++) {
        if (!takes_part(k))
            continue;
        const unsigned source = base + ((unsigned)threads[k].source & 31);
        // The value of a lane that takes no part is undefined.
        const uint64_t shuffled = takes_part(source) ? threads[source].value : 0xcbcbcbcbcbcbcbcb;
        results[k - base] = first.what == Collective::shuffle ? shuffled : votes;
    }
    const unsigned mask = first.mask;
    for (unsigned k = base; k < end; k++) {
        if ((mask >> (k - base) & 1) == 0 || threads[k].state == State::ended)
            continue;
        threads[k].value = results[k - base];
        threads[k].state = State::ready;
        in_warps--;
    }
}

/// What the fibers do: threads, one after another, until one must wait in the middle.
void work() {
    Fiber::began(scheduler);
    for (;;) {
        Fiber *const mine = running_fiber;
        const unsigned number = running;
        kernel->run(arguments);
        moves++;
        threads[number].state = State::ended;
        threads[number].fiber = nullptr;
        // Those of its warp that wait may have waited only for this one.
        const unsigned base = number / 32 * 32;
        const unsigned end = in_warps == 0 ? base : std::min<unsigned>(base + 32, threads.size());
        for (unsigned k = base; k < end; k++)
            if (threads[k].state == State::in_warp && (threads[k].mask >> (number - base) & 1) != 0)
                meet_warp(k);
        // Without a switch, if the next one has not begun yet.
        if (at < sequence.size() && threads[sequence[at]].fiber == nullptr && take(sequence[at])) {
            at++;
            continue;
        }
        idle_fibers.push_back(mine);
        mine->suspend(scheduler);
    }
}

/// The running thread waits until another one makes it ready.
void wait() {
    const unsigned me = running;
    Fiber *const mine = running_fiber;
    threads[me].fiber = mine;
    mine->suspend(scheduler);
}

Fiber *idle_fiber() {
    if (idle_fibers.empty()) {
        all_fibers.push_back(std::make_unique<Fiber>(work));
        return all_fibers.back().get();
    }
    Fiber *fiber = idle_fibers.back();
    idle_fibers.pop_back();
    return fiber;
}

/// Everyone has ended, or waits: lets those at the barrier pass, if they are all and at the same one.
/// False when the block is done.
bool pass_barrier() {
    const auto waits = [](const Thread &t) { return t.state != State::ended; };
    const auto first = std::find_if(threads.begin(), threads.end(), waits);
    if (first == threads.end())
        return false;
    // Which barrier it is matters: the condition around one must be the same for all threads.
    const auto elsewhere = [&](const Thread &t) {
        return t.state != first->state || t.line != first->line;
    };
    const auto other = std::find_if(threads.begin(), threads.end(), elsewhere);
    if (other != threads.end() || first->state != State::at_barrier)
        disagree("threads do not meet", first - threads.begin(),
                 (other == threads.end() ? first : other) - threads.begin());
    for (Thread &t : threads)
        t.state = State::ready;
    return true;
}

// By hand, since these also touch the sanitizer's red zones between the variables.
__attribute__((no_sanitize("address"))) void poison_shared(unsigned char with) {
    for (volatile char *byte = kernel->shared_begin; byte != kernel->shared_end; byte++)
        *byte = (char)with;
}
__attribute__((no_sanitize("address"))) void save_shared(std::vector<char> &to) {
    to.clear();
    for (volatile char *byte = kernel->shared_begin; byte != kernel->shared_end; byte++)
        to.push_back((char)*byte);
}
__attribute__((no_sanitize("address"))) void restore_shared(const std::vector<char> &from) {
    volatile char *byte = kernel->shared_begin;
    for (char saved : from)
        *byte++ = saved;
}

void begin_block(dim3 block, Order order) {
    size_t number = 0;
    for (unsigned z = 0; z < block.z; z++)
        for (unsigned y = 0; y < block.y; y++)
            for (unsigned x = 0; x < block.x; x++)
                threads[number++] = Thread{State::ready, {x, y, z}, nullptr, 0, Collective::sync, 0,
                                           0, 0};
    static const unsigned char poisons[] = {0xcb, 0x35, 0xff};
    poison_shared(poisons[order.kind % 3]);
}

/// Runs the block's threads until all have ended, or all pause: then false.
bool go_on(Order order, std::mt19937_64 &random) {
    unsigned patience = PATIENCE;
    for (;;) {
        if (order.kind >= Order::shuffled)
            std::shuffle(sequence.begin(), sequence.end(), random);
        bool any = false;
        const uint64_t before = moves;
        at = 0;
        while (at < sequence.size()) {
            if (!take(sequence[at++]))
                continue;
            any = true;
            running_fiber = threads[running].fiber ? threads[running].fiber : idle_fiber();
            running_fiber->resume(scheduler);
            if (leaves) {
                leaves = false;
                return false;
            }
        }
        // A thread that was passed over may have been made ready since.
        if (!any && !pass_barrier())
            return true;
        patience = moves == before && any ? patience - 1 : PATIENCE;
        if (patience == 0)
            return false;
    }
}

/// Makes room for another block.
Block put_away() {
    Block block{blockIdx, std::move(threads), {}};
    save_shared(block.shared);
    threads.assign(block.threads.size(), Thread());
    return block;
}

void take_up(Block &block) {
    blockIdx = block.index;
    threads = std::move(block.threads);
    restore_shared(block.shared);
}

} // namespace

void fail(const char *message) { report_failure(message); }

void barrier(int line) {
    moves++;
    threads[running].state = State::at_barrier;
    threads[running].line = line;
    wait();
}

int lane() { return (int)(running % 32); }

void pause() {
    threads[running].state = State::pauses;
    wait();
}

unsigned touches;
bool interleaves;

void maybe_leave() {
    if (chance() % STAYS != 0)
        return;
    leaves = true;
    pause();
}

uint64_t collective(Collective what, unsigned mask, uint64_t value, int source, int line) {
    const unsigned me = running;
    Thread &t = threads[me];
    t.state = State::in_warp;
    in_warps++;
    t.what = what;
    t.mask = mask;
    t.value = value;
    t.source = source;
    t.line = line;
    if ((mask >> (me % 32) & 1) == 0)
        fail((place(me) + " " + doing(me) + " with a mask that does not name it").c_str());
    meet_warp(me);
    if (threads[me].state == State::in_warp)
        wait();
    return threads[me].value;
}

std::vector<const Kernel *> &kernels() {
    static std::vector<const Kernel *> all;
    return all;
}

Kernel::Kernel(unsigned number, const char *name, void (*run)(const void *), unsigned params_bytes,
               unsigned max_threads, char *shared_begin, char *shared_end,
               const Parameter *parameters, unsigned parameter_count)
    : number(number == ~0u ? (unsigned)kernels().size() : number), name(name), run(run),
      params_bytes(params_bytes), max_threads(max_threads), shared_begin(shared_begin),
      shared_end(shared_end), parameters(parameters), parameter_count(parameter_count) {
    if (kernels().size() <= this->number)
        kernels().resize(this->number + 1);
    kernels()[this->number] = this;
}

void run_grid(const Kernel &which, dim3 grid, dim3 block_extents, const void *params,
              Order order) {
    kernel = &which;
    arguments = params;
    gridDim = grid;
    blockDim = block_extents;
    const size_t in_block = (size_t)block_extents.x * block_extents.y * block_extents.z;
    threads.resize(in_block);
    sequence.resize(in_block);
    std::iota(sequence.begin(), sequence.end(), 0u);
    if (order.kind == Order::descending)
        std::reverse(sequence.begin(), sequence.end());
    std::mt19937_64 random(order.seed);
    std::vector<size_t> blocks((size_t)grid.x * grid.y * grid.z);
    std::iota(blocks.begin(), blocks.end(), size_t(0));
    if (order.kind == Order::descending)
        std::reverse(blocks.begin(), blocks.end());
    interleaves = order.kind == Order::interleaved;
    chance.seed(order.seed);
    leaves = false;
    if (order.kind >= Order::shuffled)
        std::shuffle(blocks.begin(), blocks.end(), random);
    const auto place_of = [&](size_t b) {
        return uint3{unsigned(b % grid.x), unsigned(b / grid.x % grid.y),
                     unsigned(b / grid.x / grid.y)};
    };
    // Those that have begun and wait for others, the one that has waited longest first.
    std::deque<Block> waiting;
    size_t next = 0;
    while (next < blocks.size() || !waiting.empty()) {
        const bool may_begin = next < blocks.size() && waiting.size() < RESIDENT;
        if (interleaves && !waiting.empty() && (!may_begin || chance() % 2 == 0)) {
            const size_t lucky = chance() % waiting.size();
            Block block = std::move(waiting[lucky]);
            waiting.erase(waiting.begin() + (ptrdiff_t)lucky);
            take_up(block);
        } else if (may_begin) {
            blockIdx = place_of(blocks[next++]);
            begin_block(block_extents, order);
        } else {
            take_up(waiting.front());
            waiting.pop_front();
        }
        if (!go_on(order, random))
            waiting.push_back(put_away());
    }
}

} // namespace skel_host
