/* The program: from the command line to one call of the library, and from its
 * answer to text. Every verb is thin: it reads its options into a request,
 * calls, and prints.
 *
 * main.c has the table of verbs and options.c reads the command line by it;
 * call.c opens the ledger and calls; output.c prints values and rows in the
 * form that -o names; one file for each group of verbs lies between. */
#ifndef DEVLEDGER_CLI_H
#define DEVLEDGER_CLI_H

#include "../src/arena.h"
#include "../src/text.h"
#include "../src/value.h"

#include <devledger.h>

/* What the program exits with. */
enum exit_code {
    EXIT_YES = 0,
    EXIT_NO = 1,       /* the answer is no: does not fit, locked, verify found something */
    EXIT_USAGE = 2,    /* also forbidden and unsupported */
    EXIT_INPUT = 3,    /* bad input */
    EXIT_MISSING = 4,  /* not found */
    EXIT_CONFLICT = 5, /* conflict, busy */
    EXIT_BROKEN = 6,   /* database, memory, output that cannot be written */
};

enum format {
    FORMAT_TABLE,
    FORMAT_WIDE,
    FORMAT_JSON,
    FORMAT_YAML,
    FORMAT_CSV,
    FORMAT_NAME,
    FORMAT_PATCH, /* a JSON merge patch with the pod's annotations */
};

struct option {
    const char *name;     /* long, without dashes; NULL ends a table */
    char letter;          /* 0: none */
    const char *argument; /* its name in help; NULL: a flag */
    const char *help;
};

struct given {
    const struct option *option;
    const char *value; /* NULL for flags */
};

struct cli;

struct command {
    const char *name;      /* "get", "config apply" */
    const char *arguments; /* for the usage line: "KIND [NAME]" */
    const char *summary;
    int (*run)(struct cli *cli);
    const struct option *options;
    int least, most; /* number of arguments; most -1: any */
};

struct cli {
    const struct command *command;
    const char *const *arguments; /* after the verb, without options */
    int argument_count;
    struct given *given; /* options in order */
    int given_count;

    struct dvl_ledger *ledger;
    const char *path;       /* of the database */
    const char *subject;    /* what the call is about, for messages; NULL: the first argument */
    struct dvl_arena arena; /* of requests; lives as long as the program */

    bool terminal; /* standard output is one */
    bool color;
    bool local_time;
    enum format format;
};

extern const struct command cli_commands[]; /* ends with a NULL name */
extern const struct option cli_global_options[];

/* ---- options.c ---------------------------------------------------------------- */

/* Reads the whole command line into `cli`; 0, or an exit code after a message. */
int cli_parse(struct cli *cli, int count, char **words);
/* The last value given; NULL. */
const char *cli_text(const struct cli *cli, const char *option);
bool cli_flag(const struct cli *cli, const char *option);
/* The position-th value of an option that may be given many times; NULL at the end. */
const char *cli_many(const struct cli *cli, const char *option, int position);
/* A whole number ≥ 0; `otherwise` when not given. False after a message. */
bool cli_number(const struct cli *cli, const char *option, int64_t otherwise, int64_t *out);
/* The name in a list (ends with NULL) that was probably meant; NULL when none is near. */
const char *cli_nearest(const char *word, const char *const *names);

/* ---- help.c --------------------------------------------------------------------- */

int cli_help_all(void);
int cli_help_command(const struct command *command);
int cli_help_run(struct cli *cli);
int cli_version_run(struct cli *cli);

/* One line on standard output, unless -q; 0, or an exit code. */
int cli_say(const struct cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- call.c --------------------------------------------------------------------- */

enum opening {
    OPEN_READ,       /* the file is there, and not written to */
    OPEN_WRITE,      /* … created when missing */
    OPEN_WRITE_IF,   /* … and only read where writing is not allowed */
    OPEN_READ_FIRST, /* may write when the file lets it; not created */
};

/* One line on standard error: "devledger: what: why". Answers `code`. */
int cli_fail(int code, const char *what, const char *format, ...) __attribute__((format(printf, 3, 4)));
int cli_usage(const struct cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
int cli_exit_code(enum dvl_status status);
/* For memory that could not be had. */
int cli_no_memory(void);

/* The folders above the file, which are the user's alone; 0, or an exit code after a message. */
int cli_make_folders(const char *path);
/* The file of the ledger exists; :memory: does not. */
bool cli_is_there(struct cli *cli);
/* 0, or an exit code after a message. */
int cli_open(struct cli *cli, enum opening opening);
/* Sends a request; 0 and the answer (to be freed), or an exit code after a message. */
int cli_call(struct cli *cli, const struct dvl_value *request, struct dvl_answer **out);
/* The same with rows. */
int cli_call_rows(struct cli *cli, const struct dvl_value *request, dvl_row_function *row, void *context);
/* After a call that failed: the message for it, and its exit code. */
int cli_call_failed(struct cli *cli, enum dvl_status status);
/* The verb and what it is about, as they are named in messages: "get nodes". */
const char *cli_what(const struct cli *cli);

/* ---- request.c ------------------------------------------------------------------ */

/* {"op": op}, in cli->arena; NULL when memory is out, as from all adders. */
struct dvl_value *cli_request(struct cli *cli, const char *op);
/* NULL text adds nothing. */
void cli_set_text(struct cli *cli, struct dvl_value *request, const char *name, const char *text);
void cli_set_number(struct cli *cli, struct dvl_value *request, const char *name, int64_t number);
void cli_set_flag(struct cli *cli, struct dvl_value *request, const char *name, bool flag);
/* An option's value under a name, when it is given. */
void cli_set_option(struct cli *cli, struct dvl_value *request, const char *option, const char *name);

/* --node N… as "nodes". */
void cli_set_nodes(struct cli *cli, struct dvl_value *request);

/* One pod that a verb is about: a name with its namespace, or an object. */
struct cli_pod {
    struct dvl_value *value; /* what stands in a request */
    const char *name;        /* namespace/name, for messages */
};

/* The pods of the command line: names as arguments, files with -f. 0, or an
 * exit code after a message; at least `least`, at most `most` (0: any). */
int cli_pods(struct cli *cli, size_t least, size_t most, struct cli_pod **out, size_t *count);
/* A kind and a name (NULL when there is none), given as two arguments or as
 * kind/name; *kind is in the arena. False when memory is out. */
bool cli_kind_and_name(struct cli *cli, const char **kind, const char **name);
/* The name with its namespace; NULL when memory is out. */
const char *cli_pod_name(struct cli *cli, const char *name);
/* A whole file, or standard input for "-". */
int cli_read_file(struct cli *cli, const char *path, size_t most, struct dvl_buffer *out);
/* Opens a file, or standard input for "-"; NULL after a message. */
FILE *cli_open_file(struct cli *cli, const char *path);

/* ---- words.c -------------------------------------------------------------------- */

/* Appends text from outside so that it can do nothing to a terminal: control
 * characters, broken UTF-8 and signs that turn the direction of writing are
 * spelt out. */
void cli_add_safe(struct dvl_buffer *out, const char *text);
/* The same, but lines keep their ends. */
void cli_add_safe_lines(struct dvl_buffer *out, const char *text);
/* "5d3h"; negative ones are 0s. */
void cli_add_age(struct dvl_buffer *out, int64_t micros);
/* A time of an answer, for people. */
void cli_add_time(struct dvl_buffer *out, const struct cli *cli, const char *text);
/* Text of a time of an answer → microseconds; false when it is none. */
bool cli_read_time(const struct dvl_value *value, int64_t *out);
/* What people type for a time → RFC 3339 in the arena; NULL after a message. */
const char *cli_time_option(struct cli *cli, const char *option);

#endif
