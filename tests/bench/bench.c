/* How long the things take that people wait for, as ratios within one run.
 *
 *     bench [NODES]        (default 10000; eight cards each, three pods a node)
 *
 * Machines differ, and so do their hours: what is printed in seconds is for the
 * eye; what can be compared is the last column, the cost of one unit relative
 * to the same work at a tenth of the size (import, decisions: about 1 when the
 * cost grows with the cluster and no faster), or to one transaction of one row
 * in plain SQLite in the same folder (allocations). */
#include <devledger.h>

#include "support/scratch.h"

#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CARDS = 8, PODS_PER_NODE = 3, ROUNDS = 5, TRIES = 200 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void stop(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    exit(1);
}

/* ---- The cluster ---- */

static void write_node(FILE *file, int node)
{
    fprintf(file,
            "{\"kind\":\"Node\",\"metadata\":{\"name\":\"node-%05d\",\"annotations\":{"
            "\"volcano.sh/node-vgpu-register\":\"",
            node);
    for (int card = 0; card < CARDS; card++)
        fprintf(file, "GPU-%05d-%d,10,81920,NVIDIA-A100-SXM4-80GB,true,hami-core:", node, card);
    fprintf(file, "\"}},\"status\":{\"capacity\":{},\"allocatable\":{\"volcano.sh/vgpu-number\":\"80\","
                  "\"volcano.sh/vgpu-memory\":\"655360\",\"volcano.sh/vgpu-cores\":\"800\"}}}\n");
}

static void write_pod(FILE *file, int node, int pod)
{
    fprintf(
        file,
        "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"pod-%05d-%d\",\"namespace\":\"ns-%d\",\"uid\":\"uid-%05d-%d\","
        "\"annotations\":{\"volcano.sh/vgpu-node\":\"node-%05d\",\"volcano.sh/vgpu-ids-new\":"
        "\"GPU-%05d-%d,NVIDIA,%d,10:\",\"volcano.sh/bind-phase\":\"success\"}},\"spec\":{\"nodeName\":\"node-%05d\","
        "\"containers\":[{\"name\":\"main\",\"resources\":{\"limits\":{\"volcano.sh/vgpu-memory\":\"%d\","
        "\"volcano.sh/vgpu-cores\":\"10\"}}}]},\"status\":{\"phase\":\"Running\"}}\n",
        node, pod, node % 50, node, pod, node, node, pod, 4096 << pod, node, 4096 << pod);
}

static FILE *write_cluster(int nodes)
{
    FILE *file = tmpfile();
    if (!file)
        stop("cluster", "no temporary file");
    for (int node = 0; node < nodes; node++)
        write_node(file, node);
    for (int node = 0; node < nodes; node++) {
        for (int pod = 0; pod < PODS_PER_NODE; pod++)
            write_pod(file, node, pod);
    }
    rewind(file);
    return file;
}

/* ---- Calls ---- */

static struct dvl_ledger *open_ledger(const char *path)
{
    struct dvl_ledger *ledger;
    char message[512];
    const struct dvl_open_options options = {.path = path, .actor = "bench", .wait_ms = 60000, .create = true};
    if (dvl_ledger_open(&options, &ledger, message, sizeof message) != DVL_OK)
        stop("open", message);
    return ledger;
}

__attribute__((format(printf, 2, 3))) static void call(struct dvl_ledger *ledger, const char *format, ...)
{
    char request[2048];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(request, sizeof request, format, arguments);
    va_end(arguments);
    struct dvl_answer *answer = NULL;
    if (length < 0 || length >= (int)sizeof request || dvl_call(ledger, request, (size_t)length, &answer) != DVL_OK)
        stop(request, dvl_ledger_error(ledger));
    dvl_answer_free(answer);
}

#define ASK(name)                                                                                                      \
    "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"" name                                                                 \
    "\"},\"spec\":{\"containers\":[{\"name\":\"main\",\"resources\":{\"limits\":{\"volcano.sh/vgpu-number\":\"2\","    \
    "\"volcano.sh/vgpu-memory\":\"2000\"}}}]}}"

/* ---- Import and decisions ---- */

struct times {
    double import, again, filter, score, schedule, verify;
};

static double best_of(struct dvl_ledger *ledger, const char *request)
{
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double began = now();
        call(ledger, "%s", request);
        double took = now() - began;
        best = took < best ? took : best;
    }
    return best;
}

static double import(struct dvl_ledger *ledger, FILE *file)
{
    const struct dvl_source source = {.file = file, .name = "cluster"};
    double began = now();
    rewind(file);
    if (dvl_apply(ledger, &source, 1, NULL, NULL, NULL) != DVL_OK)
        stop("apply", dvl_ledger_error(ledger));
    return now() - began;
}

static struct times measure(const char *path, int nodes)
{
    FILE *file = write_cluster(nodes);
    struct dvl_ledger *ledger = open_ledger(path);
    struct times times = {0};
    call(ledger, "{\"op\":\"config\",\"scheduler\":{\"deviceshare.VGPUEnable\":true,\"deviceshare.SchedulePolicy\":"
                 "\"binpack\",\"deviceshare.ScheduleWeight\":10}}");
    times.import = import(ledger, file);
    times.again = import(ledger, file);
    times.filter = best_of(ledger, "{\"op\":\"filter\",\"pod\":" ASK("ask") "}");
    times.score = best_of(ledger, "{\"op\":\"score\",\"pod\":" ASK("ask") "}");
    times.schedule = best_of(ledger, "{\"op\":\"schedule\",\"dryRun\":true,\"pod\":" ASK("ask") "}");
    times.verify = best_of(ledger, "{\"op\":\"verify\"}");
    dvl_ledger_close(ledger);
    fclose(file);
    return times;
}

static void print_growth(const char *what, double small, double large)
{
    printf("%-22s %10.4f s %10.4f s   %6.2f\n", what, small, large, large / small / 10);
}

/* ---- Allocations, alone and in competition ---- */

/* One row, one transaction, synced: what the disk charges for being asked. */
static double plain_sqlite(const char *path)
{
    sqlite3 *db;
    double took = 0;
    if (sqlite3_open(path, &db) != SQLITE_OK ||
        sqlite3_exec(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE t (x)", 0, 0, 0) != SQLITE_OK)
        stop("plain SQLite", "can't be opened");
    double began = now();
    for (int i = 0; i < TRIES; i++)
        sqlite3_exec(db, "BEGIN IMMEDIATE; INSERT INTO t VALUES (1); COMMIT", 0, 0, 0);
    took = now() - began;
    sqlite3_close(db);
    return took / TRIES;
}

static void allocate_and_release(const char *path, int process, int count)
{
    struct dvl_ledger *ledger = open_ledger(path);
    for (int i = 0; i < count; i++) {
        call(ledger,
             "{\"op\":\"allocate\",\"node\":\"node-%05d\",\"pod\":{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p-%d\"},"
             "\"spec\":{\"containers\":[{\"name\":\"main\",\"resources\":{\"limits\":{\"volcano.sh/vgpu-memory\":"
             "\"100\"}}}]}}}",
             process, process);
        call(ledger, "{\"op\":\"release\",\"pod\":\"default/p-%d\"}", process);
    }
    dvl_ledger_close(ledger);
}

/* Seconds for one change, all processes together. */
static double compete(const char *path, int processes)
{
    double began = now();
    for (int i = 0; i < processes; i++) {
        pid_t child = fork();
        if (child < 0)
            stop("fork", "failed");
        if (child == 0) {
            allocate_and_release(path, i, TRIES / processes);
            _exit(0);
        }
    }
    for (int i = 0; i < processes; i++) {
        int code;
        if (wait(&code) < 0 || !WIFEXITED(code) || WEXITSTATUS(code) != 0)
            stop("allocate", "a process failed");
    }
    return (now() - began) / (TRIES / processes * processes * 2);
}

int main(int count, char **arguments)
{
    int nodes = count > 1 ? atoi(arguments[1]) : 10000;
    struct scratch scratch;
    if (nodes < 100 || nodes > 99999)
        stop("usage", "bench [NODES], 100 to 99999");
    if (!scratch_make(&scratch))
        stop("scratch", "no folder");
    const struct times small = measure(scratch_file(&scratch, "small.db"), nodes / 10);
    const struct times large = measure(scratch_file(&scratch, "large.db"), nodes);
    printf("%d cards a node, %d pods a node\n%-22s %8d nodes %8d nodes   growth\n", CARDS, PODS_PER_NODE, "",
           nodes / 10, nodes);
    print_growth("import", small.import, large.import);
    print_growth("import, unchanged", small.again, large.again);
    print_growth("filter", small.filter, large.filter);
    print_growth("score", small.score, large.score);
    print_growth("schedule, dry run", small.schedule, large.schedule);
    print_growth("verify", small.verify, large.verify);

    double plain = plain_sqlite(scratch_file(&scratch, "plain.db"));
    printf("\n%-22s %10.6f s              relative\n", "plain SQLite, one row", plain);
    static const int processes[] = {1, 2, 4, 16};
    for (size_t i = 0; i < sizeof processes / sizeof processes[0]; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s", scratch_file(&scratch, "large.db"));
        double each = compete(path, processes[i]);
        printf("allocate, release x%-4d %10.6f s              %6.2f\n", processes[i], each, each / plain);
    }
    scratch_remove(&scratch);
    return 0;
}
