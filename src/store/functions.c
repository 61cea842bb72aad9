/* What the schema's triggers call.
 *
 * devledger_library_only() is the guard: only connections of the library have
 * it, so a write from the stock shell stops with "no such function".
 * devledger_event_hash() lets the trigger on `event` refuse a row whose hash
 * is not the chain's. */
#include "connection.h"

static void library_only(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    (void)values;
    sqlite3_result_int(context, 1);
}

static void event_hash(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct dvl_store *store = sqlite3_user_data(context);
    struct dvl_hash_column columns[DVL_HASH_COLUMNS];
    unsigned char hash[DVL_HASH_SIZE];
    (void)count;
    const void *previous = sqlite3_value_blob(values[0]);
    if (!previous || sqlite3_value_bytes(values[0]) != DVL_HASH_SIZE)
        return; /* null: equal to nothing */
    for (int i = 0; i < DVL_HASH_COLUMNS; i++) {
        columns[i].text = (const char *)sqlite3_value_text(values[i + 1]);
        columns[i].length = (size_t)sqlite3_value_bytes(values[i + 1]);
    }
    if (!store->hasher)
        store->hasher = dvl_hasher_new();
    if (!store->hasher || !dvl_hasher_event(store->hasher, previous, columns, hash))
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_blob(context, hash, sizeof hash, SQLITE_TRANSIENT);
}

int dvl_functions_register(struct dvl_store *store)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int code = sqlite3_create_function_v2(store->db, "devledger_library_only", 0, flags, store, library_only, NULL,
                                          NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_create_function_v2(store->db, "devledger_event_hash", DVL_HASH_COLUMNS + 1, flags, store,
                                          event_hash, NULL, NULL, NULL);
    return code;
}
