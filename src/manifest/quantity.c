/* Quantities: text → exact whole number.
 *
 * A quantity is digits × 10^e × 2^k. Nothing here is a double and nothing is
 * rounded: the digits are kept as digits, trailing zeros moved into the
 * exponent, so that "is it whole" is a question about exponents. With k > 0
 * and a fraction of f digits, digits × 2^k ÷ 10^f is whole exactly when f ≤ k
 * and 5^f divides the digits (which, without a trailing zero, hold no further
 * factor 2 then). */
#include "quantity.h"

#include <stddef.h>
#include <string.h>

enum {
    DIGITS_MAX = 128, /* more never come to a whole number under 2^63: at most 2^63 × 10^60 has 79 */
    EXPONENT_MAX = 30,
};

struct number {
    bool negative;
    const char *digits; /* of the whole part and the fraction, with the point between */
    size_t length;
    bool binary;
    long exponent; /* of 10 when decimal, of 2 when binary */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* ---- Reading ---- */

static bool read_suffix(const char *text, size_t length, struct number *out)
{
    static const struct {
        const char *name;
        bool binary;
        long exponent;
    } suffixes[] = {
        {"", false, 0},   {"n", false, -9}, {"u", false, -6}, {"m", false, -3}, {"k", false, 3},  {"M", false, 6},
        {"G", false, 9},  {"T", false, 12}, {"P", false, 15}, {"E", false, 18}, {"Ki", true, 10}, {"Mi", true, 20},
        {"Gi", true, 30}, {"Ti", true, 40}, {"Pi", true, 50}, {"Ei", true, 60},
    };
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        if (strlen(suffixes[i].name) == length && memcmp(suffixes[i].name, text, length) == 0) {
            out->binary = suffixes[i].binary;
            out->exponent = suffixes[i].exponent;
            return true;
        }
    }
    return false;
}

/* "e3", "E-6"; an exponent beyond all bounds stays at a bound of its own. */
static bool read_exponent(const char *text, size_t length, struct number *out)
{
    if (length < 2 || (text[0] != 'e' && text[0] != 'E'))
        return false;
    size_t at = text[1] == '+' || text[1] == '-' ? 2 : 1;
    if (at == length)
        return false;
    long exponent = 0;
    for (; at < length; at++) {
        if (!is_digit(text[at]))
            return false;
        if (exponent <= EXPONENT_MAX)
            exponent = exponent * 10 + (text[at] - '0');
    }
    out->exponent = text[1] == '-' ? -exponent : exponent;
    return true;
}

static bool read_number(const char *text, size_t length, struct number *out)
{
    size_t at = 0;
    if (at < length && (text[at] == '+' || text[at] == '-')) {
        out->negative = text[at] == '-';
        at++;
    }
    size_t start = at, digits = 0;
    bool point = false;
    for (; at < length && (is_digit(text[at]) || (text[at] == '.' && !point)); at++) {
        if (text[at] == '.')
            point = true;
        else
            digits++;
    }
    out->digits = text + start;
    out->length = at - start;
    /* "+", "-", "." and "-." are zero for Kubernetes, so they are here. */
    if (digits == 0)
        return length > 0 && at == length;
    return read_suffix(text + at, length - at, out) || read_exponent(text + at, length - at, out);
}

/* ---- Weighing ---- */

struct decimal {
    unsigned char digit[DIGITS_MAX];
    size_t count; /* 0: the number is zero */
    bool overlong;
    long point; /* the value is the digits as a whole number × 10^point */
};

/* Digits without zeros at either end. */
static void decimal_from(const struct number *number, struct decimal *out)
{
    bool fraction = false;
    long point = 0, zeros = 0; /* zeros: seen since the last other digit */
    for (size_t i = 0; i < number->length; i++) {
        char c = number->digits[i];
        if (c == '.') {
            fraction = true;
            continue;
        }
        if (fraction)
            point--;
        if (c == '0') {
            zeros += out->count > 0;
            continue;
        }
        for (; zeros > 0 && out->count < DIGITS_MAX; zeros--)
            out->digit[out->count++] = 0;
        if (out->count == DIGITS_MAX)
            out->overlong = true;
        else
            out->digit[out->count++] = (unsigned char)(c - '0');
        zeros = 0;
    }
    /* Zeros after the last digit belong to the exponent, and so do those
     * fraction digits that were zero before the first one. */
    long trailing = 0;
    for (size_t i = number->length; i-- > 0 && (number->digits[i] == '0' || number->digits[i] == '.');)
        trailing += number->digits[i] == '0';
    out->point = out->count ? point + trailing : 0;
}

/* False, and half done, when the digits are no multiple of five. */
static bool decimal_divide_by_five(struct decimal *number)
{
    unsigned rest = 0;
    for (size_t i = 0; i < number->count; i++) {
        unsigned part = rest * 10 + number->digit[i];
        number->digit[i] = (unsigned char)(part / 5);
        rest = part % 5;
    }
    return rest == 0;
}

static bool decimal_value(const struct decimal *number, int64_t *out)
{
    int64_t value = 0;
    for (size_t i = 0; i < number->count; i++) {
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, number->digit[i], &value))
            return false;
    }
    *out = value;
    return true;
}

/* value × base^times, where value is not zero, so that this ends soon. */
static bool scale(int64_t *value, int base, long times)
{
    for (; times > 0; times--) {
        if (__builtin_mul_overflow(*value, base, value))
            return false;
    }
    return true;
}

static enum dvl_quantity_status weigh(struct decimal *number, bool binary, long exponent, int64_t *out)
{
    long tens = number->point + (binary ? 0 : exponent);
    long twos = binary ? exponent : 0;
    if (tens < 0) {
        if (-tens > twos)
            return DVL_QUANTITY_FRACTION;
        if (number->overlong)
            return DVL_QUANTITY_TOO_LARGE;
        for (; tens < 0; tens++, twos--) {
            if (!decimal_divide_by_five(number))
                return DVL_QUANTITY_FRACTION;
        }
    }
    int64_t value;
    if (number->overlong || !decimal_value(number, &value) || !scale(&value, 10, tens) || !scale(&value, 2, twos))
        return DVL_QUANTITY_TOO_LARGE;
    *out = value;
    return DVL_QUANTITY_OK;
}

enum dvl_quantity_status dvl_quantity_whole(const char *text, int64_t *out)
{
    size_t length = strlen(text);
    while (length > 0 && is_blank(text[length - 1]))
        length--;
    while (length > 0 && is_blank(text[0])) {
        text++;
        length--;
    }
    struct number number = {0};
    if (!read_number(text, length, &number))
        return DVL_QUANTITY_MALFORMED;
    if (number.exponent > EXPONENT_MAX && !number.binary)
        return DVL_QUANTITY_TOO_LARGE;
    if (number.exponent < -EXPONENT_MAX)
        return DVL_QUANTITY_TOO_LARGE;
    struct decimal decimal = {0};
    decimal_from(&number, &decimal);
    if (decimal.count == 0) {
        *out = 0;
        return DVL_QUANTITY_OK;
    }
    if (number.negative)
        return DVL_QUANTITY_NEGATIVE;
    return weigh(&decimal, number.binary, number.exponent, out);
}

const char *dvl_quantity_problem(enum dvl_quantity_status status)
{
    switch (status) {
    case DVL_QUANTITY_OK:
        return "is a whole number";
    case DVL_QUANTITY_MALFORMED:
        return "is not a quantity";
    case DVL_QUANTITY_FRACTION:
        return "is not a whole number";
    case DVL_QUANTITY_NEGATIVE:
        return "is negative";
    case DVL_QUANTITY_TOO_LARGE:
        return "is too large";
    }
    return "is not a quantity";
}
