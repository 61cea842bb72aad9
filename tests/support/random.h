/* Random numbers for property tests: the same seed gives the same run. */
#ifndef DVL_TESTS_RANDOM_H
#define DVL_TESTS_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct dice {
    uint64_t state;
};

static inline uint64_t dice_next(struct dice *dice)
{
    uint64_t x = dice->state ? dice->state : 0x9e3779b97f4a7c15U;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    dice->state = x;
    return x * 0x2545f4914f6cdd1dU;
}

/* 0 to most, both included. */
static inline int64_t dice_up_to(struct dice *dice, int64_t most)
{
    return (int64_t)((dice_next(dice) >> 16) % (uint64_t)(most + 1));
}

/* True once in `times`. */
static inline bool dice_once_in(struct dice *dice, int64_t times)
{
    return dice_up_to(dice, times - 1) == 0;
}

#define DICE_OF(dice, array) ((array)[dice_up_to((dice), (int64_t)(sizeof(array) / sizeof((array)[0])) - 1)])

/* The word of the command line, else the environment's, else the default. */
static inline uint64_t dice_number(int argc, char **argv, int word, const char *variable, uint64_t otherwise)
{
    const char *text = argc > word ? argv[word] : getenv(variable);
    return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

#endif
