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
