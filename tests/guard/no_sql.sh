#!/bin/sh
# C holds no SQL but BEGIN, COMMIT, ROLLBACK, SAVEPOINT, RELEASE and PRAGMA: statements stand in
# schema/, where a reader finds them and tests ask for their plans.
#
#     no_sql.sh        (from the source root)
set -eu

statement='SELECT .*(FROM|[0-9(])|INSERT (OR [A-Z]+ )?INTO|REPLACE INTO|UPDATE (OR [A-Z]+ )?[a-z_]+ SET|DELETE FROM|'
statement=$statement'CREATE (TABLE|VIEW|TRIGGER|INDEX|TEMP|UNIQUE)|DROP (TABLE|VIEW|TRIGGER|INDEX)|ALTER TABLE [a-z]|'
statement=$statement'WITH (RECURSIVE )?[a-z_]+ (\([^)]*\) )?AS|VACUUM [a-z;]'
# Comments may speak of statements; string literals may not hold one.
found=$(find src cli -name '*.[ch]' | sort | while read -r file; do
    sed -e 's|/\*.*\*/||' "$file" | grep -nE "\"[^\"]*($statement)[^\"]*\"" | sed "s|^|$file:|"
done)
if [ -n "$found" ]; then
    echo "SQL in C:"
    echo "$found"
    exit 1
fi
