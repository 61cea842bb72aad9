/* Bytes from a file, and what the first of them say about the rest. */
#include "input.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

size_t dvl_mark_length(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

void dvl_input_text(struct dvl_input *input, struct dvl_span text)
{
    *input = (struct dvl_input){.text = text, .line = 1};
}

static int read_byte(struct dvl_input *input)
{
    if (!input->file) {
        if (!input->text.length)
            return EOF;
        input->text.length--;
        return (unsigned char)*input->text.start++;
    }
    int byte = getc_unlocked(input->file); /* the file is the reader's alone */
    if (byte == EOF && ferror_unlocked(input->file)) {
        input->failed = true;
        input->cause = errno;
    }
    return byte;
}

int dvl_input_byte(struct dvl_input *input)
{
    if (input->ahead_at < input->ahead_length)
        return (unsigned char)input->ahead[input->ahead_at++];
    return input->failed ? EOF : read_byte(input);
}

size_t dvl_input_line(struct dvl_input *input, char *buffer, size_t size)
{
    size_t length = 0;
    while (length < size) {
        int byte = dvl_input_byte(input);
        if (byte == EOF)
            break;
        buffer[length++] = (char)byte;
        if (byte == '\n')
            break;
    }
    return length;
}

enum dvl_status dvl_input_end(const struct dvl_input *input, struct dvl_error *error)
{
    if (!input->failed)
        return DVL_OK;
    return dvl_report(error, input->name, 0, "can't be read: %s", strerror(input->cause ? input->cause : EIO));
}

/* ---- The beginning ---- */

/* The byte order mark of UTF-8 is skipped; what looks like one of UTF-16 can't
 * be anything else, since UTF-8 has no byte FE or FF. */
static enum dvl_status skip_mark(struct dvl_input *input, int *first, struct dvl_error *error)
{
    if (*first == 0xFE || *first == 0xFF)
        return dvl_report(error, input->name, 1, "the text looks like UTF-16; only UTF-8 is read");
    if (*first != 0xEF)
        return DVL_OK;
    int second = read_byte(input), third = read_byte(input);
    if (second != 0xBB || third != 0xBF)
        return dvl_report(error, input->name, 1, "the text does not begin like YAML or JSON in UTF-8");
    *first = read_byte(input);
    return DVL_OK;
}

enum dvl_status dvl_input_open(struct dvl_input *input, FILE *file, const char *name, bool *json,
                               struct dvl_error *error)
{
    *input = (struct dvl_input){.file = file, .name = name, .line = 1};
    int byte = read_byte(input);
    enum dvl_status status = skip_mark(input, &byte, error);
    if (status != DVL_OK)
        return status;
    /* In YAML the blanks before the first word are its indentation. */
    for (; byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n'; byte = read_byte(input)) {
        if (byte == '\n') {
            input->line += input->line < INT_MAX;
            input->ahead_length = 0;
        } else if (input->ahead_length < sizeof input->ahead - 1) {
            input->ahead[input->ahead_length++] = (char)byte;
        }
    }
    *json = byte == '{' || byte == '[';
    if (byte != EOF)
        input->ahead[input->ahead_length++] = (char)byte;
    return input->failed ? dvl_input_end(input, error) : DVL_OK;
}
