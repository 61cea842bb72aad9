/* Moments as text, and back. Reading is strict: what is not wholly understood
 * is refused, so that no time is ever guessed. */
#include "timestamp.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { SECONDS_OF_DAY = 24 * 60 * 60 };

static const int64_t MICROSECONDS = 1000000;
static const int64_t FIRST_SECOND = -62167219200; /* 0000-01-01T00:00:00Z */
static const int64_t LAST_SECOND = 253402300799;  /* 9999-12-31T23:59:59Z */

struct civil {
    int year, month, day, hour, minute, second;
};

int64_t dvl_time_now(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * MICROSECONDS + now.tv_nsec / 1000;
}

/* Days since the epoch. The year is taken to begin in March, so that the leap
 * day is its last; 719468 days lie between 0000-03-01 and the epoch. */
static int64_t days_of_civil(int year, int month, int day)
{
    int64_t y = month > 2 ? year : (int64_t)year - 1;
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t year_of_era = y - era * 400;
    int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;

    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

static void civil_of_days(int64_t days, struct civil *out)
{
    int64_t z = days + 719468;
    int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    int64_t day_of_era = z - era * 146097;
    int64_t year = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * day_of_year + 2) / 153;

    out->day = (int)(day_of_year - (153 * month + 2) / 5 + 1);
    out->month = (int)(month < 10 ? month + 3 : month - 9);
    out->year = (int)(year + era * 400 + (out->month <= 2));
}

static int days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

    return days[month - 1] + (month == 2 && leap);
}

/* Exactly `count` digits at *at, which then moves on. */
static bool read_digits(const char **at, int count, int *out)
{
    int number = 0;

    for (int i = 0; i < count; i++) {
        char c = (*at)[i];
        if (c < '0' || c > '9')
            return false;
        number = number * 10 + (c - '0');
    }
    *at += count;
    *out = number;
    return true;
}

static bool read_char(const char **at, char wanted)
{
    if (**at != wanted)
        return false;
    (*at)++;
    return true;
}

static bool read_date(const char **at, struct civil *out)
{
    return read_digits(at, 4, &out->year) && read_char(at, '-') && read_digits(at, 2, &out->month) &&
           read_char(at, '-') && read_digits(at, 2, &out->day) && out->month >= 1 && out->month <= 12 &&
           out->day >= 1 && out->day <= days_in_month(out->year, out->month);
}

static bool read_hour_and_minute(const char **at, int *hour, int *minute)
{
    return read_digits(at, 2, hour) && read_char(at, ':') && read_digits(at, 2, minute) && *hour <= 23 && *minute <= 59;
}

/* ".5": at least one digit; those after the sixth are cut off. */
static bool read_fraction(const char **at, int64_t *microseconds)
{
    int64_t unit = MICROSECONDS / 10;

    *microseconds = 0;
    if (!read_char(at, '.'))
        return true;
    if (**at < '0' || **at > '9')
        return false;
    for (; **at >= '0' && **at <= '9'; (*at)++) {
        *microseconds += (**at - '0') * unit;
        unit /= 10;
    }
    return true;
}

static bool read_zone(const char **at, int64_t *seconds)
{
    int hour, minute;
    bool east = **at == '+';

    *seconds = 0;
    if (read_char(at, 'Z'))
        return true;
    if (!read_char(at, '+') && !read_char(at, '-'))
        return false;
    if (!read_hour_and_minute(at, &hour, &minute))
        return false;
    *seconds = (hour * 60 + minute) * 60;
    if (!east)
        *seconds = -*seconds;
    return true;
}

bool dvl_time_read(const char *text, int64_t *out)
{
    struct civil civil;
    int64_t microseconds, offset, seconds;

    if (text == NULL || !read_date(&text, &civil) || !read_char(&text, 'T') ||
        !read_hour_and_minute(&text, &civil.hour, &civil.minute) || !read_char(&text, ':') ||
        !read_digits(&text, 2, &civil.second) || civil.second > 59 || !read_fraction(&text, &microseconds) ||
        !read_zone(&text, &offset) || *text != '\0')
        return false;
    seconds = days_of_civil(civil.year, civil.month, civil.day) * SECONDS_OF_DAY + civil.hour * 3600 +
              civil.minute * 60 + civil.second - offset;
    *out = seconds * MICROSECONDS + microseconds;
    return true;
}

/* Midnight of the local day that is `days` after the one of `now`. */
static bool local_midnight(int64_t now, int days, int64_t *out)
{
    time_t seconds = (time_t)(now / MICROSECONDS);
    struct tm local;

    if (localtime_r(&seconds, &local) == NULL)
        return false;
    local.tm_mday += days;
    local.tm_hour = local.tm_min = local.tm_sec = 0;
    local.tm_isdst = -1;
    *out = (int64_t)mktime(&local) * MICROSECONDS;
    return true;
}

/* "2026-11-30", "2026-11-30 08:00", "2026-11-30T08:00:15": local time. */
static bool read_local(const char *text, int64_t *out)
{
    struct civil civil = {0};
    struct tm local = {0};

    if (!read_date(&text, &civil))
        return false;
    if (*text != '\0') {
        if ((!read_char(&text, ' ') && !read_char(&text, 'T')) ||
            !read_hour_and_minute(&text, &civil.hour, &civil.minute))
            return false;
        if (read_char(&text, ':') && (!read_digits(&text, 2, &civil.second) || civil.second > 59))
            return false;
    }
    if (*text != '\0')
        return false;
    local.tm_year = civil.year - 1900;
    local.tm_mon = civil.month - 1;
    local.tm_mday = civil.day;
    local.tm_hour = civil.hour;
    local.tm_min = civil.minute;
    local.tm_sec = civil.second;
    local.tm_isdst = -1;
    *out = (int64_t)mktime(&local) * MICROSECONDS;
    return true;
}

static bool read_number(const char **at, int64_t *out)
{
    int64_t number = 0;

    if (**at < '0' || **at > '9')
        return false;
    for (; **at >= '0' && **at <= '9'; (*at)++) {
        if (__builtin_mul_overflow(number, 10, &number) || __builtin_add_overflow(number, **at - '0', &number))
            return false;
    }
    *out = number;
    return true;
}

static int64_t seconds_of_unit(char unit)
{
    static const struct {
        char unit;
        int seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', SECONDS_OF_DAY}, {'w', 7 * SECONDS_OF_DAY}};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (units[i].unit == unit)
            return units[i].seconds;
    return 0;
}

/* "2h", "1d12h": numbers, each with its unit. */
static bool read_span(const char *text, int64_t *microseconds)
{
    int64_t sum = 0;

    do {
        int64_t part, unit;
        if (!read_number(&text, &part))
            return false;
        unit = seconds_of_unit(*text);
        if (unit == 0 || __builtin_mul_overflow(part, unit * MICROSECONDS, &part) ||
            __builtin_add_overflow(sum, part, &sum))
            return false;
        text++;
    } while (*text != '\0');
    *microseconds = sum;
    return true;
}

static bool read_epoch(const char *text, int64_t *out)
{
    int64_t seconds, microseconds;

    if (!read_number(&text, &seconds) || !read_fraction(&text, &microseconds) || *text != '\0' || seconds > LAST_SECOND)
        return false;
    *out = seconds * MICROSECONDS + microseconds;
    return true;
}

bool dvl_time_read_human(const char *text, int64_t now, int64_t *out)
{
    int64_t span;

    if (text == NULL)
        return false;
    if (strcmp(text, "now") == 0) {
        *out = now;
        return true;
    }
    if (strcmp(text, "today") == 0)
        return local_midnight(now, 0, out);
    if (strcmp(text, "yesterday") == 0)
        return local_midnight(now, -1, out);
    if (*text == '@')
        return read_epoch(text + 1, out);
    if (*text == '-') {
        if (!read_span(text + 1, &span) || __builtin_sub_overflow(now, span, &span))
            return false;
        *out = span;
        return true;
    }
    return dvl_time_read(text, out) || read_local(text, out);
}

/* Cuts a time into whole seconds, drawn into what four digits of a year can
 * say, and microseconds. */
static int64_t split(int64_t time, int *microseconds)
{
    int64_t seconds = time / MICROSECONDS;
    int64_t rest = time % MICROSECONDS;

    if (rest < 0) {
        rest += MICROSECONDS;
        seconds--;
    }
    if (seconds < FIRST_SECOND) {
        seconds = FIRST_SECOND;
        rest = 0;
    } else if (seconds > LAST_SECOND) {
        seconds = LAST_SECOND;
        rest = MICROSECONDS - 1;
    }
    *microseconds = (int)rest;
    return seconds;
}

static void civil_of_seconds(int64_t seconds, struct civil *out)
{
    int64_t days = seconds / SECONDS_OF_DAY;
    int rest = (int)(seconds % SECONDS_OF_DAY);

    if (rest < 0) {
        rest += SECONDS_OF_DAY;
        days--;
    }
    civil_of_days(days, out);
    out->hour = rest / 3600;
    out->minute = rest / 60 % 60;
    out->second = rest % 60;
}

const char *dvl_time_write(int64_t time, char buffer[DVL_TIME_SIZE])
{
    struct civil civil;
    int microseconds;

    civil_of_seconds(split(time, &microseconds), &civil);
    (void)snprintf(buffer, DVL_TIME_SIZE, "%04u-%02u-%02uT%02u:%02u:%02u.%06uZ", (unsigned)civil.year % 10000,
                   (unsigned)civil.month % 100, (unsigned)civil.day % 100, (unsigned)civil.hour % 100,
                   (unsigned)civil.minute % 100, (unsigned)civil.second % 100, (unsigned)microseconds % 1000000);
    return buffer;
}

const char *dvl_time_write_seconds(int64_t time, char buffer[DVL_TIME_SIZE])
{
    (void)dvl_time_write(time, buffer);
    memcpy(buffer + strlen("2026-11-30T08:00:00"), "Z", sizeof "Z");
    return buffer;
}
