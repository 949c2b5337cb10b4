#include "server.hpp"
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>

extern char **environ;

std::string own_folder() {
    Dl_info about;
    if (dladdr(reinterpret_cast<void *>(&own_folder), &about) == 0)
        return ".";
    const std::string path = about.dli_fname;
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::string Server::start(const Arena &device, const Arena &pinned) {
    if (process >= 0)
        return "";
    int request[2], answer[2];
    if (pipe2(request, O_CLOEXEC) != 0 || pipe2(answer, O_CLOEXEC) != 0)
        return "no pipes";
    // Out of the way of the numbers that they get in the new process.
    const int in = fcntl(request[0], F_DUPFD_CLOEXEC, 16);
    const int out = fcntl(answer[1], F_DUPFD_CLOEXEC, 16);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_adddup2(&actions, device.file, 3);
    posix_spawn_file_actions_adddup2(&actions, pinned.file, 4);
    std::string arguments[] = {own_folder() + "/device", std::to_string(device.base),
                               std::to_string(device.span), std::to_string(pinned.base),
                               std::to_string(pinned.span)};
    char *argv[6] = {};
    for (int k = 0; k < 5; k++)
        argv[k] = arguments[k].data();
    const int failed = posix_spawn(&process, argv[0], &actions, nullptr, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    for (int file : {request[0], answer[1], in, out})
        close(file);
    to = request[1];
    from = answer[0];
    if (failed != 0) {
        process = -1;
        stop();
        return arguments[0] + " does not start";
    }
    pipe = std::make_unique<wire::Pipe>(from, to);
    fresh = true;
    return "";
}

void Server::stop() {
    for (int *file : {&to, &from}) {
        if (*file >= 0)
            close(*file);
        *file = -1;
    }
    if (process >= 0) {
        kill(process, SIGKILL);
        waitpid(process, nullptr, 0);
    }
    process = -1;
    pipe.reset();
}

CUresult Server::died() {
    int status = 0;
    close(to);
    to = -1;
    const bool known = process >= 0 && waitpid(process, &status, 0) == process;
    process = -1;
    stop();
    if (!known || !WIFSIGNALED(status))
        return CUDA_ERROR_LAUNCH_FAILED;
    switch (WTERMSIG(status)) {
    case SIGSEGV:
    case SIGBUS: return CUDA_ERROR_ILLEGAL_ADDRESS;
    case SIGALRM: return CUDA_ERROR_LAUNCH_TIMEOUT;
    // What g++ puts behind an access that is not aligned, see `build.rs`.
    case SIGILL: return CUDA_ERROR_MISALIGNED_ADDRESS;
    default: return CUDA_ERROR_LAUNCH_FAILED;
    }
}

std::string Server::load(const Arena &device, const Arena &pinned, const std::string &path,
                         std::vector<KernelInfo> &kernels) {
    const std::string failed = start(device, pinned);
    if (!failed.empty())
        return failed;
    pipe->put((uint32_t)wire::load);
    pipe->put_text(path);
    std::string message;
    uint32_t count;
    if (!pipe->flush() || !pipe->get_text(message) || !pipe->get(count)) {
        died();
        return "the device's process ended";
    }
    for (uint32_t k = 0; k < count; k++) {
        KernelInfo kernel;
        uint32_t parameters = 0;
        pipe->get_text(kernel.name);
        pipe->get(kernel.max_threads);
        pipe->get(kernel.shared_bytes);
        pipe->get(parameters);
        kernel.parameters.resize(parameters);
        for (auto &parameter : kernel.parameters) {
            pipe->get(parameter.offset);
            pipe->get(parameter.bytes);
        }
        kernels.push_back(kernel);
    }
    return message;
}

CUresult Server::launch(const std::vector<Change> &changes, const LaunchRequest &launch) {
    if (process < 0)
        return CUDA_ERROR_LAUNCH_FAILED;
    for (const Change &change : changes) {
        pipe->put((uint32_t)wire::change);
        pipe->put(change.address);
        pipe->put(change.bytes);
        pipe->put(change.open);
    }
    pipe->put((uint32_t)wire::launch);
    pipe->put_text(launch.module);
    pipe->put_text(launch.kernel);
    for (uint32_t extent : launch.grid)
        pipe->put(extent);
    for (uint32_t extent : launch.block)
        pipe->put(extent);
    pipe->put(launch.order);
    pipe->put(launch.seed);
    pipe->put(launch.limit_s);
    pipe->put_text(launch.parameters);
    uint32_t result;
    std::string message;
    if (!pipe->flush() || !pipe->get(result) || !pipe->get_text(message)) {
        const CUresult code = died();
        fprintf(stderr, "CUDA on the CPU: kernel %s: error %d\n", launch.kernel.c_str(), code);
        return code;
    }
    if (result != CUDA_SUCCESS) {
        fprintf(stderr, "CUDA on the CPU: kernel %s: %s\n", launch.kernel.c_str(), message.c_str());
        died();
    }
    return (CUresult)result;
}
