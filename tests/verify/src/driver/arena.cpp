#include "arena.hpp"
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

constexpr uint64_t PAGE = 4096;
/// What CUDA promises about the addresses that it gives.
constexpr uint64_t ALIGNMENT = 256;
/// Of more memory only the beginning and the end are filled with garbage.
constexpr uint64_t GARBAGE_BYTES = 64u << 20;

uint64_t up(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

void fill(char *at, uint64_t bytes, uint64_t with) {
    for (; bytes >= sizeof with; at += sizeof with, bytes -= sizeof with)
        memcpy(at, &with, sizeof with);
    memcpy(at, &with, bytes);
}

} // namespace

CUresult Arena::reserve(uint64_t wanted, uint64_t bytes, bool hosts) {
    is_hosts = hosts;
    base = wanted;
    span = bytes;
    const int low = memfd_create("skel-arena", MFD_CLOEXEC);
    if (low < 0 || ftruncate(low, (off_t)span) != 0)
        return CUDA_ERROR_OPERATING_SYSTEM;
    // Above those that are given to the device's process as 0 to 4.
    file = fcntl(low, F_DUPFD_CLOEXEC, 16);
    close(low);
    const int kind = hosts ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
    void *at = mmap(reinterpret_cast<void *>(base), span, PROT_NONE,
                    kind | MAP_FIXED_NOREPLACE | MAP_NORESERVE, hosts ? file : -1, 0);
    if (file < 0 || at != reinterpret_cast<void *>(base))
        return CUDA_ERROR_OPERATING_SYSTEM;
    void *second = mmap(nullptr, span, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    if (second == MAP_FAILED)
        return CUDA_ERROR_OPERATING_SYSTEM;
    alias = static_cast<char *>(second);
    free_pages[base] = span;
    next = base;
    return CUDA_SUCCESS;
}

CUresult Arena::allocate(uint64_t bytes, uint64_t &address) {
    // A closed page behind each, and the memory at the end of its pages: an overrun is caught.
    const uint64_t pages = up(bytes, PAGE) + PAGE;
    // Freed addresses come last, so that a use after free is caught as well.
    auto space = free_pages.lower_bound(next);
    while (space != free_pages.end() && space->second < pages)
        space++;
    if (space == free_pages.end())
        for (space = free_pages.begin(); space != free_pages.end() && space->second < pages;)
            space++;
    if (space == free_pages.end())
        return CUDA_ERROR_OUT_OF_MEMORY;
    const uint64_t begin = space->first, rest = space->second - pages;
    free_pages.erase(space);
    if (rest > 0)
        free_pages[begin + pages] = rest;
    next = begin + pages;
    address = begin + (pages - PAGE) - up(bytes, ALIGNMENT);
    blocks[address] = Block{bytes, begin, pages};
    used_bytes += bytes;
    void *const memory = reinterpret_cast<void *>(begin);
    if (is_hosts && mprotect(memory, pages - PAGE, PROT_READ | PROT_WRITE) != 0)
        return CUDA_ERROR_OPERATING_SYSTEM;
    news.push_back(Change{begin, pages - PAGE, 1});
    garbage = garbage * 6364136223846793005u + 1442695040888963407u;
    const uint64_t part = bytes <= GARBAGE_BYTES ? bytes : GARBAGE_BYTES / 2;
    fill(view(address), part, garbage);
    fill(view(address) + (bytes - part), part, garbage);
    return CUDA_SUCCESS;
}

CUresult Arena::release(uint64_t address) {
    const auto found = blocks.find(address);
    if (found == blocks.end())
        return CUDA_ERROR_INVALID_VALUE;
    const Block block = found->second;
    blocks.erase(found);
    used_bytes -= block.bytes;
    const uint64_t begin = block.pages_begin, bytes = block.pages_bytes;
    news.push_back(Change{begin, bytes - PAGE, 0});
    if (is_hosts && mprotect(reinterpret_cast<void *>(begin), bytes - PAGE, PROT_NONE) != 0)
        return CUDA_ERROR_OPERATING_SYSTEM;
    const int hole = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
    if (fallocate(file, hole, (off_t)(begin - base), (off_t)bytes) != 0)
        return CUDA_ERROR_OPERATING_SYSTEM;
    auto here = free_pages.emplace(begin, bytes).first;
    const auto after = std::next(here);
    if (after != free_pages.end() && after->first == begin + bytes) {
        here->second += after->second;
        free_pages.erase(after);
    }
    if (here != free_pages.begin()) {
        const auto before = std::prev(here);
        if (before->first + before->second == begin) {
            before->second += here->second;
            free_pages.erase(here);
        }
    }
    return CUDA_SUCCESS;
}

bool Arena::find(uint64_t address, uint64_t &begin, uint64_t &bytes) const {
    auto after = blocks.upper_bound(address);
    if (after == blocks.begin())
        return false;
    after--;
    begin = after->first;
    bytes = after->second.bytes;
    return address - begin < bytes;
}

bool Arena::holds(uint64_t address, uint64_t bytes) const {
    uint64_t begin, all;
    return find(address, begin, all) && bytes <= all - (address - begin);
}

std::vector<Change> Arena::changes(bool all) {
    std::vector<Change> changes;
    changes.swap(news);
    if (all) {
        changes.clear();
        for (const auto &[address, block] : blocks)
            changes.push_back(Change{block.pages_begin, block.pages_bytes - PAGE, 1});
    }
    return changes;
}
