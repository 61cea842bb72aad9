/* --help, help, --version: what there is, and how it is used. */
#include "cli.h"

#include <string.h>

static void print_options(const char *title, const struct option *options)
{
    if (!options || !options->name)
        return;
    printf("\n%s:\n", title);
    for (const struct option *option = options; option->name; option++) {
        char left[64];
        char letter[8] = "    ";
        if (option->letter)
            snprintf(letter, sizeof letter, "-%c, ", option->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
                 option->argument ? option->argument : "");
        printf("  %-24s %s\n", left, option->help);
    }
}

int cli_help_command(const struct command *command)
{
    printf("devledger %s: %s\n\nUsage: devledger [options] %s%s%s%s\n", command->name, command->summary, command->name,
           command->options ? " [options]" : "", command->arguments[0] ? " " : "", command->arguments);
    print_options("Options", command->options);
    print_options("Global options", cli_global_options);
    return EXIT_YES;
}

int cli_help_all(void)
{
    puts("devledger: a ledger of GPU and NPU devices, and of who holds them\n\n"
         "Usage: devledger [options] VERB [arguments]\n\nVerbs:");
    for (const struct command *command = cli_commands; command->name; command++)
        printf("  %-14s %s\n", command->name, command->summary);
    print_options("Global options", cli_global_options);
    puts("\n\"devledger help VERB\" says more about one verb, devledger(1) about all.");
    return EXIT_YES;
}

int cli_help_run(struct cli *cli)
{
    const char *names[64];
    size_t count = 0;
    bool found = false;
    if (cli->argument_count == 0)
        return cli_help_all();
    struct dvl_buffer wanted;
    dvl_buffer_init(&wanted);
    for (int i = 0; i < cli->argument_count; i++)
        dvl_buffer_format(&wanted, "%s%s", i ? " " : "", cli->arguments[i]);
    for (const struct command *command = cli_commands; command->name && count < 63; command++) {
        size_t length = wanted.length;
        names[count++] = command->name;
        if (strncmp(command->name, wanted.text, length) != 0 ||
            (command->name[length] != '\0' && command->name[length] != ' '))
            continue;
        if (found)
            putchar('\n');
        found = true;
        cli_help_command(command);
    }
    names[count] = NULL;
    const char *near = found ? NULL : cli_nearest(wanted.text, names);
    int code = EXIT_YES;
    if (!found)
        code = cli_usage(cli, "there is no verb \"%s\"%s%s%s", wanted.text, near ? ": did you mean \"" : "",
                         near ? near : "", near ? "\"?" : "");
    dvl_buffer_clear(&wanted);
    return code;
}

int cli_version_run(struct cli *cli)
{
    (void)cli;
    printf("devledger %s\n", dvl_version());
    return EXIT_YES;
}
