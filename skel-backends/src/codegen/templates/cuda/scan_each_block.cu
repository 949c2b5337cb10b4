for (u64 place = lane; place < ${blocks}u; place += ${lanes}u) {
    ${of_block}
}
