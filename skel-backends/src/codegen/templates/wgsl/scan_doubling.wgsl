// By doubling reaches: what is combined of 2, 4, 8 and 16 elements that end here, or of all there are.
var two = value;
if (turn >= 1u) {
    two = ${operator}(x1, value);
    ${leave}
}
x1 = value;
var four = two;
if (turn >= 2u) {
    four = ${operator}(two2, two);
    ${leave}
}
two2 = two1;
two1 = two;
var eight = four;
if (turn >= 4u) {
    eight = ${operator}(four4, four);
    ${leave}
}
four4 = four3;
four3 = four2;
four2 = four1;
four1 = four;
var sixteen = eight;
if (turn >= 8u) {
    sixteen = ${operator}(eight8, eight);
    ${leave}
}
eight8 = eight7;
eight7 = eight6;
eight6 = eight5;
eight5 = eight4;
eight4 = eight3;
eight3 = eight2;
eight2 = eight1;
eight1 = eight;
if (has) {
    prefix = ${operator}(carry, sixteen);
    ${leave}
} else {
    prefix = sixteen;
}
