/* Times: what reads, what does not, and the way back. */
#include "moment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void reads(const char *text, int64_t wanted)
{
    int64_t at = -7;
    if (!dvl_moment_read(dvl_span_of(text), &at))
        fail_msg("%s does not read", text);
    assert_int_equal(at, wanted);
}

static void refuses(const char *text)
{
    int64_t at = -7;
    if (dvl_moment_read(dvl_span_of(text), &at))
        fail_msg("%s reads", text);
    assert_int_equal(at, -7);
}

static void test_times_read(void **state)
{
    (void)state;
    reads("1970-01-01T00:00:00Z", 0);
    reads("1970-01-01t00:00:01.5z", 1500000);
    reads("1969-12-31T23:59:59.999999Z", -1);
    reads("2026-11-30T08:00:00+08:00", INT64_C(1795996800000000));
    reads("2024-02-29T12:00:00.1234567Z", INT64_C(1709208000123456));
    reads("2016-12-31T23:59:60Z", INT64_C(1483228800000000));
    reads("9999-12-31T23:59:59.999999Z", INT64_C(253402300799999999));
    reads("0001-01-01T00:00:00Z", INT64_C(-62135596800000000));
}

static void test_what_is_no_time_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "2026-11-30",
                                      "2026-11-30T08:00:00",
                                      "2026-11-30 08:00:00Z",
                                      "2026-13-30T08:00:00Z",
                                      "2026-00-30T08:00:00Z",
                                      "2026-02-29T08:00:00Z",
                                      "1900-02-29T08:00:00Z",
                                      "2026-11-31T08:00:00Z",
                                      "2026-11-30T24:00:00Z",
                                      "2026-11-30T08:60:00Z",
                                      "2026-11-30T08:00:61Z",
                                      "2026-11-30T08:00:00.Z",
                                      "2026-11-30T08:00:00+0800",
                                      "2026-11-30T08:00:00+24:00",
                                      "2026-11-30T08:00:00Zx",
                                      "0000-01-01T00:00:00Z",
                                      "0001-01-01T00:00:00+01:00",
                                      "+026-11-30T08:00:00Z",
                                      "1796025600"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuses(bad[i]);
}

static void writes(int64_t at, const char *wanted)
{
    char text[DVL_MOMENT_SIZE];
    dvl_moment_write(at, text);
    assert_string_equal(text, wanted);
}

static void test_times_are_written_in_utc(void **state)
{
    (void)state;
    writes(0, "1970-01-01T00:00:00.000000Z");
    writes(-1, "1969-12-31T23:59:59.999999Z");
    writes(INT64_C(951782400000001), "2000-02-29T00:00:00.000001Z");
    writes(INT64_MIN, "0001-01-01T00:00:00.000000Z");
    writes(INT64_MAX, "9999-12-31T23:59:59.999999Z");
}

static void test_what_is_written_reads_back(void **state)
{
    (void)state;
    for (int64_t at = INT64_C(-62135596800000000); at < INT64_C(253402300799999999); at += INT64_C(98765432123457)) {
        char text[DVL_MOMENT_SIZE];
        dvl_moment_write(at, text);
        reads(text, at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_read),
        cmocka_unit_test(test_what_is_no_time_is_refused),
        cmocka_unit_test(test_times_are_written_in_utc),
        cmocka_unit_test(test_what_is_written_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
