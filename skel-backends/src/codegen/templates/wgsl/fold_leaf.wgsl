for (var reach = 1u; reach < tiles; reach *= 2u) {
    workgroupBarrier();
    for (var at = lane * 2u * reach; at + reach < tiles; at += ${lanes}u * 2u * reach) {
        if ((at + reach) * ${tile_elems}u < left${untrapped}) {
            set_tile(at * ${apart}u, ${operator}(get_tile(at * ${apart}u), get_tile((at + reach) * ${apart}u)));
            ${note}
        }
    }
}
if (lane == 0u && left > 0u) {
    let total = get_tile(0);
    ${store_total}
}
