// The functions of the C library for `long double`, of 64 bits of precision or more: `exact NAME` reads 64-bit floats
// (pairs of them for functions of two) and writes for each the nearest such float and what the value is more, in units
// in its last place.

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define BLOCK 4096

typedef long double (*One)(long double);
typedef long double (*Two)(long double, long double);

static const struct { const char *name; One one; Two two; } FUNCTIONS[] = {
    {"exp", expl}, {"exp2", exp2l}, {"exp_m1", expm1l}, {"ln", logl}, {"log2", log2l}, {"log10", log10l},
    {"ln_1p", log1pl}, {"sin", sinl}, {"cos", cosl}, {"tan", tanl}, {"asin", asinl}, {"acos", acosl},
    {"atan", atanl}, {"sinh", sinhl}, {"cosh", coshl}, {"tanh", tanhl}, {"cbrt", cbrtl},
    {"atan2", 0, atan2l}, {"powf", 0, powl}, {"hypot", 0, hypotl},
};

// The exponent of the unit in the last place of floats like this one.
static int unit(double x) {
    int exponent;
    frexp(x, &exponent);
    exponent -= 53;
    return x == 0 || exponent < -1074 ? -1074 : exponent;
}

int main(int count, char **words) {
    static double in[2 * BLOCK], out[2 * BLOCK];
    const int known = sizeof FUNCTIONS / sizeof FUNCTIONS[0];
    int k = 0;
    while (k < known && (count != 2 || strcmp(words[1], FUNCTIONS[k].name))) k++;
    if (k == known || LDBL_MANT_DIG < 64) {
        fputs(k == known ? "no such function\n" : "long double has less than 64 bits here\n", stderr);
        return 2;
    }
    const One one = FUNCTIONS[k].one;
    const Two two = FUNCTIONS[k].two;
    const size_t size = sizeof(double) * (one ? 1 : 2);
    for (size_t n; (n = fread(in, size, BLOCK, stdin)) > 0;) {
        for (size_t i = 0; i < n; i++) {
            const long double exact = one ? one(in[i]) : two(in[2 * i], in[2 * i + 1]);
            const double nearest = (double)exact;
            out[2 * i] = nearest;
            out[2 * i + 1] = isfinite(nearest) ? (double)scalbnl(exact - nearest, -unit(nearest)) : 0;
        }
        if (fwrite(out, 2 * sizeof(double), n, stdout) != n || fflush(stdout)) return 1;
    }
    return ferror(stdin) ? 1 : 0;
}
