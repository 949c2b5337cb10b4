for (u64 reach = 1u; reach < tiles; reach *= 2u) {
    __syncthreads();
    for (u64 at = lane * 2u * reach; at + reach < tiles; at += ${lanes}u * 2u * reach) {
        if ((at + reach) * ${tile_elems}u < left${no_trap}) {
            tile[at * ${places_per_tile}u] = ${operator}(tile[at * ${places_per_tile}u], tile[(at + reach) * ${places_per_tile}u]${passed_trap});
            ${note}
        }
    }
}
if (lane == 0u) {
    params.partials[2u * blockIdx.x] = tile[0];
}
