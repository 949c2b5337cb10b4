${element} total = {};
${total}
if (elems > 0u) {
    tile[place] = total;
}
