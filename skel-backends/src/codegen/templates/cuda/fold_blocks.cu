// Each lane takes a block: whole ones as a tree, a last, shorter one as a chain; as a chain all elements if they are few.
for (u64 place = lane; place < tiles * ${blocks}u; place += ${lanes}u) {
    const u64 first = begin + skel_least(place * params.width, left);
    const u64 last = begin + skel_least((place + 1u) * params.width, left);
    const bool is_whole = last - first == 16u && params.width == 16u;
    ${element} total = {};
    ${element} one = {};
    ${element} two = {};
    ${element} four = {};
    ${element} eight = {};
    ${each}
    tile[place] = total;
}
${chunks}
${tiles_of_chunks}
