// Sweeps.

// What one element of a sweep sees: `place` and `extent` count along the sweep, and a bit of `turned` says that it goes
// downwards along a dimension.
template <typename T, u32 N> struct skel_sweep {
    const T* data;
    i64 place[N];
    i64 extent[N];
    u32 turned;
    bool padded;
    T pad;
};

template <typename T, u32 N>
static __device__ T skel_seen(const skel_sweep<T, N>& sweep, const skel_offsets<N>& offsets) {
    i64 at = 0;
    bool beyond = false;
    for (u32 d = 0; d < N; d += 1) {
        const i64 place = sweep.place[d] + offsets.along[d];
        const i64 last = sweep.extent[d] - 1;
        const i64 nearest = place < 0 ? 0 : place > last ? last : place;
        beyond = beyond || nearest != place;
        at = at * sweep.extent[d] + ((sweep.turned >> d & 1u) != 0u ? last - nearest : nearest);
    }
    if (sweep.padded && beyond) {
        return sweep.pad;
    }
    return sweep.data[at];
}
