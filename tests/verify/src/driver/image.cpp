#include "image.hpp"
#include "server.hpp"
#include <atomic>
#include <fcntl.h>
#include <fstream>
#include <signal.h>
#include <spawn.h>
#include <sstream>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <vector>

extern char **environ;

namespace {

const char MAGIC[] = "// skel: CUDA for the CPU, ";

/// FNV-1a.
uint64_t hash(const std::string &text, uint64_t basis) {
    for (unsigned char byte : text)
        basis = (basis ^ byte) * 0x100000001b3u;
    return basis;
}

std::string hex(uint64_t value) {
    char text[17];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)value);
    return text;
}

/// Comments as blanks, line by line what it was.
std::string without_comments(const std::string &source) {
    std::string text = source;
    for (size_t k = 0; k + 1 < text.size(); k++) {
        if (text[k] != '/' || (text[k + 1] != '/' && text[k + 1] != '*'))
            continue;
        const bool is_line = text[k + 1] == '/';
        size_t end = is_line ? text.find('\n', k) : text.find("*/", k + 2);
        end = end == std::string::npos ? text.size() : is_line ? end : end + 2;
        for (; k < end; k++)
            if (text[k] != '\n')
                text[k] = ' ';
    }
    return text;
}

/// From an opening parenthesis to behind the closing one.
size_t behind_parentheses(const std::string &text, size_t at) {
    int depth = 0;
    for (; at < text.size(); at++) {
        depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
        if (depth == 0)
            return at + 1;
    }
    return at;
}

struct Entry {
    std::string name, bounds;
};

/// The kernels that a module exports by their plain names: those that are `extern "C"`.
std::vector<Entry> entries(const std::string &text) {
    static const std::string global = "__global__", bounds = "__launch_bounds__", c = "extern \"C\"";
    std::vector<Entry> all;
    for (size_t at = text.find(global); at != std::string::npos; at = text.find(global, at + 1)) {
        const size_t before = text.find_last_not_of(" \t\n", at - 1);
        const bool is_c = at > 0 && before != std::string::npos && before + 1 >= c.size() &&
                          text.compare(before + 1 - c.size(), c.size(), c) == 0;
        if (!is_c)
            continue;
        Entry entry;
        entry.bounds = "0";
        size_t here = at + global.size();
        size_t open = text.find('(', here);
        const size_t bound = text.find(bounds, here);
        if (bound != std::string::npos && bound < open) {
            here = behind_parentheses(text, open);
            std::string inside = text.substr(open + 1, here - open - 2);
            int depth = 0;
            for (size_t k = 0; k < inside.size(); k++) {
                depth += inside[k] == '(' ? 1 : inside[k] == ')' ? -1 : 0;
                if (inside[k] == ',' && depth == 0)
                    inside.resize(k);
            }
            entry.bounds = inside;
            open = text.find('(', here);
        }
        if (open == std::string::npos)
            break;
        const size_t last = text.find_last_not_of(" \t\n", open - 1);
        const size_t first = text.find_last_of(" \t\n*", last) + 1;
        entry.name = text.substr(first, last + 1 - first);
        all.push_back(entry);
    }
    return all;
}

std::string wrap(const std::string &name, const std::string &source, const std::string &bare) {
    std::ostringstream text;
    // The linker defines these two, if there is anything between them.
    text << "#include \"cuda_host.hpp\"\n"
            "#include \"entry.hpp\"\n"
            "extern \"C\" { extern char __start_skel_shared_0[] __attribute__((weak)), "
            "__stop_skel_shared_0[] __attribute__((weak)); }\n"
            "#undef __shared__\n"
            "#define __shared__ static __attribute__((section(\"skel_shared_0\")))\n"
            "#line 1 \""
         << name << "\"\n"
         << source << "\n#line 1 \"after " << name << "\"\n";
    for (const Entry &entry : entries(bare))
        text << "static skel_host::Entry<&" << entry.name << "> skel_entry_" << entry.name << "(\""
             << entry.name << "\", " << entry.bounds
             << ", __start_skel_shared_0, __stop_skel_shared_0);\n";
    return text.str();
}

std::string read_file(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The words of a file, which say how everything here is compiled.
std::vector<std::string> flags() {
    std::istringstream words(read_file(own_folder() + "/flags"));
    std::vector<std::string> all;
    for (std::string word; words >> word;)
        all.push_back(word);
    return all;
}

/// Whether g++ was content; what it said goes to a file.
bool run_compiler(const std::vector<std::string> &arguments, const std::string &log) {
    std::vector<char *> argv;
    for (const std::string &argument : arguments)
        argv.push_back(const_cast<char *>(argument.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 2, log.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0644);
    pid_t process;
    const int failed = posix_spawnp(&process, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 1;
    return failed == 0 && waitpid(process, &status, 0) == process && status == 0;
}

} // namespace

std::string Image::to_text() const {
    std::ostringstream body;
    body << kind << ' ' << capability << ' ' << name.size() << ' ' << source.size() << '\n'
         << name << source;
    return MAGIC + hex(hash(body.str(), 0xcbf29ce484222325u)) + '\n' + body.str();
}

bool Image::from_text(const char *text) {
    const size_t magic = sizeof MAGIC - 1, sum = 16, most = 100;
    if (strncmp(text, MAGIC, magic) != 0 || strnlen(text + magic, sum + 1) <= sum)
        return false;
    const char *const head = text + magic + sum + 1;
    const char *const line = static_cast<const char *>(memchr(head, '\n', strnlen(head, most)));
    if (line == nullptr)
        return false;
    std::istringstream words(std::string(head, line));
    size_t name_bytes, source_bytes;
    words >> kind >> capability >> name_bytes >> source_bytes;
    // Both are text, so an end that comes too early shows.
    if (!words || strnlen(line + 1, name_bytes + source_bytes) != name_bytes + source_bytes)
        return false;
    name.assign(line + 1, name_bytes);
    source.assign(line + 1 + name_bytes, source_bytes);
    text_bytes = (size_t)(line + 1 - text) + name_bytes + source_bytes;
    return to_text().compare(0, magic + sum, text, magic + sum) == 0;
}

std::string compile(const std::string &name, const std::string &source, std::string &log) {
    static std::atomic<unsigned> count{0};
    const std::string bare = without_comments(source);
    if (bare.find("#include") != std::string::npos) {
        log = name + ": error: nothing can be included, for there are no headers";
        return "";
    }
    const std::string modules = own_folder() + "/modules/";
    const std::string text = wrap(name, source, bare);
    const std::string done = modules + hex(hash(text, 1)) + hex(hash(text, 2)) + ".so";
    if (access(done.c_str(), R_OK) == 0)
        return done;
    mkdir(modules.c_str(), 0755);
    const std::string own =
        modules + std::to_string(getpid()) + "-" + std::to_string(count.fetch_add(1));
    const std::string unit = own + ".cpp", library = own + ".so", said = own + ".log";
    std::ofstream(unit, std::ios::binary) << text;
    std::vector<std::string> arguments = {"g++"};
    for (const std::string &flag : flags())
        arguments.push_back(flag);
    // What else it needs it finds in the program, which has the libraries.
    for (const std::string &more : {std::string("-shared"), std::string("-nostdlib"),
                                    std::string("-Wl,-Bsymbolic"), "-I" + own_folder(), unit,
                                    std::string("-o"), library, std::string("-lgcc")})
        arguments.push_back(more);
    const bool fine = run_compiler(arguments, said);
    log = read_file(said);
    // A name that is there is that of a complete library, also for other processes.
    const bool there = fine && rename(library.c_str(), done.c_str()) == 0;
    if (fine && !there)
        log = "cannot write to " + modules;
    if (!fine && log.empty())
        log = "g++ does not start";
    unlink(unit.c_str());
    unlink(said.c_str());
    return there ? done : "";
}
