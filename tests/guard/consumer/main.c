/* The README's example: which nodes take a pod? */
#include <devledger.h>
#include <stdio.h>
#include <string.h>

static enum dvl_status call(struct dvl_ledger *ledger, const char *request, struct dvl_answer **answer)
{
    return dvl_call(ledger, request, strlen(request), answer);
}

int main(void)
{
    struct dvl_ledger *ledger;
    struct dvl_answer *answer = NULL;
    int64_t fits = 0;
    struct dvl_open_options options = {.path = ":memory:", .create = true};
    if (dvl_ledger_open(&options, &ledger, NULL, 0) != DVL_OK)
        return 1;
    static const char *const requests[] = {
        "{\"op\": \"config\", \"scheduler\": {\"deviceshare.GPUSharingEnable\": true}}",
        "{\"op\": \"apply\", \"object\": {\"kind\": \"Node\", \"metadata\": {\"name\": \"t4-a\"}, \"status\":"
        " {\"capacity\": {\"volcano.sh/gpu-memory\": \"30218\", \"volcano.sh/gpu-number\": \"2\"}}}}",
        "{\"op\": \"filter\", \"pod\": {\"kind\": \"Pod\", \"metadata\": {\"name\": \"translate\"}, \"spec\": "
        "{\"containers\":"
        " [{\"name\": \"server\", \"resources\": {\"limits\": {\"volcano.sh/gpu-memory\": \"8000\"}}}]}}}",
    };
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        dvl_answer_free(answer);
        if (call(ledger, requests[i], &answer) != DVL_OK)
            fprintf(stderr, "%s\n", dvl_ledger_error(ledger));
    }
    dvl_value_integer(dvl_value_get(dvl_answer_value(answer), "fits"), &fits);
    printf("fits on %d node%s\n", (int)fits, fits == 1 ? "" : "s");
    dvl_answer_free(answer);
    dvl_ledger_close(ledger);
    return 0;
}
