/* Opening and closing a ledger: the store, who acts, and the configuration
 * cache. What can be asked of it is in verb/. */
#include "call.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WAIT_MS = 5000, LOCK_SECONDS = 300, LOCK_SECONDS_MAX = 7 * 86400 };

static const char *const status_names[] = {
    [DVL_OK] = "ok",
    [DVL_BAD_INPUT] = "bad_input",
    [DVL_NOT_FOUND] = "not_found",
    [DVL_CONFLICT] = "conflict",
    [DVL_NO_FIT] = "no_fit",
    [DVL_LOCKED] = "locked",
    [DVL_BUSY] = "busy",
    [DVL_FORBIDDEN] = "forbidden",
    [DVL_DATABASE] = "database",
    [DVL_NO_MEMORY] = "no_memory",
    [DVL_UNSUPPORTED] = "unsupported",
};

const char *dvl_status_name(enum dvl_status status)
{
    size_t number = (size_t)status;
    return number < sizeof status_names / sizeof status_names[0] ? status_names[number] : "database";
}

const char *dvl_version(void)
{
    return DVL_VERSION;
}

/* The name in the audit log when nobody says another: of the real user. */
static char *user_name(void)
{
    char buffer[4096], number[32];
    struct passwd entry, *found = NULL;
    if (getpwuid_r(getuid(), &entry, buffer, sizeof buffer, &found) == 0 && found && found->pw_name[0])
        return strdup(found->pw_name);
    snprintf(number, sizeof number, "uid:%u", (unsigned)getuid());
    return strdup(number);
}

static enum dvl_status check_options(const struct dvl_open_options *options, struct dvl_error *error)
{
    if (!options->path || !options->path[0])
        return dvl_error_set(error, DVL_BAD_INPUT, "no database was named");
    if (options->lock_seconds < 0 || options->lock_seconds > LOCK_SECONDS_MAX)
        return dvl_error_set(error, DVL_BAD_INPUT, "the term of a lock is 1 to %d seconds", LOCK_SECONDS_MAX);
    if (options->actor && (!options->actor[0] || strlen(options->actor) > 256 ||
                           !dvl_text_utf8_valid(options->actor, strlen(options->actor))))
        return dvl_error_set(error, DVL_BAD_INPUT, "an actor's name is 1 to 256 bytes of UTF-8");
    return DVL_OK;
}

static enum dvl_status fill(struct dvl_ledger *ledger, const struct dvl_open_options *options, struct dvl_error *error)
{
    dvl_arena_init(&ledger->config_arena, 0);
    ledger->config_ids[0] = ledger->config_ids[1] = -1;
    ledger->lock_term = (options->lock_seconds ? options->lock_seconds : LOCK_SECONDS) * 1000000;
    ledger->actor = options->actor ? strdup(options->actor) : user_name();
    ledger->command = strdup(options->command ? options->command : "library");
    if (!ledger->actor || !ledger->command)
        return dvl_error_memory(error);
    const struct dvl_store_options store = {.path = options->path,
                                            .durability = options->durability,
                                            .wait_ms = options->wait_ms == 0  ? WAIT_MS
                                                       : options->wait_ms < 0 ? 0
                                                                              : options->wait_ms,
                                            .read_only = options->read_only,
                                            .create = options->create};
    enum dvl_status status = dvl_store_open(&store, &ledger->store, error);
    return status == DVL_OK ? dvl_ledger_prepare(ledger, error) : status;
}

enum dvl_status dvl_ledger_open(const struct dvl_open_options *options, struct dvl_ledger **out, char *message,
                                size_t message_size)
{
    struct dvl_error error;
    dvl_error_clear(&error);
    *out = NULL;
    struct dvl_ledger *ledger = NULL;
    enum dvl_status status = check_options(options, &error);
    if (status == DVL_OK) {
        ledger = calloc(1, sizeof *ledger);
        status = ledger ? fill(ledger, options, &error) : dvl_error_memory(&error);
    }
    if (message && message_size)
        snprintf(message, message_size, "%s", error.message);
    if (status == DVL_OK)
        *out = ledger;
    else
        dvl_ledger_close(ledger);
    return status;
}

void dvl_ledger_close(struct dvl_ledger *ledger)
{
    if (!ledger)
        return;
    if (ledger->store)
        dvl_store_close(ledger->store);
    dvl_arena_clear(&ledger->config_arena);
    free(ledger->actor);
    free(ledger->command);
    free(ledger);
}

const char *dvl_ledger_error(const struct dvl_ledger *ledger)
{
    return ledger->error.message;
}
