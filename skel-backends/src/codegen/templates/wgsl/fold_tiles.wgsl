workgroupBarrier();
for (var at = lane; at < tiles && at * ${tile_elems}u < left; at += ${lanes}u) {
    let total = get_tile(at * ${apart}u);
    ${store_total}
}
