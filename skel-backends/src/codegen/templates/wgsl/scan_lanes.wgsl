tile[lane] = total;
// Each lane's total becomes that of all lanes up to it. No lane leaves before the end, for all must meet
// at the barriers.
for (var reach = 1u; reach < ${lanes}u; reach *= 2u) {
    workgroupBarrier();
    let joins = lane >= reach && lane < lanes${untrapped};
    var left: ${element};
    if (joins) {
        left = tile[lane - reach];
    }
    workgroupBarrier();
    if (joins) {
        total = ${operator}(left, total);
        ${note}
        tile[lane] = total;
    }
}
workgroupBarrier();
