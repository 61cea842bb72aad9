/* Plain YAML scalars: words, whole numbers, floats. */
#include "yaml_scalar.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MAX = 400 }; /* a longer one is no number: it would be over every double */

struct word {
    const char *text;
    enum dvl_value_kind kind;
    bool truth;
};

static const struct word words[] = {
    {"", DVL_VALUE_NULL, false},        {"~", DVL_VALUE_NULL, false},       {"null", DVL_VALUE_NULL, false},
    {"Null", DVL_VALUE_NULL, false},    {"NULL", DVL_VALUE_NULL, false},    {"y", DVL_VALUE_BOOL, true},
    {"Y", DVL_VALUE_BOOL, true},        {"yes", DVL_VALUE_BOOL, true},      {"Yes", DVL_VALUE_BOOL, true},
    {"YES", DVL_VALUE_BOOL, true},      {"true", DVL_VALUE_BOOL, true},     {"True", DVL_VALUE_BOOL, true},
    {"TRUE", DVL_VALUE_BOOL, true},     {"on", DVL_VALUE_BOOL, true},       {"On", DVL_VALUE_BOOL, true},
    {"ON", DVL_VALUE_BOOL, true},       {"n", DVL_VALUE_BOOL, false},       {"N", DVL_VALUE_BOOL, false},
    {"no", DVL_VALUE_BOOL, false},      {"No", DVL_VALUE_BOOL, false},      {"NO", DVL_VALUE_BOOL, false},
    {"false", DVL_VALUE_BOOL, false},   {"False", DVL_VALUE_BOOL, false},   {"FALSE", DVL_VALUE_BOOL, false},
    {"off", DVL_VALUE_BOOL, false},     {"Off", DVL_VALUE_BOOL, false},     {"OFF", DVL_VALUE_BOOL, false},
    {".nan", DVL_VALUE_NUMBER, false},  {".NaN", DVL_VALUE_NUMBER, false},  {".NAN", DVL_VALUE_NUMBER, false},
    {".inf", DVL_VALUE_NUMBER, false},  {".Inf", DVL_VALUE_NUMBER, false},  {".INF", DVL_VALUE_NUMBER, false},
    {"+.inf", DVL_VALUE_NUMBER, false}, {"+.Inf", DVL_VALUE_NUMBER, false}, {"+.INF", DVL_VALUE_NUMBER, false},
    {"-.inf", DVL_VALUE_NUMBER, false}, {"-.Inf", DVL_VALUE_NUMBER, false}, {"-.INF", DVL_VALUE_NUMBER, false},
};

static const struct word *find_word(struct dvl_span text)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (dvl_span_is(text, words[i].text))
            return &words[i];
    }
    return NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- Numbers, as text without underscores ---- */

struct digits {
    char text[DIGITS_MAX + 1];
    size_t length;
};

/* False for what can't begin a number, or is too long. */
static bool strip(struct dvl_span text, struct digits *out)
{
    *out = (struct digits){0};
    char first = text.length ? text.start[0] : '\0';
    if (!is_digit(first) && first != '+' && first != '-' && first != '.')
        return false;
    for (size_t i = 0; i < text.length; i++) {
        /* A number that begins with its point is read without the underscores' help. */
        if (text.start[i] == '_' && first != '.')
            continue;
        if (out->length == DIGITS_MAX)
            return false;
        out->text[out->length++] = text.start[i];
    }
    return true;
}

static int base_of(const char **digits)
{
    const char *text = *digits;
    if (text[0] != '0' || text[1] == '\0')
        return 10;
    *digits += 2;
    switch (text[1]) {
    case 'x':
    case 'X':
        return 16;
    case 'o':
    case 'O':
        return 8;
    case 'b':
    case 'B':
        return 2;
    default:
        *digits = text + 1;
        return 8;
    }
}

static int digit_of(char c)
{
    if (is_digit(c))
        return c - '0';
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 16;
}

/* Whole numbers that 64 bits hold: signed, or without a sign. */
static bool read_whole(const struct digits *number, bool *negative, uint64_t *out)
{
    const char *at = number->text;
    bool sign = *at == '+' || *at == '-';
    *negative = *at == '-';
    at += sign;
    int base = base_of(&at);
    if (*at == '\0')
        return false;
    uint64_t value = 0;
    for (; *at; at++) {
        int digit = digit_of(*at);
        if (digit >= base || __builtin_mul_overflow(value, (uint64_t)base, &value) ||
            __builtin_add_overflow(value, (uint64_t)digit, &value))
            return false;
    }
    uint64_t most = !sign ? UINT64_MAX : *negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
    *out = value;
    return value <= most;
}

static const char *skip_digits(const char *at)
{
    while (is_digit(*at))
        at++;
    return at;
}

/* [-+]? ( .d+ | d+ [. d*] ) ( [eE] [-+]? d+ )? */
static bool looks_real(const struct digits *number)
{
    const char *at = number->text + (*number->text == '+' || *number->text == '-');
    const char *whole = skip_digits(at);
    const char *end = *whole == '.' ? skip_digits(whole + 1) : whole;
    if (whole == at && end - whole < 2)
        return false;
    if (*end == 'e' || *end == 'E') {
        const char *exponent = end + 1 + (end[1] == '+' || end[1] == '-');
        end = skip_digits(exponent);
        if (end == exponent)
            return false;
    }
    return *end == '\0';
}

/* "1.25e+02" → 125, with a point where numbers of this size have one; an
 * exponent stays where Go's JSON keeps it: from 10^21 up, and below 10^-6. */
static void write_positional(const char *scientific, char out[DVL_YAML_NUMBER_SIZE])
{
    static const char zeros[] = "00000000000000000000";
    char digits[24];
    int count = 0, exponent = (int)strtol(strchr(scientific, 'e') + 1, NULL, 10);
    for (const char *at = scientific; *at != 'e'; at++) {
        if (is_digit(*at))
            digits[count++] = *at;
    }
    const char *sign = *scientific == '-' ? "-" : "";
    if (exponent < -6 || exponent > 20)
        snprintf(out, DVL_YAML_NUMBER_SIZE, "%s", scientific);
    else if (exponent < 0)
        snprintf(out, DVL_YAML_NUMBER_SIZE, "%s0.%.*s%.*s", sign, -exponent - 1, zeros, count, digits);
    else if (exponent + 1 >= count)
        snprintf(out, DVL_YAML_NUMBER_SIZE, "%s%.*s%.*s", sign, count, digits, exponent + 1 - count, zeros);
    else
        snprintf(out, DVL_YAML_NUMBER_SIZE, "%s%.*s.%.*s", sign, exponent + 1, digits, count - exponent - 1,
                 digits + exponent + 1);
}

/* A double and its shortest text, whatever the process's locale is. */
static bool read_real(const struct digits *number, char out[DVL_YAML_NUMBER_SIZE])
{
    char scientific[DVL_YAML_NUMBER_SIZE];
    if (!looks_real(number))
        return false;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain)
        return false;
    locale_t before = uselocale(plain);
    double value = strtod(number->text, NULL);
    bool finite = isfinite(value);
    for (int digits = 0; finite && digits < 17; digits++) {
        snprintf(scientific, sizeof scientific, "%.*e", digits, value);
        if (strtod(scientific, NULL) == value)
            break;
    }
    if (finite)
        write_positional(scientific, out);
    uselocale(before);
    freelocale(plain);
    return finite;
}

bool dvl_yaml_number(struct dvl_span text, char out[DVL_YAML_NUMBER_SIZE])
{
    struct digits number;
    if (!strip(text, &number))
        return false;
    bool negative;
    uint64_t whole;
    if (!read_whole(&number, &negative, &whole))
        return read_real(&number, out);
    snprintf(out, DVL_YAML_NUMBER_SIZE, "%s%llu", negative ? "-" : "", (unsigned long long)whole);
    return true;
}

enum dvl_value_kind dvl_yaml_resolve(struct dvl_span text, bool *truth)
{
    const struct word *word = find_word(text);
    if (word) {
        *truth = word->truth;
        return word->kind;
    }
    char number[DVL_YAML_NUMBER_SIZE];
    return dvl_yaml_number(text, number) ? DVL_VALUE_NUMBER : DVL_VALUE_STRING;
}

bool dvl_yaml_is_base_60(struct dvl_span text)
{
    size_t at = text.length && (text.start[0] == '+' || text.start[0] == '-') ? 1 : 0;
    size_t colons = 0;
    for (bool digit = false; at < text.length; at++) {
        bool colon = text.start[at] == ':';
        if (colon ? !digit : !is_digit(text.start[at]) && text.start[at] != '_')
            return false;
        digit = !colon;
        colons += colon;
    }
    return colons > 0 && is_digit(text.start[text.length - 1]);
}
