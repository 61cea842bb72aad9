/* Moments as text and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "timestamp.h"

#include <time.h>

static const int64_t SECOND = 1000000;
static const int64_t NOON = 1796040000LL * 1000000; /* 2026-11-30T12:00:00Z */

static void rfc_3339_reads(void **state)
{
    static const struct {
        const char *text;
        int64_t time;
    } cases[] = {
        {"1970-01-01T00:00:00Z", 0},
        {"2026-11-30T12:00:00Z", 1796040000000000},
        {"2026-11-30T12:00:00.5Z", 1796040000500000},
        {"2026-11-30T12:00:00.123456789Z", 1796040000123456},
        {"2026-11-30T20:00:00+08:00", 1796040000000000},
        {"2026-11-30T08:30:00-03:30", 1796040000000000},
        {"2026-11-30T12:00:00-00:00", 1796040000000000},
        {"1969-12-31T23:59:59.999999Z", -1},
        {"2000-02-29T00:00:00Z", 951782400000000},
        {"0000-01-01T00:00:00Z", -62167219200000000},
        {"9999-12-31T23:59:59Z", 253402300799000000},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t time = 42;
        assert_true(dvl_time_read(cases[i].text, &time));
        assert_int_equal(time, cases[i].time);
    }
}

static void what_is_not_rfc_3339_is_refused(void **state)
{
    static const char *const cases[] = {
        "",
        "2026",
        "2026-11-30",
        "2026-11-30T12:00:00",
        "2026-11-30 12:00:00Z",
        "2026-11-30t12:00:00z",
        "2026-11-30T12:00Z",
        "2026-11-30T12:00:00.Z",
        "2026-11-30T12:00:00,5Z",
        "2026-11-30T24:00:00Z",
        "2026-11-30T12:60:00Z",
        "2026-11-30T12:00:60Z",
        "2026-11-31T12:00:00Z",
        "2026-02-29T12:00:00Z",
        "1900-02-29T12:00:00Z",
        "2026-13-01T12:00:00Z",
        "2026-00-01T12:00:00Z",
        "2026-11-00T12:00:00Z",
        "2026-11-30T12:00:00+8:00",
        "2026-11-30T12:00:00+0800",
        "2026-11-30T12:00:00+24:00",
        "2026-11-30T12:00:00+08:60",
        "2026-11-30T12:00:00Z ",
        " 2026-11-30T12:00:00Z",
        "2026-11-30T12:00:00ZZ",
        "02026-11-30T12:00:00Z",
        "+026-11-30T12:00:00Z",
        "2026-11-30T12:00:0\xd9\xa0Z",
    };
    int64_t time = 42;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(dvl_time_read(cases[i], &time));
        assert_int_equal(time, 42);
    }
    assert_false(dvl_time_read(NULL, &time));
}

static void writing_is_utc_with_microseconds(void **state)
{
    static const struct {
        int64_t time;
        const char *text, *seconds;
    } cases[] = {
        {0, "1970-01-01T00:00:00.000000Z", "1970-01-01T00:00:00Z"},
        {1796025600000000, "2026-11-30T08:00:00.000000Z", "2026-11-30T08:00:00Z"},
        {1796025600999999, "2026-11-30T08:00:00.999999Z", "2026-11-30T08:00:00Z"},
        {-1, "1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59Z"},
        {951782400000000, "2000-02-29T00:00:00.000000Z", "2000-02-29T00:00:00Z"},
        {INT64_MAX, "9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59Z"},
        {INT64_MIN, "0000-01-01T00:00:00.000000Z", "0000-01-01T00:00:00Z"},
    };
    char buffer[DVL_TIME_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(dvl_time_write(cases[i].time, buffer), cases[i].text);
        assert_string_equal(dvl_time_write_seconds(cases[i].time, buffer), cases[i].seconds);
    }
}

static void every_day_of_four_centuries_comes_back(void **state)
{
    char buffer[DVL_TIME_SIZE];
    int64_t time = -11676096000 * SECOND; /* 1600-01-01 */

    (void)state;
    for (int day = 0; day < 146097 * 2; day += 1, time += 86400 * SECOND) {
        int64_t again = 0;
        assert_true(dvl_time_read(dvl_time_write(time, buffer), &again));
        assert_int_equal(again, time);
    }
    assert_string_equal(dvl_time_write(time, buffer), "2400-01-01T00:00:00.000000Z");
}

static void people_may_write_shorter(void **state)
{
    static const struct {
        const char *text;
        int64_t time;
    } cases[] = {
        {"now", 1796040000000000},
        {"today", 1795993200000000},     /* 2026-11-30T00:00 in UTC+1 */
        {"yesterday", 1795906800000000}, /* 2026-11-29T00:00 in UTC+1 */
        {"-2h", 1796032800000000},
        {"-1d12h", 1795910400000000},
        {"-90s", 1796039910000000},
        {"-0s", 1796040000000000},
        {"-2w", 1794830400000000},
        {"@0", 0},
        {"@1796040000", 1796040000000000},
        {"@1796040000.25", 1796040000250000},
        {"2026-11-30", 1795993200000000},
        {"2026-11-30 13:00", 1796040000000000},
        {"2026-11-30T13:00:05", 1796040005000000},
        {"2026-11-30T12:00:00Z", 1796040000000000},
    };

    (void)state;
    assert_int_equal(setenv("TZ", "XYZ-1", 1), 0);
    tzset();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t time = 42;
        assert_true(dvl_time_read_human(cases[i].text, NOON, &time));
        assert_int_equal(time, cases[i].time);
    }
}

static void what_people_may_not_write(void **state)
{
    static const char *const cases[] = {
        "",
        "-",
        "-2",
        "-h",
        "2h",
        "-2x",
        "-2h3",
        "--2h",
        "- 2h",
        "@",
        "@-1",
        "@1.",
        "@1e9",
        "@99999999999999999999",
        "tomorrow",
        "Yesterday",
        "2026-2-30",
        "2026-02-30",
        "2026-11-30 ",
        "2026-11-30 25:00",
        "2026-11-30 12",
        "2026-11-30 12:00:61",
        "2026-11-30 12:00x",
        "-99999999999999999999h",
        "-9999999999999h",
    };
    int64_t time = 42;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(dvl_time_read_human(cases[i], NOON, &time));
        assert_int_equal(time, 42);
    }
    assert_false(dvl_time_read_human(NULL, NOON, &time));
}

static void the_clock_runs(void **state)
{
    int64_t before = (int64_t)time(NULL) * SECOND;
    int64_t now = dvl_time_now();

    (void)state;
    assert_true(now >= before && now < before + 60 * SECOND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rfc_3339_reads),
        cmocka_unit_test(what_is_not_rfc_3339_is_refused),
        cmocka_unit_test(writing_is_utc_with_microseconds),
        cmocka_unit_test(every_day_of_four_centuries_comes_back),
        cmocka_unit_test(people_may_write_shorter),
        cmocka_unit_test(what_people_may_not_write),
        cmocka_unit_test(the_clock_runs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
