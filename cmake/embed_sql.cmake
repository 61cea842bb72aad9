# Embeds schema/ into the library: query_names.h (enum dvl_query) and
# schema_text.c. Replaced by the store's real one.
