${load}
${apply}
${map_trap}
if (at == first) {
    total = value;
} else {
    total = ${operator}(total, value${passed_trap});
    ${operator_trap}
}
