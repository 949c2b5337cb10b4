if (elems == 16u) {
    total = reached[15];
}
${short_total}
