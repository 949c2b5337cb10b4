// What goes between the driver and a device's process, over two pipes.
//
// A request is a `Request`, then what belongs to it:
//   change: u64 address, u64 bytes, u32 whether kernels may touch it from now on. No answer.
//   load:   the path of a module. Answer: text, empty if all is well; u32 kernels; of each the name,
//           u32 greatest number of threads, u32 bytes of shared memory, u32 parameters; of each
//           u32 offset, u32 bytes.
//   launch: text path, text kernel, u32 grid[3], u32 block[3], u32 order, u64 seed, u32 seconds,
//           text parameters. Answer: u32 result, text what was wrong.
// A text is its length, u32, and its bytes. All numbers are the machine's own.
#pragma once
#include <stdint.h>
#include <string>
#include <unistd.h>

namespace wire {

enum Request : uint32_t { change = 1, load = 2, launch = 3 };

class Pipe {
  public:
    Pipe(int in, int out) : in(in), out(out) {}

    /// Collects what `flush` sends.
    template <typename T> void put(T value) {
        const char *bytes = reinterpret_cast<const char *>(&value);
        unsent.append(bytes, sizeof value);
    }
    void put_text(const std::string &text) {
        put((uint32_t)text.size());
        unsent += text;
    }
    bool flush() {
        const char *at = unsent.data();
        size_t left = unsent.size();
        while (left > 0) {
            const ssize_t n = write(out, at, left);
            if (n <= 0)
                return false;
            at += n;
            left -= (size_t)n;
        }
        unsent.clear();
        return true;
    }

    bool get_bytes(void *to, size_t bytes) {
        char *at = static_cast<char *>(to);
        while (bytes > 0) {
            const ssize_t n = read(in, at, bytes);
            if (n <= 0)
                return false;
            at += n;
            bytes -= (size_t)n;
        }
        return true;
    }
    template <typename T> bool get(T &value) { return get_bytes(&value, sizeof value); }
    bool get_text(std::string &text) {
        uint32_t bytes;
        if (!get(bytes))
            return false;
        text.resize(bytes);
        return get_bytes(text.data(), bytes);
    }

  private:
    int in, out;
    std::string unsent;
};

} // namespace wire
