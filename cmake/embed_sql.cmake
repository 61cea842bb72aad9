# Embeds schema/ into the library.
#
# In:  SOURCE, the folder schema/; OUTPUT, the folder for what is generated.
# Out: query_names.h, enum dvl_query with one name for each `-- name:` block of
#      queries/*.sql (file node.sql, block by-name: DVL_QUERY_NODE_BY_NAME), and
#      schema_text.c, the texts themselves: see src/store/schema_text.h.
#
# Texts become arrays of numbers: no escapes, and no limit on the length of a
# string literal. A file is written only when it changes, so that a new word in
# a query does not rebuild everything that names a query.

cmake_minimum_required(VERSION 3.25)

function(write_if_changed path content)
    if(EXISTS "${path}")
        file(READ "${path}" before)
        if("${before}" STREQUAL "${content}")
            return()
        endif()
    endif()
    file(WRITE "${path}" "${content}")
endfunction()

# The text as the inside of a C array initializer, with its final zero.
function(text_to_bytes text result)
    string(HEX "${text}" hex)
    string(REGEX REPLACE "(................................)" "\\1\n    " hex "${hex}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," hex "${hex}")
    set(${result} "\n    ${hex}0," PARENT_SCOPE)
endfunction()

# Text of a file; nothing when there is no such file.
function(read_optional path result)
    set(text "")
    if(EXISTS "${path}")
        file(READ "${path}" text)
    endif()
    set(${result} "${text}" PARENT_SCOPE)
endfunction()

set(names "")   # lines of the enumeration
set(arrays "")  # definitions of arrays
set(queries "") # lines of dvl_query_texts
set(seen "")

file(GLOB query_files ${SOURCE}/queries/*.sql)
list(SORT query_files)
foreach(path IN LISTS query_files)
    get_filename_component(stem "${path}" NAME_WE)
    file(READ "${path}" rest)
    set(rest "\n${rest}")
    string(FIND "${rest}" "\n-- name:" at)
    while(NOT at EQUAL -1)
        math(EXPR at "${at} + 1")
        string(SUBSTRING "${rest}" ${at} -1 rest)
        string(FIND "${rest}" "\n-- name:" at)
        string(SUBSTRING "${rest}" 0 ${at} block)
        string(FIND "${block}" "\n" end)
        string(SUBSTRING "${block}" 0 ${end} line)
        if(NOT line MATCHES "^-- name: ([a-z][a-z0-9_-]*)$")
            message(FATAL_ERROR "${path}: `${line}` is not of the form `-- name: some-name`")
        endif()
        string(TOUPPER "DVL_QUERY_${stem}_${CMAKE_MATCH_1}" name)
        string(REPLACE "-" "_" name "${name}")
        if(name IN_LIST seen)
            message(FATAL_ERROR "${path}: ${name} is there twice")
        endif()
        list(APPEND seen "${name}")
        string(TOLOWER "${name}" array)
        text_to_bytes("${block}" bytes)
        string(APPEND names "    ${name},\n")
        string(APPEND arrays "static const char ${array}[] = {${bytes}\n};\n\n")
        string(APPEND queries "    {\"${stem}.sql: ${CMAKE_MATCH_1}\", ${array}},\n")
    endwhile()
endforeach()

set(migrations "")
set(number 0)
file(GLOB migration_files ${SOURCE}/migrations/*.sql)
list(SORT migration_files)
foreach(path IN LISTS migration_files)
    math(EXPR number "${number} + 1")
    get_filename_component(stem "${path}" NAME_WE)
    if(NOT stem MATCHES "^0*${number}_")
        message(FATAL_ERROR "${path}: step ${number} is expected here")
    endif()
    file(READ "${path}" text)
    text_to_bytes("${text}" bytes)
    string(APPEND arrays "static const char migration_${number}[] = {${bytes}\n};\n\n")
    string(APPEND migrations "    migration_${number},\n")
endforeach()

read_optional("${SOURCE}/triggers.sql" triggers)
read_optional("${SOURCE}/views.sql" views)
string(SHA256 digest "${triggers}\n${views}")
# Today's definitions carry their own mark: a file says which ones it has.
string(APPEND views "
-- Which definitions of triggers and views this file has.
CREATE VIEW definition AS
SELECT '${digest}' AS sha256;
")
text_to_bytes("${triggers}" trigger_bytes)
text_to_bytes("${views}" view_bytes)

write_if_changed(${OUTPUT}/query_names.h "/* Made from schema/queries by cmake/embed_sql.cmake. */
#ifndef DVL_QUERY_NAMES_H
#define DVL_QUERY_NAMES_H

enum dvl_query {
${names}    DVL_QUERY_COUNT
};

#endif
")

write_if_changed(${OUTPUT}/schema_text.c "/* Made from schema/ by cmake/embed_sql.cmake. */
#include \"${SOURCE}/../src/store/schema_text.h\"

${arrays}const struct dvl_query_text dvl_query_texts[DVL_QUERY_COUNT + 1] = {
${queries}    {0, 0},
};

const char *const dvl_migrations[DVL_MIGRATION_MOST + 1] = {
${migrations}    0,
};

const int dvl_migration_count = ${number};

const char dvl_triggers_text[] = {${trigger_bytes}
};

const char dvl_views_text[] = {${view_bytes}
};

const char dvl_definition_digest[] = \"${digest}\";
")
