// Arrays, and whole containers read at random.

template <typename T, u64 N> struct skel_array {
    typedef T elem;
    static const u64 len = N;
    T part[N == 0 ? 1 : N];
};

template <typename A> static __device__ A skel_filled(const typename A::elem value) {
    A all;
    for (u64 i = 0; i < A::len; i += 1) {
        all.part[i] = value;
    }
    return all;
}

static __device__ void skel_check(u64 i, u64 len, u32 site, u32& skel_trap) {
    if (i >= len) {
        skel_note(site, skel_trap);
    }
}

template <typename T, u64 N>
static __device__ const T& skel_array_at(const skel_array<T, N>& all, u64 i, u32 site, u32& skel_trap) {
    skel_check(i, N, site, skel_trap);
    return all.part[i < N ? i : 0];
}

// Whole containers, by rank: bodies by hand name the members, and extents count from the outermost dimension.
template <typename T> struct skel_slice {
    typedef T elem;
    static const u64 stride = 1;
    const T* data;
    u64 len;
    __device__ u64 extent(u64) const { return len; }
};

template <typename T> struct skel_matrix {
    typedef T elem;
    static const u64 stride = 1;
    const T* data;
    u64 rows, cols;
    __device__ u64 extent(u64 d) const { return d == 0 ? rows : cols; }
};

template <typename T> struct skel_tensor3 {
    typedef T elem;
    static const u64 stride = 1;
    const T* data;
    u64 planes, rows, cols;
    __device__ u64 extent(u64 d) const { return d == 0 ? planes : d == 1 ? rows : cols; }
};

template <typename T> struct skel_tensor4 {
    typedef T elem;
    static const u64 stride = 1;
    const T* data;
    u64 volumes, planes, rows, cols;
    __device__ u64 extent(u64 d) const { return d == 0 ? volumes : d == 1 ? planes : d == 2 ? rows : cols; }
};

// Neighbours of a column are `stride` elements apart.
template <typename T> struct skel_col {
    typedef T elem;
    const T* data;
    u64 len, stride;
    __device__ u64 extent(u64) const { return len; }
};

// Elements of a line are `stride` elements apart.
template <typename T> struct skel_line {
    typedef T elem;
    T* data;
    u64 len, stride;
    __device__ u64 extent(u64) const { return len; }
};

template <typename C, u64 N>
static __device__ typename C::elem skel_at(const C& all, const u64 (&at)[N], u32 site, u32& skel_trap) {
    u64 place = 0;
    bool inside = true;
    for (u64 d = 0; d < N; d += 1) {
        inside = inside && at[d] < all.extent(d);
        place = place * all.extent(d) + at[d];
    }
    if (!inside) {
        skel_note(site, skel_trap);
        return typename C::elem();
    }
    return all.data[place * all.stride];
}
