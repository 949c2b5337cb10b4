for (var reach = 1u; reach < tiles; reach *= 2u) {
    workgroupBarrier();
    for (var at = lane * 2u * reach; at + reach < tiles; at += ${lanes}u * 2u * reach) {
        if ((at + reach) * ${tile_elems}u < left${untrapped}) {
            tile[at * ${apart}u] = ${operator}(tile[at * ${apart}u], tile[(at + reach) * ${apart}u]);
            ${note}
        }
    }
}
if (lane == 0u && left > 0u) {
    let total = tile[0];
    ${store_total}
}
