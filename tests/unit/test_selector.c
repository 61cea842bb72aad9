/* Label selectors: kubectl's language, and what is refused. */
#include "verb/selector.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct dvl_arena arena;
static struct dvl_value *labels;

static int set_up(void **state)
{
    (void)state;
    dvl_arena_init(&arena, 0);
    labels = dvl_value_map(&arena);
    dvl_value_set(labels, "app", dvl_value_string(&arena, "train"));
    dvl_value_set(labels, "volcano.sh/tier", dvl_value_string(&arena, "gold"));
    dvl_value_set(labels, "empty", dvl_value_string(&arena, ""));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    dvl_arena_clear(&arena);
    return 0;
}

static bool matches(const char *text)
{
    struct dvl_selector *selector;
    struct dvl_error error = {0};
    if (dvl_selector_read(&arena, text, &selector, &error))
        fail_msg("%s", error.message);
    return dvl_selector_matches(selector, labels);
}

static void test_what_matches(void **state)
{
    (void)state;
    static const char *const yes[] = {"",
                                      "app",
                                      "!gone",
                                      "app=train",
                                      "app==train",
                                      " app = train , volcano.sh/tier = gold ",
                                      "app!=serve",
                                      "gone!=serve",
                                      "app in (serve, train)",
                                      "app in (train)",
                                      "app notin (serve,idle)",
                                      "gone notin (serve)",
                                      "empty=",
                                      "empty,app",
                                      "app=train,!gone,volcano.sh/tier in (gold,silver)"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (!matches(yes[i]))
            fail_msg("%s does not match", yes[i]);
}

static void test_what_does_not_match(void **state)
{
    (void)state;
    static const char *const no[] = {"gone",        "!app",
                                     "app=Train",   "app=trai",
                                     "app=",        "App=train",
                                     "app!=train",  "app notin (train)",
                                     "gone=",       "app in (serve)",
                                     "gone in (a)", "app=train,gone",
                                     "empty!=",     "volcano.sh/tier in (silver)"};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (matches(no[i]))
            fail_msg("%s matches", no[i]);
}

static void test_what_does_not_read_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {",",         "app,",       "=train",  "app=a b",    "app in train",
                                      "app in (a", "app on (a)", "app in",  "!app=train", "!",
                                      "app>1",     "app)",       "app=a=b", "app=(a)"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct dvl_selector *selector;
        struct dvl_error error = {0};
        if (dvl_selector_read(&arena, bad[i], &selector, &error) != DVL_BAD_INPUT)
            fail_msg("%s reads", bad[i]);
        assert_non_null(error.message[0] ? error.message : NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_matches, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_does_not_match, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_does_not_read_is_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
