/* The texts of schema/, as they were when the library was built: made by
 * cmake/embed_sql.cmake into schema_text.c. */
#ifndef DVL_STORE_SCHEMA_TEXT_H
#define DVL_STORE_SCHEMA_TEXT_H

#include "query_names.h"

struct dvl_query_text {
    const char *name; /* for messages: "node.sql: by-name" */
    const char *text;
};

/* Indexed by enum dvl_query; one zeroed entry at the end. */
extern const struct dvl_query_text dvl_query_texts[DVL_QUERY_COUNT + 1];

/* Numbered steps in order: the first makes version 1 of version 0. Ends with
 * NULL. */
enum { DVL_MIGRATION_MOST = 999 };
extern const char *const dvl_migrations[DVL_MIGRATION_MOST + 1];
extern const int dvl_migration_count;

/* Today's triggers and views, and the SHA-256 of both texts in hex. */
extern const char dvl_triggers_text[];
extern const char dvl_views_text[];
extern const char dvl_definition_digest[];

#endif
