if ((leaf >> level & 1u) != 0u) {
    const u64 end = leaf >> level << level;
    if (end > params.first_leaf) {
        const u64 place = skel_published(end - (1ull << level), level, params.first_leaf, params.leaves);
        earlier[level] = skel_await(&states[place], &params.partials[place]);
    } else if ((params.carried & 2u) != 0u) {
        earlier[level] = params.partials[2u * params.leaves + 1u + level];
    }
}
