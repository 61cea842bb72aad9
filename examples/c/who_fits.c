/* Which nodes take a pod? A ledger asked from C, through devledger.h.
 *
 *     who_fits LEDGER NAMESPACE/POD */
#include <devledger.h>

#include <stdio.h>

int main(int count, char **arguments)
{
    if (count != 3)
        return 2;
    struct dvl_ledger *ledger;
    char message[256];
    const struct dvl_open_options options = {.path = arguments[1], .read_only = true};
    if (dvl_ledger_open(&options, &ledger, message, sizeof message) != DVL_OK) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }

    char request[512];
    int length = snprintf(request, sizeof request, "{\"op\":\"filter\",\"pod\":\"%s\"}", arguments[2]);
    struct dvl_answer *answer = NULL;
    enum dvl_status status = length < (int)sizeof request
                                 ? dvl_call(ledger, request, (size_t)length, &answer)
                                 : DVL_BAD_INPUT;
    if (status != DVL_OK)
        fprintf(stderr, "%s\n", dvl_ledger_error(ledger));

    const struct dvl_value *node = dvl_value_first(dvl_value_get(dvl_answer_value(answer), "nodes"));
    for (; status == DVL_OK && node; node = dvl_value_next(node)) {
        const char *reason = dvl_value_text(dvl_value_get(node, "reason"));
        printf("%s: %s\n", dvl_value_text(dvl_value_get(node, "node")), reason ? reason : "fits");
    }
    dvl_answer_free(answer);
    dvl_ledger_close(ledger);
    return status == DVL_OK ? 0 : 1;
}
