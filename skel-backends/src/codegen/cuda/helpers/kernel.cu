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

// Who sees the state sees the value as well.
template <typename T>
static __device__ void skel_publish(u32* state, u32 known, T* place, const T& value) {
    *place = value;
    __threadfence();
    *(volatile u32*)state = known;
}

// What other blocks may change meanwhile.
static __device__ u32 skel_look(const u32* state) {
    return *(const volatile u32*)state;
}

// Others may go on first.
static __device__ void skel_rest() {
#if __CUDA_ARCH__ >= 700
    __nanosleep(32u);
#endif
}
