/* A line of the user's, with editing and history where the system has them. */
#ifndef DEVLEDGER_CLI_PROMPT_H
#define DEVLEDGER_CLI_PROMPT_H

enum { PROMPT_LINE_MOST = 1000000 };

struct prompt;

/* `history`: the file that keeps lines between sessions; NULL: none. NULL when memory is out. */
struct prompt *prompt_new(const char *history);
/* The next line without its end, to be freed; NULL at the end of input. Of a
 * line that is longer than PROMPT_LINE_MOST the beginning, which is longer, too. */
char *prompt_line(struct prompt *prompt, const char *text);
/* Something that was said as a whole, to be found again with the arrow keys. */
void prompt_remember(struct prompt *prompt, const char *text);
void prompt_free(struct prompt *prompt);

#endif
