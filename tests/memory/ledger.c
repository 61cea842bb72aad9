/* Memory that can't be had, at every point of every verb: the call says so, a
 * later one finds the handle whole and nothing changed, nothing stays behind;
 * and a call that is made again does what it would have done.
 *
 *     memory_ledger [STRIDE [STEP]]
 *
 * Of the libraries' allocations, which are some hundred thousand, every
 * STRIDE-th fails (else 499), of our own every STEP-th (else every one). */
#include "failing.h"

#include "support/random.h"
#include "support/scratch.h"

#include <devledger.h>

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct scratch scratch;
static long stride, step;

#define REGISTER "\"volcano.sh/node-vgpu-register\":"
#define VGPU_NODE(name, cards)                                                                                         \
    "{\"kind\":\"Node\",\"metadata\":{\"name\":\"" name "\",\"annotations\":{" REGISTER "\"" cards                     \
    "\"}},\"status\":{\"allocatable\":{\"volcano.sh/vgpu-number\":20,\"volcano.sh/vgpu-memory\":80000,"                \
    "\"volcano.sh/vgpu-cores\":200}}}"
#define CARD(uuid) uuid ",10,16000,NVIDIA-V100,true,hami-core:"
#define MIG_CARD(uuid) uuid ",7,40536,NVIDIA-A100-SXM4-40GB,true,mig:"
#define HAMI_NODE                                                                                                      \
    "{\"kind\":\"Node\",\"metadata\":{\"name\":\"h1\",\"annotations\":{\"hami.io/node-register-Ascend310P\":"          \
    "\"[{\\\"id\\\":\\\"A\\\",\\\"count\\\":7,\\\"devmem\\\":21527,\\\"devcore\\\":8,\\\"health\\\":true}]\"}},"       \
    "\"status\":{\"allocatable\":{\"huawei.com/Ascend310P\":7}}}"
#define VNPU_NODE                                                                                                      \
    "{\"kind\":\"Node\",\"metadata\":{\"name\":\"e1\",\"labels\":{\"accelerator\":\"huawei-Ascend310P\","              \
    "\"servertype\":"                                                                                                  \
    "\"Ascend310P-8\",\"node.kubernetes.io/npu.chip.name\":\"310P3\"}},\"status\":{\"capacity\":"                      \
    "{\"huawei.com/npu-core\":8}}}"
#define DEVICE_INFO                                                                                                    \
    "{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"mindx-dl-deviceinfo-e1\",\"namespace\":\"kube-system\"},"        \
    "\"data\":{\"DeviceInfoCfg\":\"{\\\"DeviceInfo\\\":{\\\"DeviceList\\\":{\\\"huawei.com/Ascend310P\\\":"            \
    "\\\"Ascend310P-0\\\",\\\"huawei.com/Ascend310P-Unhealthy\\\":\\\"\\\"},\\\"UpdateTime\\\":1801526000}}\"}}"
#define POD(name, more, limits)                                                                                        \
    "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"" name "\",\"namespace\":\"ml\",\"uid\":\"u-" name "\"" more "},"      \
    "\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\":{\"limits\":{" limits "}}}]}}"
#define HELD                                                                                                           \
    "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"held\",\"namespace\":\"ml\",\"uid\":\"u-held\",\"annotations\":"       \
    "{\"volcano.sh/vgpu-ids-new\":\"G0,NVIDIA,1000,10:broken\"}},\"spec\":{\"nodeName\":\"n1\",\"containers\":"        \
    "[{\"name\":\"c\",\"resources\":{\"limits\":{\"volcano.sh/vgpu-number\":1}}}]},"                                   \
    "\"status\":{\"phase\":\"Running\"}}"
#define VGPU(memory) "\"volcano.sh/vgpu-memory\":" memory ",\"volcano.sh/vgpu-cores\":10"
#define ATLAS ",\"labels\":{\"ring-controller.atlas\":\"ascend-310P\",\"vnpu-level\":\"high\"}"
#define AT(minute) "\"now\":\"2030-01-01T00:" minute ":00Z\","

/* In order; each finds what those before it did. */
static const char *const requests[] = {
    "{" AT("01") "\"op\":\"config\",\"scheduler\":{\"deviceshare.VGPUEnable\":true,"
                 "\"deviceshare.AscendMindClusterVNPUEnable\":true,\"deviceshare.AscendHAMiVNPUEnable\":true,"
                 "\"deviceshare.NodeLockEnable\":true,\"deviceshare.SchedulePolicy\":\"binpack\","
                 "\"deviceshare.ScheduleWeight\":10,\"deviceshare.GPUExclusiveRules\":[{\"app\":\"x\"}]}}",
    "{" AT("02") "\"op\":\"config\",\"devices\":{\"nvidia\":{\"knownMigGeometries\":[{\"models\":[\"A100-SXM4-40GB\"],"
                 "\"allowedGeometries\":[{\"group\":\"g\",\"geometries\":[{\"name\":\"1g.5gb\",\"memory\":5120,"
                 "\"count\":7}]}]}]}}}",
    "{" AT("03") "\"op\":\"apply\",\"objects\":[" VGPU_NODE("n1", CARD("G0") CARD("G1")) "," VGPU_NODE(
        "n2", MIG_CARD("M0") "bad:") "," HAMI_NODE "," DEVICE_INFO "," VNPU_NODE "," HELD "]}",
    "{" AT("04") "\"op\":\"filter\",\"explain\":true,\"pod\":" POD("a", "", VGPU("4000")) "}",
    "{" AT("04") "\"op\":\"score\",\"pod\":" POD("a", "", VGPU("4000")) "}",
    "{" AT("05") "\"op\":\"allocate\",\"node\":\"n1\",\"pod\":" POD("a", "", VGPU("4000")) "}",
    "{" AT("06") "\"op\":\"bind\",\"pod\":\"ml/a\"}",
    "{" AT("07") "\"op\":\"allocate\",\"node\":\"n2\",\"pod\":" POD("b", "", VGPU("5000")) "}",
    "{" AT("08") "\"op\":\"schedule\",\"pod\":" POD("d", ATLAS, "\"huawei.com/npu-core\":2") ",\"bind\":true}",
    "{" AT("09") "\"op\":\"schedule\",\"pod\":" POD("e", "", "\"huawei.com/Ascend310P\":1") "}",
    "{" AT("10") "\"op\":\"get\",\"kind\":\"devices\",\"sortBy\":\"usedMemory\",\"limit\":3}",
    "{" AT("10") "\"op\":\"get\",\"kind\":\"pods\",\"selector\":\"app!=x\"}",
    "{" AT("10") "\"op\":\"describe\",\"kind\":\"node\",\"name\":\"n1\"}",
    "{" AT("10") "\"op\":\"describe\",\"kind\":\"pod\",\"name\":\"ml/b\"}",
    "{" AT("10") "\"op\":\"sql\",\"query\":\"SELECT * FROM usage_by_node WHERE node = :n\",\"params\":{\"n\":\"n1\"}}",
    "{" AT("10") "\"op\":\"log\"}",
    "{" AT("10") "\"op\":\"config-show\"}",
    "{" AT("10") "\"op\":\"config-check\",\"scheduler\":{\"deviceshare.VGPUEnable\":true}}",
    "{" AT("11") "\"op\":\"lock\",\"node\":\"n1\",\"name\":\"hamivgpu\",\"holder\":\"me\"}",
    "{" AT("12") "\"op\":\"unlock\",\"node\":\"n1\",\"name\":\"hamivgpu\",\"holder\":\"me\"}",
    "{" AT("13") "\"op\":\"release\",\"pod\":\"ml/b\"}",
    "{" AT("14") "\"op\":\"apply\",\"objects\":[" VGPU_NODE("n1", CARD("G1")) "]}",
    "{" AT("15") "\"op\":\"delete\",\"kind\":\"pod\",\"name\":\"ml/a\"}",
    "{" AT("16") "\"op\":\"delete\",\"kind\":\"node\",\"name\":\"h1\"}",
    "{" AT("17") "\"op\":\"verify\"}",
};
enum { REQUESTS = sizeof requests / sizeof requests[0] };

/* ---- Tools that are used while nothing fails ---- */

static void fail(const char *what, const char *request, long point, const char *detail)
{
    (void)fprintf(stderr, "point %ld of %.120s: %s: %s\n", point, request, what, detail ? detail : "nothing");
    failing_tell();
    exit(1);
}

static enum dvl_status open_at(const char *path, struct dvl_ledger **ledger)
{
    const struct dvl_open_options options = {
        .path = path, .actor = "tester", .command = "test", .create = true, .durability = DVL_DURABILITY_NORMAL};
    return dvl_ledger_open(&options, ledger, NULL, 0);
}

static struct dvl_ledger *must_open(const char *path)
{
    struct dvl_ledger *ledger = NULL;
    if (open_at(path, &ledger) != DVL_OK)
        fail("does not open", path, 0, NULL);
    return ledger;
}

/* What has happened so far: the newest event, how many explanations and findings. */
struct mark {
    char text[128];
};

/* Asked on a connection that is not the ledger's: it costs less. */
static struct mark mark_of(const char *path, sqlite3 **reader)
{
    static const char query[] =
        "SELECT coalesce((SELECT seq || ' ' || hex(hash) FROM event ORDER BY seq DESC LIMIT 1),"
        " '') || ' ' || (SELECT count(*) FROM explanation) || ' ' || (SELECT count(*) FROM finding)";
    struct mark mark = {""};
    sqlite3_stmt *statement = NULL;
    if ((!*reader && sqlite3_open_v2(path, reader, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) ||
        sqlite3_prepare_v2(*reader, query, -1, &statement, NULL) != SQLITE_OK || sqlite3_step(statement) != SQLITE_ROW)
        fail("does not read", path, 0, sqlite3_errmsg(*reader));
    (void)snprintf(mark.text, sizeof mark.text, "%s", (const char *)sqlite3_column_text(statement, 0));
    (void)sqlite3_finalize(statement);
    return mark;
}

static void verify(struct dvl_ledger *ledger, const char *request, long point)
{
    static const char query[] = "{\"op\":\"verify\"}";
    struct dvl_answer *answer = NULL;
    if (dvl_call(ledger, query, strlen(query), &answer) != DVL_OK)
        fail("the ledger is not whole", request, point, answer ? dvl_answer_json(answer) : NULL);
    dvl_answer_free(answer);
}

static void copy(const char *from, const char *to, const char *suffix)
{
    char command[512];
    (void)snprintf(command, sizeof command, "rm -f '%s%s'; if [ -e '%s%s' ]; then cp '%s%s' '%s%s'; fi", to, suffix,
                   from, suffix, from, suffix, to, suffix);
    if (system(command) != 0)
        fail("does not copy", from, 0, NULL);
}

/* The ledger of a path as it is now, under another path. */
static void copy_ledger(const char *from, const char *to)
{
    copy(from, to, "");
    copy(from, to, "-wal");
    copy(from, to, "-shm");
}

/* ---- The test ---- */

/* What comes of a request when nothing fails. */
struct wanted {
    char *answer;
    struct mark mark;
};

struct sweep {
    const char *path, *saved; /* the ledger, and how it was before the request */
    enum failing_whose whose;
    bool stay_out;
    long step;
    const struct wanted *wanted;
    struct dvl_ledger *ledger; /* open for some tries: new ones have no statements prepared */
    sqlite3 *reader;
    struct mark mark;
    long live;
};

enum { TRIES_OF_A_HANDLE = 64 };

static void open_sweep(struct sweep *sweep)
{
    sweep->live = failing_live();
    sweep->ledger = must_open(sweep->path);
    sweep->mark = mark_of(sweep->path, &sweep->reader);
}

static void close_sweep(struct sweep *sweep, const char *request, long point)
{
    char number[32];
    (void)sqlite3_close(sweep->reader);
    sweep->reader = NULL;
    dvl_ledger_close(sweep->ledger);
    sweep->ledger = NULL;
    (void)snprintf(number, sizeof number, "%ld pieces", failing_live() - sweep->live);
    if (failing_live() != sweep->live)
        fail("leaks", request, point, number);
}

/* json_valid() of SQLite 3.40 says no when memory is out, and so the integrity
 * check finds a fault that is not there. */
static bool is_sqlites_own(enum failing_whose whose, const char *answer)
{
    return whose == FAILING_LIBRARIES && strstr(answer, "CHECK constraint failed in ");
}

/* One try of a request, whose allocation number `point` fails. Answers whether
 * one failed; *done: the call succeeded. */
static bool try_at(struct sweep *sweep, const char *request, long point, bool *done)
{
    struct dvl_answer *answer = NULL;
    failing_arm(sweep->whose, point, sweep->stay_out);
    enum dvl_status status = dvl_call(sweep->ledger, request, strlen(request), &answer);
    bool struck = failing_disarm();
    *done = status == DVL_OK;
    if (!*done && status != DVL_NO_MEMORY)
        fail("another status", request, point, answer ? dvl_answer_json(answer) : dvl_status_name(status));
    if (!*done && !struck)
        fail("refused", request, point, answer ? dvl_answer_json(answer) : NULL);
    if (*done && strcmp(dvl_answer_json(answer), sweep->wanted->answer) != 0 &&
        !is_sqlites_own(sweep->whose, dvl_answer_json(answer)))
        fail("another answer", request, point, dvl_answer_json(answer));
    dvl_answer_free(answer);
    struct mark after = mark_of(sweep->path, &sweep->reader);
    if (*done && strcmp(after.text, sweep->wanted->mark.text) != 0)
        fail("done, but not all of it", request, point, after.text);
    if (!*done && strcmp(sweep->mark.text, after.text) != 0)
        fail("refused, and yet something changed", request, point, after.text);
    return struck;
}

/* The points of one request. At the end the request is done once. */
static long fail_request(struct sweep *sweep, const char *request)
{
    bool done = false, struck = true;
    long tries = 0;
    while (struck) {
        long point = tries++ * sweep->step;
        if (!sweep->ledger)
            open_sweep(sweep);
        struck = try_at(sweep, request, point, &done);
        if (tries % TRIES_OF_A_HANDLE == 0)
            verify(sweep->ledger, request, point);
        if (done || sweep->whose == FAILING_LIBRARIES || tries % TRIES_OF_A_HANDLE == 0)
            close_sweep(sweep, request, point);
        if (done && struck) /* it could do without that piece */
            copy_ledger(sweep->saved, sweep->path);
    }
    return tries;
}

static long fail_everywhere(const char *path, const char *saved, const char *request, const struct wanted *wanted)
{
    struct sweep sweeps[] = {
        {.path = path, .saved = saved, .whose = FAILING_OURS, .stay_out = false, .step = step},
        {.path = path, .saved = saved, .whose = FAILING_OURS, .stay_out = true, .step = 3 * step},
        {.path = path, .saved = saved, .whose = FAILING_LIBRARIES, .stay_out = false, .step = stride},
        {.path = path, .saved = saved, .whose = FAILING_LIBRARIES, .stay_out = true, .step = stride},
    };
    long points = 0;
    copy_ledger(path, saved);
    for (size_t i = 0; i < sizeof sweeps / sizeof sweeps[0]; i++) {
        if (i > 0)
            copy_ledger(saved, path);
        sweeps[i].wanted = wanted;
        points += fail_request(&sweeps[i], request);
    }
    return points;
}

/* All requests, while nothing fails; also sets up what libraries set up once. */
static void play(const char *path, struct wanted wanted[REQUESTS])
{
    struct dvl_answer *answer = NULL;
    struct dvl_ledger *ledger = must_open(path);
    for (size_t i = 0; i < REQUESTS; i++) {
        sqlite3 *reader = NULL;
        if (dvl_call(ledger, requests[i], strlen(requests[i]), &answer) != DVL_OK)
            fail("refused", requests[i], -1, answer ? dvl_answer_json(answer) : NULL);
        wanted[i].answer = strdup(dvl_answer_json(answer));
        wanted[i].mark = mark_of(path, &reader);
        (void)sqlite3_close(reader);
        dvl_answer_free(answer);
    }
    dvl_ledger_close(ledger);
}

/* Opening a ledger that is there, or making one. */
static void fail_opening(const char *path, bool is_there, enum failing_whose whose, long by)
{
    struct dvl_ledger *ledger = NULL;
    bool struck = true;
    for (long point = 0; struck; point += by) {
        long live = failing_live();
        failing_arm(whose, point, point % 2);
        enum dvl_status status = open_at(path, &ledger);
        struck = failing_disarm();
        if (status != DVL_OK && (status != DVL_NO_MEMORY || ledger))
            fail("another status", "open", point, dvl_status_name(status));
        if (status != DVL_OK && !struck)
            fail("refused", "open", point, NULL);
        dvl_ledger_close(ledger);
        if (failing_live() != live)
            fail("leaks", "open", point, NULL);
        if (status == DVL_OK && !is_there)
            (void)unlink(path);
    }
}

int main(int argc, char **argv)
{
    static struct wanted wanted[REQUESTS];
    char reference[128], saved[128], made[128];
    long points = 0;
    failing_prepare();
    stride = (long)dice_number(argc, argv, 1, "DVL_STRIDE", 499);
    step = (long)dice_number(argc, argv, 2, "DVL_STEP", 1);
    if (!scratch_make(&scratch))
        return 1;
    (void)snprintf(reference, sizeof reference, "%s", scratch_file(&scratch, "reference.db"));
    (void)snprintf(saved, sizeof saved, "%s", scratch_file(&scratch, "saved.db"));
    (void)snprintf(made, sizeof made, "%s", scratch_file(&scratch, "made.db"));
    play(reference, wanted);
    for (size_t i = 0; i < REQUESTS; i++) {
        long more = fail_everywhere(scratch.path, saved, requests[i], &wanted[i]);
        if (getenv("DVL_VERBOSE"))
            (void)fprintf(stderr, "%ld points: %.80s\n", more, requests[i]);
        points += more;
        free(wanted[i].answer);
    }
    fail_opening(scratch.path, true, FAILING_OURS, 1);
    fail_opening(scratch.path, true, FAILING_LIBRARIES, stride / 10 + 1);
    fail_opening(made, false, FAILING_OURS, 1);
    fail_opening(made, false, FAILING_LIBRARIES, stride);
    (void)printf("%ld points\n", points);
    scratch_remove(&scratch);
    return 0;
}
