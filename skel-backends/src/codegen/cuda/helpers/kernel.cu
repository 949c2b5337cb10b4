// What kernels themselves need.

// Notes the number of the first trap site that the element met; 0 if none.
static __device__ void skel_note(u32 site, u32& skel_trap) {
    if (skel_trap == 0u) {
        skel_trap = site;
    }
}

static __device__ u64 skel_least(u64 a, u64 b) {
    return a < b ? a : b;
}

// Publishes a value to other blocks: a block that sees the state sees the value as well.
template <typename T>
static __device__ void skel_publish(u32* state, T* place, const T& value) {
    *place = value;
    __threadfence();
    *(volatile u32*)state = 1u;
}

// Publishes what was written before the last fence.
static __device__ void skel_show(u32* shown) {
    *(volatile u32*)shown = 1u;
}

// Waits for a value that another block publishes, or has published.
template <typename T>
static __device__ T skel_await(const u32* state, const T* place) {
    while (*(const volatile u32*)state == 0u) {
#if __CUDA_ARCH__ >= 700
        __nanosleep(32u);
#endif
    }
    __threadfence();
    return *place;
}

// Where the value of a complete node of a launch lies: of `level`, that begins with leaf `first` of the launch.
static __device__ u64 skel_node_place(u64 first, u64 level) {
    return level == 0u ? 2u * first : 2u * (first + (1ull << (level - 1u))) - 1u;
}

// Where a scan in one pass publishes the node of `level` that begins with leaf `first` of the call. One that lies astride
// the launch's beginning, with nothing of its right half before that, has a place by its level.
static __device__ u64 skel_published(u64 first, u64 level, u64 first_leaf, u64 leaves) {
    if (level == 0u) {
        return 2u * (first - first_leaf);
    }
    const u64 middle = first + (1ull << (level - 1u));
    return middle > first_leaf ? 2u * (middle - first_leaf) - 1u : 2u * leaves + 65u + level;
}

// The same of the node of `level` that ends with a leaf.
static __device__ u64 skel_ending(u64 leaf, u64 level, u64 first_leaf, u64 leaves) {
    return skel_published(leaf >> level << level, level, first_leaf, leaves);
}
