__syncthreads();
for (u64 of_block = lane; of_block < tiles && of_block * ${tile_elems}u < left; of_block += ${lanes}u) {
    params.partials[2u * (blockIdx.x * tiles + of_block)] = tile[of_block * ${places_per_tile}u];
}
