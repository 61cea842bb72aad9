/* Kills writing processes at random instants. What they had acknowledged must
 * be there, what they had not may be there or not but never half; and the one
 * call that was under way, asked again, ends with exactly one result.
 *
 *     DEVLEDGER=path/to/devledger kill_writers [KILLS] */
#include "store/store.h"
#include "support/random.h"
#include "support/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MICROSECONDS_MOST = 30000, NAMES_MOST = 1 << 20 };

static struct scratch scratch;
static const char *program;
static unsigned char acknowledged[NAMES_MOST]; /* by number: 1 applied, 2 allocated */
static int next_number;

static const char setup[] =
    "{\"op\":\"config\",\"scheduler\":{\"deviceshare.VGPUEnable\":true,\"deviceshare.NodeLockEnable\":true}}\n"
    "{\"op\":\"apply\",\"object\":{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\","
    "\"annotations\":{\"volcano.sh/node-vgpu-register\":\"GPU-0,100000,100000000,NVIDIA-A100,true,hami-core:"
    "GPU-1,100000,100000000,NVIDIA-A100,true,hami-core:\"}},\"status\":{\"allocatable\":"
    "{\"volcano.sh/vgpu-number\":\"200000\",\"volcano.sh/vgpu-memory\":\"200000000\","
    "\"volcano.sh/vgpu-cores\":\"200\"}}}}\n";

/* ---- The process ---- */

struct child {
    pid_t pid;
    FILE *in, *out;
};

static bool child_start(struct child *child)
{
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
        return false;
    child->pid = fork();
    if (child->pid == 0) {
        (void)dup2(in[0], STDIN_FILENO);
        (void)dup2(out[1], STDOUT_FILENO);
        execl(program, "devledger", "--db", scratch.path, "--wait", "20", "batch", (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    child->in = fdopen(in[1], "w");
    child->out = fdopen(out[0], "r");
    return child->pid > 0 && child->in && child->out;
}

/* Answers its exit code, or minus the signal that ended it. */
static int child_end(struct child *child)
{
    int code = 0;
    fclose(child->in);
    fclose(child->out);
    while (waitpid(child->pid, &code, 0) < 0 && errno == EINTR)
        continue;
    return WIFSIGNALED(code) ? -WTERMSIG(code) : WEXITSTATUS(code);
}

/* One call; false when no whole line came back: the process is dead. */
static bool ask(struct child *child, const char *request, char *answer, int size)
{
    if (fputs(request, child->in) < 0 || fflush(child->in) != 0)
        return false;
    return fgets(answer, size, child->out) != NULL && strchr(answer, '\n') != NULL;
}

static bool is_ok(const char *answer)
{
    return strncmp(answer, "{\"ok\":true", 10) == 0;
}

/* ---- The work ---- */

static void write_pod(char *out, size_t size, int number)
{
    (void)snprintf(out, size,
                   "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p%d\",\"namespace\":\"ml\","
                   "\"uid\":\"u%d\"},\"spec\":{\"containers\":["
                   "{\"name\":\"a\",\"resources\":{\"limits\":{\"volcano.sh/vgpu-number\":\"2\","
                   "\"volcano.sh/vgpu-memory\":\"10\"}}},"
                   "{\"name\":\"b\",\"resources\":{\"limits\":{\"volcano.sh/vgpu-number\":\"1\","
                   "\"volcano.sh/vgpu-memory\":\"10\"}}}]}}",
                   number, number);
}

/* Apply, allocate, bind: each can be asked again. False when the process died. */
static bool work_once(struct child *child, int number, bool *wrong)
{
    char pod[1024], request[2048], answer[8192];
    write_pod(pod, sizeof pod, number);
    (void)snprintf(request, sizeof request, "{\"op\":\"apply\",\"object\":%s}\n", pod);
    if (!ask(child, request, answer, sizeof answer))
        return false;
    if (is_ok(answer)) {
        acknowledged[number] = 1;
        (void)snprintf(request, sizeof request, "{\"op\":\"allocate\",\"pod\":\"ml/p%d\",\"node\":\"n1\"}\n", number);
        if (!ask(child, request, answer, sizeof answer))
            return false;
    }
    if (is_ok(answer)) {
        acknowledged[number] = 2;
        (void)snprintf(request, sizeof request, "{\"op\":\"bind\",\"pod\":\"ml/p%d\"}\n", number);
        if (!ask(child, request, answer, sizeof answer))
            return false;
    }
    *wrong = !is_ok(answer);
    if (*wrong)
        fprintf(stderr, "pod %d: %s", number, answer);
    return true;
}

/* A process that kills the other after a random while. */
static pid_t start_killer(const struct child *child, struct dice *dice)
{
    const struct timespec delay = {.tv_nsec = (long)dice_up_to(dice, MICROSECONDS_MOST) * 1000};
    pid_t killer = fork();
    if (killer == 0) {
        (void)nanosleep(&delay, NULL);
        (void)kill(child->pid, SIGKILL);
        _exit(0);
    }
    return killer;
}

/* Kills one process: at its start, or after it has placed a pod. True when it
 * was killed and did not end by itself. */
static bool kill_one(struct dice *dice, bool *wrong)
{
    struct child child;
    if (!child_start(&child)) {
        *wrong = true;
        return false;
    }
    pid_t killer = dice_once_in(dice, 4) ? start_killer(&child, dice) : -1;
    while (!*wrong && next_number < NAMES_MOST - 1 && work_once(&child, next_number, wrong)) {
        next_number++; /* the one that is cut off is tried again in the next process */
        if (killer < 0)
            killer = start_killer(&child, dice);
    }
    if (killer > 0)
        (void)waitpid(killer, NULL, 0); /* before the number of the dead can be given to another */
    return child_end(&child) == -SIGKILL;
}

/* ---- The judgement ---- */

struct seen {
    int slices[NAMES_MOST];
    bool wrong;
};

static int take_slices(void *context, const struct dvl_value *row)
{
    struct seen *seen = context;
    int64_t number = -1, slices = 0;
    const char *name = dvl_value_find_text(row, "name");
    if (!name || *name != 'p' || !dvl_text_int64(dvl_span_of(name + 1), &number) || number < 0 || number >= NAMES_MOST)
        seen->wrong = true;
    else if (dvl_value_int64(dvl_value_find(row, "slices"), &slices))
        seen->slices[number] = (int)slices;
    return 0;
}

static const char slices_query[] =
    "SELECT p.name AS name, count(a.id) AS slices FROM pod p LEFT JOIN allocation a ON a.pod_id = p.id"
    " AND a.released_at IS NULL GROUP BY p.id";

/* All three slices of a pod or none; all of every pod whose allocate was acknowledged. */
static bool judge_slices(struct dvl_store *store, struct dvl_error *error)
{
    static struct seen seen;
    for (int i = 0; i < NAMES_MOST; i++)
        seen.slices[i] = -1;
    if (dvl_store_sql(store, slices_query, NULL, 0, NULL, take_slices, &seen, error) != DVL_OK)
        return false;
    for (int i = 0; i < next_number + 1 && !seen.wrong; i++) {
        bool good = seen.slices[i] == 3 || (acknowledged[i] < 2 && seen.slices[i] == 0) ||
                    (acknowledged[i] == 0 && seen.slices[i] == -1);
        if (!good)
            fprintf(stderr, "pod %d: acknowledged %d, slices %d\n", i, acknowledged[i], seen.slices[i]);
        seen.wrong = !good;
    }
    return !seen.wrong;
}

static bool judge(void)
{
    struct dvl_error error;
    struct dvl_store *store = NULL;
    dvl_error_clear(&error);
    bool good = scratch_open_read_only(scratch.path, &store, &error) == DVL_OK &&
                scratch_problems(store, &error) == 0 && judge_slices(store, &error);
    if (!good)
        fprintf(stderr, "%s\n", error.message);
    dvl_store_close(store);
    return good;
}

static bool set_up(void)
{
    struct child child;
    char answer[8192];
    if (!scratch_make(&scratch) || !child_start(&child))
        return false;
    bool good = fputs(setup, child.in) >= 0 && fflush(child.in) == 0;
    for (int i = 0; i < 2 && good; i++)
        good = fgets(answer, sizeof answer, child.out) && is_ok(answer);
    return child_end(&child) == 0 && good;
}

int main(int count, char **arguments)
{
    long kills = count > 1 ? strtol(arguments[1], NULL, 10) : 300, killed = 0;
    struct dice dice = {.state = 20261130};
    bool wrong = false;
    (void)signal(SIGPIPE, SIG_IGN);
    program = getenv("DEVLEDGER");
    if (!program || !set_up()) {
        fprintf(stderr, "DEVLEDGER is not set, or does not run\n");
        return 1;
    }
    for (long tries = 0; killed < kills && tries < 2 * kills && !wrong; tries++) {
        killed += kill_one(&dice, &wrong);
        if (tries % 50 == 49)
            wrong = !judge() || wrong;
    }
    wrong = !judge() || wrong;
    printf("%ld kills, %d pods placed\n", killed, next_number);
    scratch_remove(&scratch);
    return !wrong && killed >= kills && next_number > 0 ? 0 : 1;
}
