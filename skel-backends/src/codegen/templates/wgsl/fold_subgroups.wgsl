for (var reach = 1u; reach < width; reach *= 2u) {
    let right = ${passed};
    if (lane % (2u * reach) == 0u && lane + reach < lanes${untrapped}) {
        total = ${operator}(total, right);
        ${tree_trap}
    }
}
