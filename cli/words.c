/* Words for people: ages, times, and text from outside made harmless. */
#include "cli.h"

#include "../src/render/utf8.h"
#include "../src/timestamp.h"

#include <string.h>
#include <time.h>

static void add_safe(struct dvl_buffer *out, const char *text, bool lines)
{
    for (size_t at = 0, length = strlen(text); at < length;) {
        uint32_t character;
        size_t size = dvl_utf8_read(text + at, length - at, &character);
        bool end = lines && (text[at] == '\n' || (text[at] == '\r' && text[at + 1] == '\n'));
        if (size && (end || !dvl_utf8_is_unsafe(character)))
            dvl_buffer_add(out, text + at, size);
        else if (size && character == '\n')
            dvl_buffer_text(out, "\\n");
        else if (size && character == '\t')
            dvl_buffer_text(out, "\\t");
        else if (size > 1)
            dvl_buffer_format(out, "\\u%04x", (unsigned)character);
        else
            dvl_buffer_format(out, "\\x%02x", (unsigned)(uint8_t)text[at]);
        at += size ? size : 1;
    }
}

void cli_add_safe(struct dvl_buffer *out, const char *text)
{
    add_safe(out, text, false);
}

void cli_add_safe_lines(struct dvl_buffer *out, const char *text)
{
    add_safe(out, text, true);
}

void cli_add_age(struct dvl_buffer *out, int64_t micros)
{
    static const struct {
        int64_t below; /* in seconds */
        int64_t unit, part;
        const char *unit_name, *part_name;
    } forms[] = {
        {120, 1, 0, "s", ""},
        {600, 60, 1, "m", "s"},
        {3 * 3600, 60, 0, "m", ""},
        {8 * 3600, 3600, 60, "h", "m"},
        {48 * 3600, 3600, 0, "h", ""},
        {8 * 86400, 86400, 3600, "d", "h"},
        {2 * 365 * 86400, 86400, 0, "d", ""},
        {INT64_C(8) * 365 * 86400, 365 * 86400, 86400, "y", "d"},
        {INT64_MAX, 365 * 86400, 0, "y", ""},
    };
    int64_t seconds = micros > 0 ? micros / 1000000 : 0;
    size_t form = 0;
    while (seconds >= forms[form].below)
        form++;
    dvl_buffer_format(out, "%lld%s", (long long)(seconds / forms[form].unit), forms[form].unit_name);
    int64_t rest = seconds % forms[form].unit;
    if (forms[form].part && rest / forms[form].part > 0)
        dvl_buffer_format(out, "%lld%s", (long long)(rest / forms[form].part), forms[form].part_name);
}

bool cli_read_time(const struct dvl_value *value, int64_t *out)
{
    const char *text = dvl_value_kind(value) == DVL_VALUE_STRING ? value->text : NULL;
    return text && dvl_time_read(text, out);
}

void cli_add_time(struct dvl_buffer *out, const struct cli *cli, const char *text)
{
    int64_t at;
    struct tm parts;
    char written[64];
    if (!cli->local_time || !dvl_time_read(text, &at)) {
        cli_add_safe(out, text);
        return;
    }
    time_t seconds = (time_t)(at / 1000000 - (at % 1000000 < 0));
    if (!localtime_r(&seconds, &parts) || !strftime(written, sizeof written, "%Y-%m-%d %H:%M:%S", &parts)) {
        cli_add_safe(out, text);
        return;
    }
    dvl_buffer_text(out, written);
}

const char *cli_time_option(struct cli *cli, const char *option)
{
    const char *text = cli_text(cli, option);
    int64_t at;
    char written[DVL_TIME_SIZE];
    if (!dvl_time_read_human(text, dvl_time_now(), &at)) {
        cli_usage(cli, "--%s takes a time, such as 2026-11-30T08:00:00Z, yesterday, -2h or @1796025600, not \"%s\"",
                  option, text);
        return NULL;
    }
    const char *read = dvl_arena_text(&cli->arena, dvl_time_write(at, written));
    if (!read)
        cli_no_memory();
    return read;
}
