// A device's process, as the driver sees it.
#pragma once
#include "arena.hpp"
#include "wire.hpp"
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

struct KernelInfo {
    struct Parameter {
        uint32_t offset, bytes;
    };
    std::string name;
    uint32_t max_threads = 0, shared_bytes = 0;
    std::vector<Parameter> parameters;
    uint32_t parameter_bytes() const {
        return parameters.empty() ? 0 : parameters.back().offset + parameters.back().bytes;
    }
};

struct LaunchRequest {
    std::string module, kernel, parameters;
    uint32_t grid[3], block[3];
    uint32_t order;
    uint64_t seed;
    uint32_t limit_s;
};

/// It runs kernels in a process of its own, so an access that is not allowed ends only that one.
class Server {
  public:
    ~Server() { stop(); }
    /// Kernels of a module. What is wrong is the answer.
    std::string load(const Arena &device, const Arena &pinned, const std::string &path,
                     std::vector<KernelInfo> &kernels);
    CUresult launch(const std::vector<Change> &changes, const LaunchRequest &request);
    void stop();
    /// Whether it has not been told yet where there is memory.
    bool fresh = true;

  private:
    std::string start(const Arena &device, const Arena &pinned);
    /// Why it ended.
    CUresult died();
    pid_t process = -1;
    int to = -1, from = -1;
    std::unique_ptr<wire::Pipe> pipe;
};

/// The folder of this library, with the program and the headers beside it.
std::string own_folder();
