// Each lane's total becomes that of all lanes up to it: in pairs, then in pairs of pairs, …, the lanes of the
// upper half combine what all of the lower half come to with what they have. No lane leaves before the end,
// for all must meet.
${within_subgroups}
tile[lane] = total;
for (var reach = ${width}; reach < ${lanes}u; reach *= 2u) {
    workgroupBarrier();
    // Lanes that read also write, and no lane reads what is written between the same barriers.
    if ((lane & reach) != 0u && lane < lanes${untrapped}) {
        total = ${operator}(tile[lane - lane % reach - 1u], total);
        ${note}
        tile[lane] = total;
    }
}
workgroupBarrier();
