// The nodes above those of `level`, as far as one group reaches.
const u64 first = (group * ${fan}u + lane) << level;
const bool is_there = lane < ${fan}u && first >= params.first_leaf && first < end;
${element} total = {};
if (is_there) {
    total = params.partials[skel_place(first, level, params)];
    tile[lane] = total;
}
for (u64 reach = 1u; reach < ${fan}u; reach *= 2u) {
    __syncthreads();
    const u64 right = first + (reach << level);
    if (is_there && lane % (2u * reach) == 0u && right < end${no_trap}) {
        total = ${operator}(total, tile[lane + reach]${passed_trap});
        ${note}
        tile[lane] = total;
        params.partials[2u * (right - params.first_leaf) - 1u] = total;
    }
}
__syncthreads();
