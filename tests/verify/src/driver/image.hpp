// From a source to something that a device's process can load: what NVRTC does and the driver's own
// compiler.
#pragma once
#include <string>

struct Image {
    /// `ptx` or `cubin`, and for which capability.
    std::string kind;
    int capability = 0;
    std::string name, source;
    /// Of the text that it was made from.
    size_t text_bytes = 0;

    /// Text with a sum over it, so that what is damaged is seen.
    std::string to_text() const;
    /// False where it is none.
    bool from_text(const char *text);
};

/// The path of a library with the kernels of a source; empty, and why in `log`, if it does not compile.
/// What has been compiled is there for good.
std::string compile(const std::string &name, const std::string &source, std::string &log);
