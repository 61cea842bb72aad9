/* ConfigMaps: texts under names. What the texts mean is other folders'. */
#include "objects.h"

enum dvl_status dvl_configmap_read(struct dvl_members *members, const struct dvl_object_parts *parts,
                                   struct dvl_configmap *out)
{
    *out = (struct dvl_configmap){.name = parts->name, .namespace_ = parts->namespace_ ? parts->namespace_ : "default"};
    enum dvl_status status =
        dvl_member_pairs(members, parts->metadata, "metadata.", "labels", DVL_PAIRS_OF_TEXTS, &out->labels);
    return status == DVL_OK ? dvl_member_pairs(members, parts->object, "", "data", DVL_PAIRS_OF_TEXTS, &out->data)
                            : status;
}
