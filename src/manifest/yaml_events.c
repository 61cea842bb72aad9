/* libyaml with bounds.
 *
 * libyaml looks at its whole stack for every token, so that a text of nothing
 * but brackets costs it the square of its length. It gives an event as soon as
 * no simple key can begin there, which is after 1024 characters at the latest:
 * counting the depth of the events stops such a text within its first kilobytes. */
#include "yaml_events.h"

#include "manifest.h"

#include <limits.h>
#include <string.h>

enum {
    LOOK_AHEAD = 64 * 1024, /* bytes that libyaml may have taken beyond its event */
    TAG_LINES_MAX = 64,
};

/* libyaml compares each %TAG line with all before it, and gives no event until
 * they have ended. */
static bool too_many_tag_lines(struct dvl_yaml *yaml, const char *line, size_t length)
{
    static const char directive[] = "%TAG";
    if (!yaml->mid_line && length >= strlen(directive) && memcmp(line, directive, strlen(directive)) == 0)
        yaml->tag_lines++;
    yaml->mid_line = length > 0 && line[length - 1] != '\n';
    return yaml->tag_lines > TAG_LINES_MAX;
}

static int give(void *context, unsigned char *buffer, size_t size, size_t *length)
{
    struct dvl_yaml *yaml = context;
    if (yaml->given > yaml->given_max) {
        yaml->stop = "one object is larger than 16 MiB";
        return 0;
    }
    *length = dvl_input_line(yaml->input, (char *)buffer, size);
    yaml->given += *length;
    if (too_many_tag_lines(yaml, (const char *)buffer, *length)) {
        yaml->stop = "too many %TAG directives";
        return 0;
    }
    return *length > 0 || !yaml->input->failed;
}

static enum dvl_status open_parser(struct dvl_yaml *yaml, struct dvl_error *error)
{
    if (!yaml_parser_initialize(&yaml->parser))
        return dvl_error_memory(error);
    yaml->has_parser = true;
    yaml_parser_set_encoding(&yaml->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input(&yaml->parser, give, yaml);
    return DVL_OK;
}

enum dvl_status dvl_yaml_open(struct dvl_yaml *yaml, struct dvl_input *input, struct dvl_error *error)
{
    *yaml = (struct dvl_yaml){.input = input,
                              .name = input->name,
                              .lines_before = input->line - 1,
                              .values_max = DVL_ITEM_VALUES_MAX,
                              .given_max = DVL_ITEM_SIZE_MAX + LOOK_AHEAD};
    return open_parser(yaml, error);
}

enum dvl_status dvl_yaml_open_text(struct dvl_yaml *yaml, struct dvl_span text, struct dvl_error *error)
{
    *yaml = (struct dvl_yaml){.values_max = DVL_TEXT_VALUES_MAX, .given_max = SIZE_MAX};
    dvl_input_text(&yaml->text, text);
    yaml->input = &yaml->text;
    return open_parser(yaml, error);
}

static void drop_event(struct dvl_yaml *yaml)
{
    if (yaml->has_event)
        yaml_event_delete(&yaml->event);
    yaml->has_event = false;
}

void dvl_yaml_close(struct dvl_yaml *yaml)
{
    drop_event(yaml);
    if (yaml->has_parser)
        yaml_parser_delete(&yaml->parser);
    yaml->has_parser = false;
}

void dvl_yaml_begin_object(struct dvl_yaml *yaml)
{
    yaml->values = 0;
    yaml->tag_lines = 0;
    yaml->given_max = yaml->given + DVL_ITEM_SIZE_MAX + LOOK_AHEAD;
}

static int line_of(const struct dvl_yaml *yaml, size_t index)
{
    size_t line = (size_t)yaml->lines_before + index + 1;
    return line < INT_MAX ? (int)line : INT_MAX;
}

int dvl_yaml_line(const struct dvl_yaml *yaml)
{
    return line_of(yaml, yaml->event.start_mark.line);
}

/* ---- What is refused ---- */

static enum dvl_status report_parser(struct dvl_yaml *yaml, struct dvl_error *error)
{
    const yaml_parser_t *parser = &yaml->parser;
    if (parser->error == YAML_MEMORY_ERROR)
        return dvl_error_memory(error);
    if (yaml->input->failed)
        return dvl_input_end(yaml->input, error);
    bool of_reader = parser->error == YAML_READER_ERROR;
    int line = line_of(yaml, of_reader ? parser->mark.line : parser->problem_mark.line);
    if (yaml->stop)
        return dvl_report(error, yaml->name, line, "%s", yaml->stop);
    const char *problem = parser->problem ? parser->problem : "the text can't be read";
    if (parser->context)
        return dvl_report(error, yaml->name, line, "%s: %s", parser->context, problem);
    return dvl_report(error, yaml->name, line, "%s", problem);
}

static enum dvl_status refuse(struct dvl_yaml *yaml, const char *what, struct dvl_error *error)
{
    return dvl_report(error, yaml->name, dvl_yaml_line(yaml), "%s", what);
}

static enum dvl_status check_node(struct dvl_yaml *yaml, const unsigned char *anchor, struct dvl_error *error)
{
    if (anchor)
        return refuse(yaml, "anchors and aliases are not taken", error);
    if (yaml->values == yaml->values_max)
        return refuse(yaml, "too many values in one object", error);
    yaml->values++;
    return DVL_OK;
}

static enum dvl_status check_nest(struct dvl_yaml *yaml, const unsigned char *anchor, struct dvl_error *error)
{
    if (yaml->depth == DVL_DEPTH_MAX)
        return refuse(yaml, "lists and maps are nested too deep (64 levels are allowed)", error);
    yaml->depth++;
    return check_node(yaml, anchor, error);
}

static enum dvl_status check_event(struct dvl_yaml *yaml, struct dvl_error *error)
{
    const yaml_event_t *event = &yaml->event;
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return refuse(yaml, "anchors and aliases are not taken", error);
    case YAML_SCALAR_EVENT:
        if (memchr(event->data.scalar.value, '\0', event->data.scalar.length))
            return refuse(yaml, "\\0 is not allowed in a string", error);
        return check_node(yaml, event->data.scalar.anchor, error);
    case YAML_SEQUENCE_START_EVENT:
        return check_nest(yaml, event->data.sequence_start.anchor, error);
    case YAML_MAPPING_START_EVENT:
        return check_nest(yaml, event->data.mapping_start.anchor, error);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        yaml->depth--;
        return DVL_OK;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_START_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        return DVL_OK;
    }
    return DVL_OK;
}

enum dvl_status dvl_yaml_next(struct dvl_yaml *yaml, struct dvl_error *error)
{
    drop_event(yaml);
    if (!yaml_parser_parse(&yaml->parser, &yaml->event))
        return report_parser(yaml, error);
    yaml->has_event = true;
    return check_event(yaml, error);
}
