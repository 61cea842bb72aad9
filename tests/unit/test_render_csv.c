/* CSV out: quoting, nulls, nested values. */
#include "render/csv.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void test_fields_are_quoted_when_they_must_be(void **state)
{
    (void)state;
    struct dvl_arena arena;
    struct dvl_buffer out;
    dvl_arena_init(&arena, 0);
    dvl_buffer_init(&out);
    struct dvl_value *row = dvl_value_map(&arena);
    dvl_value_set(row, "plain", dvl_value_string(&arena, "n1"));
    dvl_value_set(row, "comma, here", dvl_value_string(&arena, "a,b"));
    dvl_value_set(row, "quote", dvl_value_string(&arena, "say \"so\""));
    dvl_value_set(row, "line", dvl_value_string(&arena, "a\r\nb"));
    dvl_value_set(row, "blank", dvl_value_string(&arena, " a"));
    dvl_value_set(row, "null", dvl_value_null(&arena));
    dvl_value_set(row, "bool", dvl_value_bool(&arena, true));
    dvl_value_set(row, "number", dvl_value_int(&arena, 42));
    struct dvl_value *map = dvl_value_set(row, "map", dvl_value_map(&arena));
    dvl_value_set(map, "a", dvl_value_int(&arena, 1));
    dvl_csv_write_header(&out, row);
    dvl_csv_write_row(&out, row);
    assert_string_equal(out.text, "plain,\"comma, here\",quote,line,blank,null,bool,number,map\r\n"
                                  "n1,\"a,b\",\"say \"\"so\"\"\",\"a\r\nb\",\" a\",,true,42,\"{\"\"a\"\":1}\"\r\n");
    dvl_buffer_clear(&out);
    dvl_arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fields_are_quoted_when_they_must_be)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
