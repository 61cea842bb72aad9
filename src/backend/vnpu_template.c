/* Chips and their templates, as tables.
 *
 * A 310P pod chooses by cores and two labels; the templates of other chips are
 * there so that slices on such nodes are accounted for. */
#include "vnpu.h"

#include <string.h>

#define NUL DVL_VNPU_DVPP_NULL
#define YES DVL_VNPU_DVPP_YES
#define NO DVL_VNPU_DVPP_NO

static const struct dvl_vnpu_template templates[] = {
    {DVL_VNPU_310P, "vir01", 1, 1, NUL, NULL},
    {DVL_VNPU_310P, "vir02", 2, 2, NUL, "vir02_1c"},
    {DVL_VNPU_310P, "vir02_1c", 2, 1, NUL, NULL},
    {DVL_VNPU_310P, "vir04", 4, 4, NUL, "vir04_3c"},
    {DVL_VNPU_310P, "vir04_3c", 4, 3, NUL, NULL},
    {DVL_VNPU_310P, "vir04_3c_ndvpp", 4, 3, NO, NULL},
    {DVL_VNPU_310P, "vir04_4c_dvpp", 4, 4, YES, NULL},
    {"Ascend910", "vir02", 2, 1, NUL, NULL},
    {"Ascend910", "vir04", 4, 1, NUL, NULL},
    {"Ascend910", "vir08", 8, 3, NUL, NULL},
    {"Ascend910", "vir16", 16, 7, NUL, NULL},
    {"910B1", "vir03", 3, 1, NUL, NULL},
    {"910B1", "vir06", 6, 1, NUL, NULL},
    {"910B1", "vir12", 12, 3, NUL, NULL},
    {"910B2", "vir03", 3, 1, NUL, NULL},
    {"910B2", "vir06", 6, 1, NUL, NULL},
    {"910B2", "vir12", 12, 3, NUL, NULL},
    {"910B2C", "vir03", 3, 1, NUL, NULL},
    {"910B2C", "vir06", 6, 1, NUL, NULL},
    {"910B2C", "vir12", 12, 3, NUL, NULL},
    {"910B3", "vir05", 5, 1, NUL, NULL},
    {"910B3", "vir10", 10, 3, NUL, NULL},
    {"910B4", "vir05", 5, 1, NUL, NULL},
    {"910B4", "vir10_3c_nm", 10, 3, NO, NULL},
    {"910B4", "vir10_4c_m", 10, 4, YES, NULL},
    {"910B4", "vir10", 10, 3, NUL, NULL},
};

static const struct dvl_vnpu_chip chips[] = {
    {DVL_VNPU_310P, 8, 7},
    {DVL_VNPU_310P, 10, 7},
    {"Ascend910", 30, DVL_UNSET},
    {"Ascend910", 32, DVL_UNSET},
    {"910B1", 25, 6},
    {"910B2", 24, 6},
    {"910B2C", 24, 6},
    {"910B3", 20, 6},
    {"910B4", 20, 6},
};

/* Which template a pod gets: by cores, dvpp and level; -1 is any. For 1 and 2 cores dvpp chooses nothing. */
static const struct choice {
    int64_t cores;
    int dvpp, high;
    const char *name;
} choices[] = {
    {1, -1, -1, "vir01"},          {2, -1, false, "vir02_1c"},  {2, -1, true, "vir02"},  {4, YES, -1, "vir04_4c_dvpp"},
    {4, NO, -1, "vir04_3c_ndvpp"}, {4, NUL, false, "vir04_3c"}, {4, NUL, true, "vir04"},
};

const char *dvl_vnpu_dvpp_name(enum dvl_vnpu_dvpp dvpp)
{
    switch (dvpp) {
    case DVL_VNPU_DVPP_NULL:
        return "null";
    case DVL_VNPU_DVPP_YES:
        return "yes";
    case DVL_VNPU_DVPP_NO:
        return "no";
    }
    return "null";
}

const struct dvl_vnpu_template *dvl_vnpu_templates(size_t *count)
{
    *count = sizeof templates / sizeof templates[0];
    return templates;
}

const struct dvl_vnpu_template *dvl_vnpu_template_find(const char *chip, struct dvl_span name)
{
    for (size_t i = 0; i < sizeof templates / sizeof templates[0]; i++) {
        if ((!chip || strcmp(templates[i].chip, chip) == 0) && dvl_span_is(name, templates[i].name))
            return &templates[i];
    }
    return NULL;
}

const struct dvl_vnpu_template *dvl_vnpu_template_for(int64_t cores, bool high, enum dvl_vnpu_dvpp dvpp)
{
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        const struct choice *choice = &choices[i];
        if (choice->cores == cores && (choice->dvpp < 0 || choice->dvpp == (int)dvpp) &&
            (choice->high < 0 || choice->high == (int)high))
            return dvl_vnpu_template_find(DVL_VNPU_310P, dvl_span_of(choice->name));
    }
    return NULL;
}

bool dvl_vnpu_cores_possible(int64_t cores)
{
    if (dvl_vnpu_template_for(cores, false, DVL_VNPU_DVPP_NULL))
        return true;
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        if (strcmp(chips[i].type, DVL_VNPU_310P) == 0 && cores % chips[i].cores == 0)
            return true;
    }
    return false;
}

const struct dvl_vnpu_chip *dvl_vnpu_chip_find(struct dvl_span kind, const char *name, int64_t cores)
{
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        if (chips[i].cores == cores && (dvl_span_is(kind, chips[i].type) || strcmp(name, chips[i].type) == 0))
            return &chips[i];
    }
    return NULL;
}
