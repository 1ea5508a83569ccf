#!/usr/bin/env bash
# Version: graphql-schema-diff 1.2.5 with graphql-core 3.2.14 and with 3.3.2; both satisfy its
# requirement 'graphql-core>=3.0.1'.
#
# Behaviour: the default of an argument, of an input field and of a directive's argument changes
# between two schemas. With graphql-core 3.2 the tool reports three changes. With 3.3 it says that
# both schemas are equal: for a schema from SDL or from introspection, 'default_value' of 3.3 is
# always Undefined, and the default is in the new attribute 'default'.
#
# Seen: "3.2.14: 3 changes; 3.3.2: 0 changes, equal".
#
# Why it surprises: the attribute is still there, typed and documented as the legacy default, and it
# holds what a program in Python has set. A tool that reads it meets neither an error nor a
# warning: every argument of a downloaded schema has lost its default.
#
# Source: graphql/type/definition.py of 3.3.2 (GraphQLArgument.default); schemadiff/diff/argument.py
# (compares default_value).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cd "$folder"
schema() {
  echo "directive @cache(seconds: Int = $1) on FIELD"
  echo "type Query { list(page: Int = $1, filter: Filter): Int } input Filter { limit: Int = $1 }"
}
schema 1 >old.graphql
schema 2 >new.graphql
changes() {
  python_packages graphql-schema-diff==1.2.5 "graphql-core==$1"
  { schemadiff --old-schema old.graphql --new-schema new.graphql || true; } |
    python -c 'import sys; text = sys.stdin.read(); print(text.count("changed from"), "changes", "equal" * ("equal" in text))'
}
expect "3.2.14" "$(changes 3.2.14)" "3 changes "
expect "3.3.2" "$(changes 3.3.2)" "0 changes equal"
