/* Times between rows (integers) and answers (text). Arithmetic on the
 * Gregorian calendar is done here, so that no time zone of the process and no
 * locale can colour it. */
#include "moment.h"

#include <stdio.h>
#include <time.h>

#define SECOND INT64_C(1000000)
#define FIRST_MOMENT (INT64_C(-62135596800) * SECOND)
#define LAST_MOMENT (INT64_C(253402300799) * SECOND + 999999)

enum { DAYS_OF_400_YEARS = 146097, DAYS_TO_EPOCH = 719468 };

/* Days since the epoch. Years are counted from March on, so that the leap day
 * is the last of its year. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * DAYS_OF_400_YEARS + of_era * 365 + of_era / 4 - of_era / 100 + of_year - DAYS_TO_EPOCH;
}

static void date_of(int64_t days, int64_t *year, int64_t *month, int64_t *day)
{
    days += DAYS_TO_EPOCH;
    int64_t era = (days >= 0 ? days : days - (DAYS_OF_400_YEARS - 1)) / DAYS_OF_400_YEARS;
    int64_t of_era = days - era * DAYS_OF_400_YEARS;
    int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
    int64_t from_march = (5 * of_year + 2) / 153;
    *day = of_year - (153 * from_march + 2) / 5 + 1;
    *month = from_march + (from_march < 10 ? 3 : -9);
    *year = years + era * 400 + (*month <= 2);
}

static bool is_leap(int64_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* Exactly `count` digits at the start of `rest`, then `after` unless that is 0. */
static bool take_number(struct dvl_span *rest, size_t count, char after, int64_t *out)
{
    if (rest->length < count + (after != 0))
        return false;
    int64_t number = 0;
    for (size_t i = 0; i < count; i++) {
        char digit = rest->start[i];
        if (digit < '0' || digit > '9')
            return false;
        number = number * 10 + (digit - '0');
    }
    if (after) {
        char found = rest->start[count];
        if (found != after && !(after == 'T' && found == 't'))
            return false;
        count++;
    }
    rest->start += count;
    rest->length -= count;
    *out = number;
    return true;
}

static bool take_date(struct dvl_span *rest, int64_t *seconds)
{
    static const int64_t lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t year, month, day;
    if (!take_number(rest, 4, '-', &year) || !take_number(rest, 2, '-', &month) || !take_number(rest, 2, 'T', &day))
        return false;
    if (year < 1 || month < 1 || month > 12 || day < 1)
        return false;
    if (day > lengths[month - 1] + (month == 2 && is_leap(year)))
        return false;
    *seconds = days_of(year, month, day) * 86400;
    return true;
}

static bool take_fraction(struct dvl_span *rest, int64_t *micros)
{
    *micros = 0;
    if (rest->length == 0 || rest->start[0] != '.')
        return true;
    size_t at = 1;
    for (int64_t unit = SECOND / 10; at < rest->length && rest->start[at] >= '0' && rest->start[at] <= '9'; at++) {
        *micros += (rest->start[at] - '0') * unit;
        unit /= 10;
    }
    rest->start += at;
    rest->length -= at;
    return at > 1;
}

static bool take_clock(struct dvl_span *rest, int64_t *micros)
{
    int64_t hour, minute, second, fraction;
    if (!take_number(rest, 2, ':', &hour) || !take_number(rest, 2, ':', &minute) || !take_number(rest, 2, 0, &second) ||
        !take_fraction(rest, &fraction))
        return false;
    /* A leap second is the first one of the next minute here: POSIX time has none. */
    if (hour > 23 || minute > 59 || second > 60)
        return false;
    *micros = (hour * 3600 + minute * 60 + second) * SECOND + fraction;
    return true;
}

static bool read_offset(struct dvl_span rest, int64_t *seconds)
{
    *seconds = 0;
    if (rest.length == 1 && (rest.start[0] == 'Z' || rest.start[0] == 'z'))
        return true;
    if (rest.length != 6 || (rest.start[0] != '+' && rest.start[0] != '-'))
        return false;
    int64_t sign = rest.start[0] == '+' ? 1 : -1;
    int64_t hours, minutes;
    rest.start++;
    rest.length--;
    if (!take_number(&rest, 2, ':', &hours) || !take_number(&rest, 2, 0, &minutes) || hours > 23 || minutes > 59)
        return false;
    *seconds = sign * (hours * 3600 + minutes * 60);
    return true;
}

bool dvl_moment_read(struct dvl_span text, int64_t *out)
{
    int64_t date, clock, offset;
    if (!take_date(&text, &date) || !take_clock(&text, &clock) || !read_offset(text, &offset))
        return false;
    int64_t at = (date - offset) * SECOND + clock;
    if (at < FIRST_MOMENT || at > LAST_MOMENT)
        return false;
    *out = at;
    return true;
}

void dvl_moment_write(int64_t at, char out[DVL_MOMENT_SIZE])
{
    if (at < FIRST_MOMENT)
        at = FIRST_MOMENT;
    if (at > LAST_MOMENT)
        at = LAST_MOMENT;
    int64_t micros = at % SECOND;
    int64_t seconds = at / SECOND - (micros < 0);
    micros += micros < 0 ? SECOND : 0;
    int64_t of_day = seconds % 86400;
    of_day += of_day < 0 ? 86400 : 0;
    int64_t year, month, day;
    date_of((seconds - of_day) / 86400, &year, &month, &day);
    snprintf(out, DVL_MOMENT_SIZE, "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", (int)year, (int)month, (int)day,
             (int)(of_day / 3600), (int)(of_day / 60 % 60), (int)(of_day % 60), (int)micros);
}

int64_t dvl_moment_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * SECOND + now.tv_nsec / 1000;
}

struct dvl_value *dvl_value_moment(struct dvl_arena *arena, int64_t at)
{
    char text[DVL_MOMENT_SIZE];
    if (at == INT64_MIN)
        return dvl_value_null(arena);
    dvl_moment_write(at, text);
    return dvl_value_string(arena, text);
}
