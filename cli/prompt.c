/* The prompt of `sql`. Editing and history are libedit's: its licence (BSD)
 * asks nothing of this program, which GNU readline's (GPL) would. It is loaded
 * when a prompt is shown and not linked, because every other start of the
 * program would pay for it and for the terminal library below it; where it is
 * not installed, lines are read plainly. */
#include "prompt.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct prompt {
    void *library;
    char *(*readline)(const char *prompt);
    int (*add_history)(const char *line);
    int (*read_history)(const char *path);
    int (*write_history)(const char *path);
    char *path;
};

/* ISO C has no way from an object's pointer to a function's; POSIX's dlsym needs one. */
static int find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void load(struct prompt *prompt)
{
    prompt->library = isatty(STDIN_FILENO) ? dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!prompt->library)
        return;
    if (!find(prompt->library, "readline", &prompt->readline) ||
        !find(prompt->library, "add_history", &prompt->add_history) ||
        !find(prompt->library, "read_history", &prompt->read_history) ||
        !find(prompt->library, "write_history", &prompt->write_history)) {
        dlclose(prompt->library);
        prompt->library = NULL;
    }
}

struct prompt *prompt_new(const char *history)
{
    struct prompt *prompt = calloc(1, sizeof *prompt);
    if (!prompt)
        return NULL;
    load(prompt);
    prompt->path = prompt->library && history ? strdup(history) : NULL;
    if (prompt->path)
        prompt->read_history(prompt->path);
    return prompt;
}

static char *read_line(void)
{
    size_t room = 256, length = 0;
    char *line = malloc(room);
    int byte = 0;
    while (line && length <= PROMPT_LINE_MOST && (byte = getc(stdin)) != EOF && byte != '\n') {
        /* A NUL would hide what comes behind it; this is no part of any query. */
        line[length++] = (char)(byte ? byte : 1);
        if (length == room) {
            char *more = realloc(line, room *= 2);
            if (!more)
                free(line);
            line = more;
        }
    }
    if (line)
        line[length] = '\0';
    if (length == 0 && byte == EOF) {
        free(line);
        line = NULL;
    }
    return line;
}

char *prompt_line(struct prompt *prompt, const char *text)
{
    if (prompt->library)
        return prompt->readline(text);
    if (isatty(STDIN_FILENO)) {
        fputs(text, stdout);
        fflush(stdout);
    }
    return read_line();
}

void prompt_remember(struct prompt *prompt, const char *text)
{
    if (!prompt->library)
        return;
    prompt->add_history(text);
    if (!prompt->path)
        return;
    mode_t before = umask(0077); /* queries may name what is the user's own */
    prompt->write_history(prompt->path);
    umask(before);
}

void prompt_free(struct prompt *prompt)
{
    /* The library stays: it may have handlers that run at exit. */
    if (prompt)
        free(prompt->path);
    free(prompt);
}
