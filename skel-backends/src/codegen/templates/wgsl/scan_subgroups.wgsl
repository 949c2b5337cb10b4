for (var reach = 1u; reach < width; reach *= 2u) {
    let at = lane % width;
    let left = ${passed};
    if ((lane & reach) != 0u && lane < lanes${untrapped}) {
        total = ${operator}(left, total);
        ${note}
    }
}
