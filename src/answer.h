/* What a call gives back: a value, the memory that it lives in, and its text. */
#ifndef DVL_ANSWER_H
#define DVL_ANSWER_H

#include "value.h"

struct dvl_answer {
    struct dvl_arena arena;
    struct dvl_value *value;
    struct dvl_buffer json; /* filled when it is first asked for */
};

/* An answer whose value is an empty map; NULL when memory is out. */
struct dvl_answer *dvl_answer_new(void);

#endif
