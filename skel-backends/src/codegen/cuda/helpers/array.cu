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

template <typename T> struct skel_slice {
    const T* data;
    u64 len;
};

template <typename T>
static __device__ T skel_slice_at(const skel_slice<T>& all, u64 i, u32 site, u32& skel_trap) {
    if (i >= all.len) {
        skel_note(site, skel_trap);
        return T();
    }
    return all.data[i];
}

template <typename T> struct skel_matrix {
    const T* data;
    u64 rows;
    u64 cols;
};

template <typename T>
static __device__ T skel_matrix_at(const skel_matrix<T>& all, u64 row, u64 col, u32 site, u32& skel_trap) {
    if (row >= all.rows || col >= all.cols) {
        skel_note(site, skel_trap);
        return T();
    }
    return all.data[row * all.cols + col];
}

// Neighbours of a column are `stride` elements apart.
template <typename T> struct skel_col {
    const T* data;
    u64 len;
    u64 stride;
};

template <typename T>
static __device__ T skel_col_at(const skel_col<T>& all, u64 i, u32 site, u32& skel_trap) {
    if (i >= all.len) {
        skel_note(site, skel_trap);
        return T();
    }
    return all.data[i * all.stride];
}

template <typename T> struct skel_tensor3 {
    const T* data;
    u64 planes;
    u64 rows;
    u64 cols;
};

template <typename T>
static __device__ T skel_tensor3_at(const skel_tensor3<T>& all, u64 plane, u64 row, u64 col, u32 site, u32& skel_trap) {
    if (plane >= all.planes || row >= all.rows || col >= all.cols) {
        skel_note(site, skel_trap);
        return T();
    }
    return all.data[(plane * all.rows + row) * all.cols + col];
}

// Elements of a line are `stride` elements apart.
template <typename T> struct skel_line {
    T* first;
    u64 len;
    u64 stride;
};

template <typename T>
static __device__ T skel_line_at(const skel_line<T>& all, u64 i, u32 site, u32& skel_trap) {
    if (i >= all.len) {
        skel_note(site, skel_trap);
        return T();
    }
    return all.first[i * all.stride];
}
