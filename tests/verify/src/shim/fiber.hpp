// A thread that is resumed and suspended by hand, on a stack of its own.
#pragma once
#ifdef SKEL_NO_SANITIZERS
#define __sanitizer_start_switch_fiber(shadow, stack, bytes) (void)(shadow)
#define __sanitizer_finish_switch_fiber(shadow, stack, bytes) (void)(shadow)
#else
#include <sanitizer/common_interface_defs.h>
#endif
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#if !defined(__x86_64__) || defined(SKEL_UCONTEXT)
#include <ucontext.h>
#define SKEL_PORTABLE_SWITCH 1
#endif

namespace skel_host {

/// Where a suspended flow of control goes on.
class Context {
  public:
    /// Suspends the running one here, and goes on there.
    void switch_to(Context &there);
    /// What switching here for the first time calls, on the given stack; it must not return.
    void begin(char *stack, size_t bytes, void (*entry)());

  private:
#ifdef SKEL_PORTABLE_SWITCH
    ucontext_t registers;
#else
    void *top = nullptr;
#endif
};

#ifdef SKEL_PORTABLE_SWITCH
inline void Context::switch_to(Context &there) { swapcontext(&registers, &there.registers); }
inline void Context::begin(char *stack, size_t bytes, void (*entry)()) {
    getcontext(&registers);
    registers.uc_stack.ss_sp = stack;
    registers.uc_stack.ss_size = bytes;
    registers.uc_link = nullptr;
    makecontext(&registers, entry, 0);
}
#else
// swapcontext asks the kernel for the signal mask each time, and a block of 256 threads with ten
// barriers switches 5,000 times.
extern "C" void skel_switch(void **suspended, void *resumed);
asm(R"(
.text
.type skel_switch, @function
skel_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size skel_switch, . - skel_switch
)");
inline void Context::switch_to(Context &there) { skel_switch(&top, there.top); }
inline void Context::begin(char *stack, size_t bytes, void (*entry)()) {
    // Six registers, the address to return to, and one word so that the stack is aligned as after a
    // call.
    void **words = reinterpret_cast<void **>(stack + bytes) - 8;
    for (int k = 0; k < 8; k++)
        words[k] = nullptr;
    words[6] = reinterpret_cast<void *>(entry);
    top = words;
}
#endif

/// The flow of control that began with `main`, which resumes the others.
struct Main {
    Context context;
    const void *stack = nullptr;
    size_t bytes = 0;
};

/// One of the others. They are never freed: the next block uses them again.
class Fiber {
  public:
    /// `entry` is called at the first resumption and must not return.
    explicit Fiber(void (*entry)()) {
        const size_t page = (size_t)sysconf(_SC_PAGESIZE);
        char *pages = static_cast<char *>(mmap(nullptr, STACK_BYTES + page, PROT_READ | PROT_WRITE,
                                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        // The lowest page stays closed, so that running over the end is seen.
        if (pages == MAP_FAILED || mprotect(pages, page, PROT_NONE) != 0)
            _exit(3);
        stack = pages + page;
        context.begin(stack, STACK_BYTES, entry);
    }

    /// From `Main`: goes on with it until it suspends itself. AddressSanitizer wants to be told which
    /// stack is in use.
    void resume(Main &from) {
        void *shadow = nullptr;
        __sanitizer_start_switch_fiber(&shadow, stack, STACK_BYTES);
        from.context.switch_to(context);
        __sanitizer_finish_switch_fiber(shadow, nullptr, nullptr);
    }

    /// From the fiber: goes on in `Main`.
    void suspend(Main &to) {
        void *shadow = nullptr;
        __sanitizer_start_switch_fiber(&shadow, to.stack, to.bytes);
        context.switch_to(to.context);
        __sanitizer_finish_switch_fiber(shadow, &to.stack, &to.bytes);
    }

    /// The first thing that the entry does.
    static void began(Main &from) {
        (void)from; // where there are no sanitizers
        __sanitizer_finish_switch_fiber(nullptr, &from.stack, &from.bytes);
    }

  private:
    static constexpr size_t STACK_BYTES = 256 * 1024;
    Context context;
    char *stack;
};

} // namespace skel_host
