// The last block of a group publishes the inclusive prefix, so its aggregate is not needed.
const u64 earlier = block % ${lanes}u;
const bool is_last = earlier == ${lanes}u - 1u || block + 1u == gridDim.x;
if (lane == 0u && !is_last) {
    skel_publish(&states[block], &params.partials[block], tile[lanes - 1u]);
}
// Look-back: each lane waits for one block of the group, and the last lane for the prefix of the group before.
if (lane < earlier) {
    group[lane] = skel_await(&states[block - earlier + lane], &params.partials[block - earlier + lane]);
}
if (lane == ${lanes}u - 1u) {
    if (block > earlier) {
        before = skel_await(&states[block - earlier - 1u], &params.partials[block - earlier - 1u]);
    } else if (params.carried != 0u) {
        before = params.partials[gridDim.x];
    }
}
// Neighbours, then pairs of neighbours, and so on: the order is kept.
for (u64 reach = 1u; reach < earlier; reach *= 2u) {
    __syncthreads();
    if (lane % (2u * reach) == 0u && lane + reach < earlier${no_trap}) {
        group[lane] = ${operator}(group[lane], group[lane + reach]${passed_trap});
        ${note}
    }
}
__syncthreads();
if (lane == 0u) {
    const bool follows = block > earlier || params.carried != 0u;
    if (earlier > 0u${no_trap}) {
        if (follows) {
            before = ${operator}(before, group[0]${passed_trap});
            ${note}
        } else {
            before = group[0];
        }
    }
    if (is_last) {
        ${element} all = tile[lanes - 1u];
        if ((follows || earlier > 0u)${no_trap}) {
            all = ${operator}(before, all${passed_trap});
            ${note}
        }
        skel_publish(&states[block], &params.partials[block], all);
    }
}
__syncthreads();
