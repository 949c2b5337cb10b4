// Of each block is known, by its state: nothing (0), its total (1), what all up to it come to (2).
if (block > 0u && lane < ${window}u) {
    u64 end = block;
    u32 complete = 0u;
    bool has = false;
    ${element} prefix = {};
    while (complete == 0u) {
        // Each lane looks at a block, the last one at the last. Before the first block nothing is missing.
        const bool is_there = end + lane >= ${window}u;
        const u64 at = end + lane - ${window}u;
        u32 state = 2u;
        u32 from = 0u;
        for (;;) {
            if (is_there) {
                state = skel_look(&states[at]);
            }
            complete = __ballot_sync(${all_lanes}u, state == 2u);
            const u32 seen = __ballot_sync(${all_lanes}u, state != 0u);
            // The last one that is complete has in it what those before it come to.
            from = complete == 0u ? 0u : 31u - (u32)__clz((int)complete);
            if (seen >> from == ${all_lanes}u >> from) {
                break;
            }
            skel_rest();
        }
        // The values are read after the states.
        __threadfence();
        if (lane >= from) {
            window[lane] = state == 2u ? prefixes[at] : params.partials[at];
        }
        // Neighbours, then pairs of neighbours, and so on: the order is kept.
        for (u32 reach = 1u; reach < ${window}u; reach *= 2u) {
            __syncwarp(${all_lanes}u);
            const bool joins = lane >= from && (lane - from) % (2u * reach) == 0u;
            if (joins && lane + reach < ${window}u${no_trap}) {
                window[lane] = ${operator}(window[lane], window[lane + reach]${passed_trap});
                ${note}
            }
        }
        __syncwarp(${all_lanes}u);
        if (lane == 0u${no_trap}) {
            if (has) {
                prefix = ${operator}(window[from], prefix${passed_trap});
                ${note}
            } else {
                prefix = window[from];
                has = true;
            }
        }
        __syncwarp(${all_lanes}u);
        end -= ${window}u;
    }
    if (lane == 0u) {
        before = prefix;
        ${element} all = tile[lanes - 1u];
        if (true${no_trap}) {
            all = ${operator}(prefix, all${passed_trap});
            ${note}
        }
        skel_publish(&states[block], 2u, &prefixes[block], all);
    }
}
