// Memory that lives in a file without a name, so that the driver and a device's process both have it.
//
// Its addresses are the same in both. In this process nothing can be read or written there, unless
// the memory is the host's; the driver itself has it mapped a second time, at `view`.
#pragma once
#include "types.hpp"
#include <map>
#include <vector>

/// Addresses that kernels may touch from now on, or may no longer.
struct Change {
    uint64_t address, bytes;
    uint32_t open;
};

class Arena {
  public:
    /// Reserves `span` bytes of addresses. Of the host's memory, this process reads and writes the
    /// addresses themselves.
    CUresult reserve(uint64_t base, uint64_t span, bool is_hosts);
    /// The lowest address of new memory full of garbage.
    CUresult allocate(uint64_t bytes, uint64_t &address);
    CUresult release(uint64_t address);
    /// Whether all of it lies in one allocation.
    bool holds(uint64_t address, uint64_t bytes) const;
    /// The allocation that an address lies in: where it begins, and how many bytes it has.
    bool find(uint64_t address, uint64_t &begin, uint64_t &bytes) const;
    char *view(uint64_t address) const { return alias + (address - base); }
    /// What happened since the last call; or all, for a process that knows nothing yet.
    std::vector<Change> changes(bool all);

    int file = -1;
    uint64_t base = 0, span = 0;
    uint64_t used_bytes = 0;

  private:
    struct Block {
        uint64_t bytes, pages_begin, pages_bytes;
    };
    bool is_hosts = false;
    char *alias = nullptr;
    /// By address, and free space by its first page.
    std::map<uint64_t, Block> blocks;
    std::map<uint64_t, uint64_t> free_pages;
    uint64_t next = 0;
    uint64_t garbage = 0xfff7cbcb35a5e10du;
    std::vector<Change> news;
};
