/* Many processes want the same two cards. Never more than the cards have, no
 * answer but "here you are" and "does not fit", and a file that verifies.
 *
 *     compete [PROCESSES [TRIES]]
 *
 * Each process tries to allocate TRIES pods of its own; some it releases
 * again. What the processes say they hold must be what the ledger holds. */
#include <devledger.h>

#include "support/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CARD_MEMORY = 8000, SLICE = 3000, CARDS = 2 };

static struct scratch scratch;

static struct dvl_ledger *open_ledger(void)
{
    struct dvl_ledger *ledger;
    char message[512];
    const struct dvl_open_options options = {
        .path = scratch.path, .actor = "compete", .wait_ms = 60000, .create = true};
    if (dvl_ledger_open(&options, &ledger, message, sizeof message) != DVL_OK) {
        fprintf(stderr, "open: %s\n", message);
        exit(2);
    }
    return ledger;
}

static enum dvl_status call(struct dvl_ledger *ledger, const char *request)
{
    struct dvl_answer *answer;
    enum dvl_status status = dvl_call(ledger, request, strlen(request), &answer);
    dvl_answer_free(answer);
    return status;
}

static bool set_up(void)
{
    struct dvl_ledger *ledger = open_ledger();
    char node[512];
    snprintf(node, sizeof node,
             "{\"op\":\"apply\",\"object\":{\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"},\"status\":{\"capacity\":"
             "{\"volcano.sh/gpu-memory\":\"%d\",\"volcano.sh/gpu-number\":\"%d\"}}}}",
             CARD_MEMORY * CARDS, CARDS);
    bool good = call(ledger, "{\"op\":\"config\",\"scheduler\":{\"deviceshare.GPUSharingEnable\":true}}") == DVL_OK &&
                call(ledger, node) == DVL_OK;
    dvl_ledger_close(ledger);
    return good;
}

static enum dvl_status allocate(struct dvl_ledger *ledger, int number, int try)
{
    char request[512];
    snprintf(request, sizeof request,
             "{\"op\":\"allocate\",\"node\":\"n1\",\"pod\":{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p-%d-%d\"},"
             "\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\":{\"limits\":{\"volcano.sh/gpu-memory\":"
             "\"%d\"}}}]}}}",
             number, try, SLICE);
    return call(ledger, request);
}

/* One competitor: its exit code is how many slices it holds at the end, 200
 * when anything else than a fit or a refusal was answered. */
static int compete(int number, int tries)
{
    struct dvl_ledger *ledger = open_ledger();
    int held = 0;
    for (int try = 0; try < tries; try++) {
        enum dvl_status status = allocate(ledger, number, try);
        bool released = false;
        if (status == DVL_OK && (number + try) % 2) {
            char request[128];
            snprintf(request, sizeof request, "{\"op\":\"release\",\"pod\":\"default/p-%d-%d\"}", number, try);
            released = call(ledger, request) == DVL_OK;
        }
        if ((status != DVL_OK && status != DVL_NO_FIT) || (status == DVL_OK && (number + try) % 2 && !released)) {
            fprintf(stderr, "process %d: %s\n", number, dvl_ledger_error(ledger));
            held = 200;
            break;
        }
        held += status == DVL_OK && !released;
    }
    dvl_ledger_close(ledger);
    return held;
}

static int64_t number_of(struct dvl_ledger *ledger, const char *request)
{
    struct dvl_answer *answer;
    int64_t number = -1;
    if (dvl_call(ledger, request, strlen(request), &answer) == DVL_OK) {
        const struct dvl_value *items = dvl_value_get(dvl_answer_value(answer), "items");
        dvl_value_integer(dvl_value_first(dvl_value_first(items)), &number);
    }
    dvl_answer_free(answer);
    return number;
}

/* What the others left free is still there to be had, and not more. */
static bool fill_up(struct dvl_ledger *ledger, int64_t held)
{
    while (held <= CARDS * (CARD_MEMORY / SLICE) && allocate(ledger, -1, (int)held) == DVL_OK)
        held++;
    return held == CARDS * (CARD_MEMORY / SLICE);
}

static bool check(int64_t said)
{
    struct dvl_ledger *ledger = open_ledger();
    int64_t live =
        number_of(ledger, "{\"op\":\"sql\",\"query\":\"SELECT count(*) FROM allocation WHERE released_at IS NULL\"}");
    int64_t most = number_of(ledger, "{\"op\":\"sql\",\"query\":\"SELECT max(used_memory) FROM device\"}");
    bool good =
        live == said && most <= CARD_MEMORY && fill_up(ledger, live) && call(ledger, "{\"op\":\"verify\"}") == DVL_OK;
    printf("%lld slices held, %lld said, %lld of %d MiB on the fuller card\n", (long long)live, (long long)said,
           (long long)most, CARD_MEMORY);
    if (!good)
        fprintf(stderr, "verify: %s\n", dvl_ledger_error(ledger));
    dvl_ledger_close(ledger);
    return good;
}

int main(int count, char **arguments)
{
    int processes = count > 1 ? atoi(arguments[1]) : 16, tries = count > 2 ? atoi(arguments[2]) : 12;
    if (processes < 1 || processes > 256 || tries < 1 || !scratch_make(&scratch) || !set_up())
        return 2;
    for (int i = 0; i < processes; i++) {
        pid_t child = fork();
        if (child < 0)
            return 2;
        if (child == 0)
            _exit(compete(i, tries));
    }
    bool good = true;
    int64_t held = 0;
    for (int i = 0; i < processes; i++) {
        int code;
        if (wait(&code) < 0 || !WIFEXITED(code) || WEXITSTATUS(code) >= 200)
            good = false;
        else
            held += WEXITSTATUS(code);
    }
    good = check(held) && good;
    scratch_remove(&scratch);
    return good ? 0 : 1;
}
