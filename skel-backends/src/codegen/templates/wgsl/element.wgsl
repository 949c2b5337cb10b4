if (at >= params.count) {
    return;
}
${load}
${apply}
${trap}
${store}
