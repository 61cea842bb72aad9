/* Quantities: the table in tests/fixtures, and numbers built so that the
 * right answer is known without a second parser. */
#include "manifest/quantity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *word(enum dvl_quantity_status status)
{
    switch (status) {
    case DVL_QUANTITY_OK:
        return "ok";
    case DVL_QUANTITY_MALFORMED:
        return "malformed";
    case DVL_QUANTITY_FRACTION:
        return "fraction";
    case DVL_QUANTITY_NEGATIVE:
        return "negative";
    case DVL_QUANTITY_TOO_LARGE:
        return "too large";
    }
    return "?";
}

static void the_table_holds(void **state)
{
    (void)state;
    FILE *file = fopen("tests/fixtures/quantity/quantities.tsv", "r");
    assert_non_null(file);
    char line[256];
    int lines = 0;
    while (fgets(line, sizeof line, file)) {
        char *status = strchr(line, '\t');
        assert_non_null(status);
        *status++ = '\0';
        char *value = strchr(status, '\t');
        assert_non_null(value);
        *value++ = '\0';
        int64_t got = -7;
        const char *answer = word(dvl_quantity_whole(line, &got));
        if (strcmp(answer, status) != 0)
            fail_msg("\"%s\": %s instead of %s", line, answer, status);
        int64_t want = strcmp(status, "ok") == 0 ? strtoll(value, NULL, 10) : -7;
        if (got != want)
            fail_msg("\"%s\": %lld instead of %lld", line, (long long)got, (long long)want);
        lines++;
    }
    fclose(file);
    assert_true(lines > 100);
}

/* value ÷ 2^k as exact decimal text: halve k times, digit by digit. */
static void halve(char *digits, size_t *length)
{
    int rest = 0;
    for (size_t i = 0; i < *length; i++) {
        int part = rest * 10 + (digits[i] - '0');
        digits[i] = (char)('0' + part / 2);
        rest = part % 2;
    }
    if (rest)
        digits[(*length)++] = '5';
}

static void binary_fractions_are_exact(void **state)
{
    (void)state;
    static const char *const suffix[] = {"Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    static const int64_t values[] = {1, 3, 5, 1023, 1025, 999999999999, INT64_MAX - 1, INT64_MAX};
    for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
        for (int s = 0; s < 6; s++) {
            char digits[256];
            size_t point = (size_t)snprintf(digits, sizeof digits, "%019lld", (long long)values[v]), length = point;
            for (int k = 0; k < (s + 1) * 10; k++)
                halve(digits, &length);
            char text[300];
            snprintf(text, sizeof text, "%.*s.%.*s%s", (int)point, digits, (int)(length - point), digits + point,
                     suffix[s]);
            int64_t got = -1;
            if (dvl_quantity_whole(text, &got) != DVL_QUANTITY_OK || got != values[v])
                fail_msg("%s: %lld instead of %lld", text, (long long)got, (long long)values[v]);
            /* One more halving leaves a half. */
            halve(digits, &length);
            snprintf(text, sizeof text, "%.*s.%.*s%s", (int)point, digits, (int)(length - point), digits + point,
                     suffix[s]);
            assert_int_equal(dvl_quantity_whole(text, &got), values[v] % 2 ? DVL_QUANTITY_FRACTION : DVL_QUANTITY_OK);
        }
    }
}

static void long_texts_end_soon_and_right(void **state)
{
    (void)state;
    enum { LONG = 1000000 };
    char *text = malloc(LONG + 8);
    assert_non_null(text);
    int64_t got = -1;
    memset(text, '0', LONG);
    memcpy(text + LONG, "12", 3);
    assert_int_equal(dvl_quantity_whole(text, &got), DVL_QUANTITY_OK);
    assert_int_equal(got, 12);
    text[0] = '3';
    text[1] = '.';
    memcpy(text + LONG, "00", 3);
    assert_int_equal(dvl_quantity_whole(text, &got), DVL_QUANTITY_OK);
    assert_int_equal(got, 3);
    memcpy(text + LONG, "01", 3);
    assert_int_equal(dvl_quantity_whole(text, &got), DVL_QUANTITY_FRACTION);
    memcpy(text + LONG, "1Ei", 4);
    assert_int_equal(dvl_quantity_whole(text, &got), DVL_QUANTITY_FRACTION);
    text[1] = '9';
    memcpy(text + LONG, "11", 3);
    assert_int_equal(dvl_quantity_whole(text, &got), DVL_QUANTITY_TOO_LARGE);
    memset(text, '7', LONG);
    memcpy(text + LONG, ".5Ei", 5);
    assert_int_equal(dvl_quantity_whole(text, &got), DVL_QUANTITY_TOO_LARGE);
    free(text);
}

static void problems_have_words(void **state)
{
    (void)state;
    assert_string_equal(dvl_quantity_problem(DVL_QUANTITY_MALFORMED), "is not a quantity");
    assert_string_equal(dvl_quantity_problem(DVL_QUANTITY_FRACTION), "is not a whole number");
    assert_string_equal(dvl_quantity_problem(DVL_QUANTITY_NEGATIVE), "is negative");
    assert_string_equal(dvl_quantity_problem(DVL_QUANTITY_TOO_LARGE), "is too large");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_holds),
        cmocka_unit_test(binary_fractions_are_exact),
        cmocka_unit_test(long_texts_end_soon_and_right),
        cmocka_unit_test(problems_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
