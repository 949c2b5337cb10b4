// The nodes that make up the launch.
u64 at = params.first_leaf;
for (u64 node = 0u; at < params.to_leaf; node += 1u) {
    u64 height = 0u;
    while ((at >> height & 1u) == 0u && (2ull << height) <= params.to_leaf - at) {
        height += 1u;
    }
    if (node % ${lanes}u == lane) {
        ${list}[node] = params.partials[skel_place(at, height, params)];
    }
    at += 1ull << height;
}
