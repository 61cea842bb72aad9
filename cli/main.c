/* The table of verbs, and the frame around one of them: read the command line,
 * run, see to it that what was printed arrived. */
#include "cmd.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define OPTION_OUTPUT(forms)                                                                                           \
    {                                                                                                                  \
        "output", 'o', "FORM", "what is printed: " forms                                                               \
    }
#define OPTION_NAMESPACE                                                                                               \
    {                                                                                                                  \
        "namespace", 'n', "NS", "the namespace of pods that are named without one (default: default)"                  \
    }
#define OPTION_FILE(help)                                                                                              \
    {                                                                                                                  \
        "filename", 'f', "FILE", help                                                                                  \
    }
#define END                                                                                                            \
    {                                                                                                                  \
        NULL, 0, NULL, NULL                                                                                            \
    }

#define FORMS_ROWS "table, wide, json, yaml, csv or name"
#define FORMS_VALUE "table, json or yaml"
#define FORMS_PLACED "table, json, yaml or patch"

const struct option cli_global_options[] = {
    {"db", 0, "PATH", "the ledger's file (else $DEVLEDGER_DB, else a file below $XDG_STATE_HOME)"},
    {"actor", 0, "NAME", "who does this, for the audit log (default: your user name)"},
    {"wait", 0, "SECONDS", "how long to queue for the writer's turn (default: 5)"},
    {"durability", 0, "LEVEL", "full (default): what was said is kept even when the power fails; normal"},
    {"color", 0, "WHEN", "colours in tables: auto (on a terminal, without $NO_COLOR), always, never"},
    {"utc", 0, NULL, "times in UTC on a terminal, too"},
    {"quiet", 'q', NULL, "no lines that only say what was done"},
    {"verbose", 'v', NULL, "say on standard error which file was used, and how long it took"},
    {"help", 'h', NULL, "help, also after a verb"},
    {"version", 0, NULL, "the program's version"},
    END,
};

static const struct option apply_options[] = {
    OPTION_FILE("a manifest, JSON or YAML; - is standard input; may be given many times"),
    {"dry-run", 0, NULL, "say what would be done, and keep nothing"},
    {"prune", 0, NULL, "retire nodes and pods that the files have no more"},
    OPTION_OUTPUT("table, json, yaml or name"),
    END,
};
static const struct option config_options[] = {
    OPTION_FILE("a scheduler or device configuration, bare or in a ConfigMap; - is standard input"),
    OPTION_OUTPUT(FORMS_VALUE),
    END,
};
static const struct option check_options[] = {
    OPTION_FILE("a scheduler or device configuration, bare or in a ConfigMap; - is standard input"),
    END,
};
static const struct option value_options[] = {OPTION_OUTPUT(FORMS_VALUE), END};
static const struct option delete_options[] = {OPTION_NAMESPACE, OPTION_OUTPUT(FORMS_VALUE), END};
static const struct option get_options[] = {
    OPTION_OUTPUT(FORMS_ROWS),
    {"namespace", 'n', "NS", "only what is in this namespace"},
    {"all-namespaces", 'A', NULL, "all namespaces; so it is without -n"},
    {"selector", 'l', "SELECTOR", "only rows whose node or pod has these labels: a=b,c!=d,e in (f,g),!h"},
    {"node", 0, "NODE", "only what is on this node"},
    {"backend", 0, "BACKEND", "only what is of this backend, under either of its names"},
    {"pod", 0, "POD", "only what is of this pod"},
    {"all", 0, NULL, "also what is gone: retired, released, closed"},
    {"sort-by", 0, "FIELD", "order by a field; -FIELD: the other way round"},
    {"limit", 0, "N", "no more than N rows"},
    {"no-headers", 0, NULL, "no header line in tables and CSV"},
    END,
};
static const struct option describe_options[] = {
    OPTION_NAMESPACE,
    {"backend", 0, "BACKEND", "which backend's device is meant"},
    {"all", 0, NULL, "also what is gone"},
    OPTION_OUTPUT(FORMS_VALUE),
    END,
};
static const struct option filter_options[] = {
    OPTION_FILE("the pod's manifest; - is standard input"),
    OPTION_NAMESPACE,
    {"node", 0, "NODE", "only this node; may be given many times"},
    {"explain", 0, NULL, "also why, device by device"},
    OPTION_OUTPUT(FORMS_ROWS),
    {"no-headers", 0, NULL, "no header line in tables and CSV"},
    END,
};
static const struct option score_options[] = {
    OPTION_FILE("the pod's manifest; - is standard input"),         OPTION_NAMESPACE,
    {"node", 0, "NODE", "only this node; may be given many times"}, OPTION_OUTPUT(FORMS_ROWS),
    {"no-headers", 0, NULL, "no header line in tables and CSV"},    END,
};
static const struct option schedule_options[] = {
    OPTION_FILE("manifests of pods; - is standard input; may be given many times"),
    OPTION_NAMESPACE,
    {"node", 0, "NODE", "only this node; may be given many times"},
    {"ttl", 0, "TIME", "the reservation ends after this time unless it is bound: 90s, 10m, 2h"},
    {"bind", 0, NULL, "bind, too"},
    {"dry-run", 0, NULL, "choose, and allocate nothing"},
    OPTION_OUTPUT(FORMS_PLACED),
    END,
};
static const struct option allocate_options[] = {
    OPTION_FILE("the pod's manifest; - is standard input"),
    OPTION_NAMESPACE,
    {"node", 0, "NODE", "the node to allocate on"},
    {"ttl", 0, "TIME", "the reservation ends after this time unless it is bound: 90s, 10m, 2h"},
    OPTION_OUTPUT(FORMS_PLACED),
    END,
};
static const struct option bind_options[] = {
    OPTION_FILE("the pod's manifest; - is standard input"),
    OPTION_NAMESPACE,
    {"node", 0, "NODE", "refuse when the pod is allocated on another node"},
    OPTION_OUTPUT(FORMS_PLACED),
    END,
};
static const struct option release_options[] = {
    OPTION_FILE("the pod's manifest; - is standard input"),
    OPTION_NAMESPACE,
    OPTION_OUTPUT(FORMS_PLACED),
    END,
};
static const struct option lock_options[] = {
    {"name", 0, "NAME", "which lock (default: the only one of the backends that are on)"},
    {"holder", 0, "HOLDER", "for whom (default: the actor)"},
    OPTION_OUTPUT(FORMS_VALUE),
    END,
};
static const struct option log_options[] = {
    {"follow", 0, NULL, "go on as events come"},
    {"since", 0, "TIME", "only from then on: RFC 3339, yesterday, -2h, @seconds"},
    {"until", 0, "TIME", "only before then"},
    {"pod", 0, "POD", "only of this pod"},
    {"node", 0, "NODE", "only of this node"},
    {"namespace", 'n', "NS", "only of pods in this namespace"},
    {"limit", 0, "N", "only the last N"},
    OPTION_OUTPUT(FORMS_ROWS),
    {"no-headers", 0, NULL, "no header line in tables and CSV"},
    END,
};
static const struct option verify_options[] = {
    {"expect", 0, "HASH", "also say whether this hash is in the chain"},
    OPTION_OUTPUT(FORMS_VALUE),
    END,
};
static const struct option sql_options[] = {
    {"param", 0, "NAME=VALUE", "the value of :NAME in the query; may be given many times"},
    OPTION_OUTPUT("table, wide, json, yaml or csv"),
    {"no-headers", 0, NULL, "no header line in tables and CSV"},
    END,
};

const struct command cli_commands[] = {
    {"init", "", "create the ledger", run_init, NULL, 0, 0},
    {"config apply", "-f FILE", "take a scheduler or device configuration", run_config_apply, config_options, 0, 0},
    {"config check", "-f FILE", "say whether a configuration would be taken", run_config_check, check_options, 0, 0},
    {"config show", "", "show the configuration in force, and its backends", run_config_show, value_options, 0, 0},
    {"apply", "-f FILE...", "take in nodes, pods and ConfigMaps", run_apply, apply_options, 0, -1},
    {"delete", "node|pod NAME", "retire a node or pod, and release what it holds", run_delete, delete_options, 1, 2},
    {"get", "KIND [NAME]",
     "show nodes, devices, pods, allocations, locks, downgrades, events, findings, conflicts, configs", run_get,
     get_options, 1, 2},
    {"describe", "node|device|pod NAME", "show everything about one", run_describe, describe_options, 1, 2},
    {"filter", "POD", "which nodes take a pod", run_filter, filter_options, 0, -1},
    {"score", "POD", "how well nodes take a pod", run_score, score_options, 0, -1},
    {"schedule", "POD...", "choose the best node and allocate on it", run_schedule, schedule_options, 0, -1},
    {"allocate", "POD --node NODE", "give a pod its devices on a node", run_allocate, allocate_options, 0, -1},
    {"bind", "POD", "say that a pod runs where it was allocated", run_bind, bind_options, 0, -1},
    {"release", "POD", "give back what a pod holds", run_release, release_options, 0, -1},
    {"lock", "NODE", "take a node's lock", run_lock, lock_options, 1, 1},
    {"unlock", "NODE", "give a node's lock back", run_unlock, lock_options, 1, 1},
    {"log", "", "show what was changed, by whom, newest last", run_log, log_options, 0, 0},
    {"verify", "", "check the ledger: chain, sums, file", run_verify, verify_options, 0, 0},
    {"backup", "FILE", "write a consistent copy while others go on", run_backup, NULL, 1, 1},
    {"sql", "[QUERY]", "ask in SQL, read-only; without a query: a prompt", run_sql, sql_options, 0, 1},
    {"batch", "", "JSON lines in, JSON lines out, for other programs", run_batch, NULL, 0, 0},
    {"help", "[VERB]", "say how verbs are used", cli_help_run, NULL, 0, 2},
    {"version", "", "say which version this is", cli_version_run, NULL, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};

/* Output is UTF-8, and a terminal's columns are counted so, whatever the locale. */
static void set_locale(void)
{
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        setlocale(LC_CTYPE, "C.UTF-8");
}

/* --color before NO_COLOR before what the terminal is. */
static int set_looks(struct cli *cli)
{
    const char *color = cli_text(cli, "color"), *none = getenv("NO_COLOR"), *kind = getenv("TERM");
    cli->terminal = isatty(STDOUT_FILENO);
    cli->local_time = cli->terminal && !cli_flag(cli, "utc");
    cli->color = cli->terminal && !(none && *none) && !(kind && strcmp(kind, "dumb") == 0);
    if (!color || strcmp(color, "auto") == 0)
        return 0;
    cli->color = strcmp(color, "always") == 0;
    if (!cli->color && strcmp(color, "never") != 0)
        return cli_usage(cli, "--color is auto, always or never, not \"%s\"", color);
    return 0;
}

static int run(struct cli *cli)
{
    int code = set_looks(cli);
    if (code)
        return code;
    if (cli_flag(cli, "version"))
        return cli_version_run(cli);
    if (cli_flag(cli, "help"))
        return cli->command ? cli_help_command(cli->command) : cli_help_all();
    if (!cli->command)
        return cli_usage(cli, "a verb is missing: \"devledger help\" lists them");
    return cli->command->run(cli);
}

/* What could not be written is a failure, unless nobody wanted to read it. */
static int close_output(int code)
{
    errno = 0;
    bool failed = fflush(stdout) != 0 || ferror(stdout);
    if (!failed && close(STDOUT_FILENO) == 0)
        return code;
    if (errno == EPIPE || (errno == EBADF && !failed))
        return code;
    return cli_fail(EXIT_BROKEN, "standard output", "%s", errno ? strerror(errno) : "it could not be written");
}

static void say_more(const struct cli *cli, const struct timespec *began)
{
    struct timespec now;
    if (!cli_flag(cli, "verbose") || !cli->path)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double ms = (double)(now.tv_sec - began->tv_sec) * 1e3 + (double)(now.tv_nsec - began->tv_nsec) / 1e6;
    cli_fail(0, cli->command->name, "%s, %.1f ms", cli->path, ms);
}

int main(int count, char **words)
{
    struct cli cli = {0};
    struct timespec began;
    clock_gettime(CLOCK_MONOTONIC, &began);
    set_locale();
    dvl_arena_init(&cli.arena, 0);
    int code = cli_parse(&cli, count - 1, words + 1);
    if (!code)
        code = run(&cli);
    dvl_ledger_close(cli.ledger);
    code = close_output(code);
    say_more(&cli, &began);
    dvl_arena_clear(&cli.arena);
    return code;
}
