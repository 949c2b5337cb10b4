// NVRTC's interface: "compiles" a source with g++, so that what is wrong with it is in the log, and
// gives an image that the driver beside it loads.
#include "image.hpp"
#include "types.hpp"
#include <string.h>
#include <vector>

namespace {

enum Result {
    success = 0,
    invalid_input = 3,
    invalid_program = 4,
    invalid_option = 5,
    compilation = 6
};

struct Program {
    Image image;
    std::string log, output;
};

constexpr int CAPABILITIES[] = {75, 80, 86, 89, 90, 100, 120};

bool begins(const std::string &text, const char *with) { return text.rfind(with, 0) == 0; }

/// Takes the target from the options; the first one that is none.
const char *take_options(Image &image, const std::vector<std::string> &options) {
    static const char *const known[] = {"--fmad=", "--ftz=", "--prec-div=", "--prec-sqrt=", "--std=",
                                        "--use_fast_math", "-lineinfo", "--generate-line-info",
                                        "--extra-device-vectorization", "-default-device"};
    image.kind = "ptx";
    image.capability = 75;
    for (const std::string &option : options) {
        bool fine = false;
        for (const char *each : known)
            fine = fine || begins(option, each);
        for (const char *name : {"--gpu-architecture=", "-arch="}) {
            if (!begins(option, name))
                continue;
            const std::string target = option.substr(strlen(name));
            const size_t number = target.find('_') + 1;
            image.kind = begins(target, "sm_") ? "cubin" : "ptx";
            image.capability = atoi(target.c_str() + number);
            for (int each : CAPABILITIES)
                fine = fine || each == image.capability;
        }
        if (!fine)
            return option.c_str();
    }
    return nullptr;
}

Result give(const std::string &text, char *to) {
    memcpy(to, text.c_str(), text.size() + 1);
    return success;
}
Result give_size(const std::string &text, size_t *bytes) {
    *bytes = text.size() + 1;
    return success;
}
const std::string NOTHING;
const std::string &output(const Program *program, const char *kind) {
    return program->image.kind == kind ? program->output : NOTHING;
}

} // namespace

/// A version that no real one has, so that no real one takes what this one has compiled for its own.
SKEL_API int nvrtcVersion(int *major, int *minor) {
    *major = 12;
    *minor = 900;
    return success;
}

SKEL_API const char *nvrtcGetErrorString(int result) {
    switch (result) {
    case success: return "NVRTC_SUCCESS";
    case invalid_input: return "NVRTC_ERROR_INVALID_INPUT";
    case invalid_program: return "NVRTC_ERROR_INVALID_PROGRAM";
    case invalid_option: return "NVRTC_ERROR_INVALID_OPTION";
    case compilation: return "NVRTC_ERROR_COMPILATION";
    default: return "NVRTC_ERROR unknown";
    }
}

SKEL_API int nvrtcGetNumSupportedArchs(int *count) {
    *count = sizeof CAPABILITIES / sizeof *CAPABILITIES;
    return success;
}
SKEL_API int nvrtcGetSupportedArchs(int *all) {
    memcpy(all, CAPABILITIES, sizeof CAPABILITIES);
    return success;
}

SKEL_API int nvrtcCreateProgram(Program **program, const char *source, const char *name, int headers,
                                const char *const *, const char *const *) {
    if (program == nullptr || source == nullptr || headers != 0)
        return invalid_input;
    *program = new Program;
    (*program)->image.source = source;
    (*program)->image.name = name == nullptr ? "default_program" : name;
    return success;
}

SKEL_API int nvrtcDestroyProgram(Program **program) {
    if (program == nullptr || *program == nullptr)
        return invalid_program;
    delete *program;
    *program = nullptr;
    return success;
}

SKEL_API int nvrtcCompileProgram(Program *program, int count, const char *const *options) {
    if (program == nullptr)
        return invalid_program;
    const std::vector<std::string> all(options, options + count);
    if (const char *wrong = take_options(program->image, all)) {
        program->log = std::string("nvrtc: error: invalid value or option ") + wrong;
        return invalid_option;
    }
    Image &image = program->image;
    if (compile(image.name, image.source, program->log).empty())
        return compilation;
    program->output = image.to_text();
    return success;
}

SKEL_API int nvrtcGetProgramLogSize(Program *program, size_t *bytes) {
    return program == nullptr ? invalid_program : give_size(program->log, bytes);
}
SKEL_API int nvrtcGetProgramLog(Program *program, char *to) {
    return program == nullptr ? invalid_program : give(program->log, to);
}
SKEL_API int nvrtcGetPTXSize(Program *program, size_t *bytes) {
    return program == nullptr ? invalid_program : give_size(output(program, "ptx"), bytes);
}
SKEL_API int nvrtcGetPTX(Program *program, char *to) {
    return program == nullptr ? invalid_program : give(output(program, "ptx"), to);
}
SKEL_API int nvrtcGetCUBINSize(Program *program, size_t *bytes) {
    return program == nullptr ? invalid_program : give_size(output(program, "cubin"), bytes);
}
SKEL_API int nvrtcGetCUBIN(Program *program, char *to) {
    return program == nullptr ? invalid_program : give(output(program, "cubin"), to);
}
