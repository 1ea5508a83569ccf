#!/usr/bin/env bash
# Version: specshift 1.5.0 (specshift diff-graphql); graphql-core 3.3.2 is the other one.
#
# Behaviour: between two versions of a schema the type User loses the fields 'name' and 'email'.
# Where it is 'type User { ... }', specshift reports both as breaking, and exits with status 1.
# Where it is 'type User @key(fields: "id") { ... }', it finds no difference, and exits with status
# 0: a directive behind the name hides what is between the braces, in both versions alike.
#
# Seen: "User: 1, 2 breaking; User @key: 0, 0 breaking; User @shareable: 0, 0 breaking";
# graphql-core: "2 breaking" for each.
#
# Why it surprises: the type is found, and its removal would be reported. In a subgraph the types
# with '@key' are those that other services and most queries use. The tool reads '@deprecated' at
# fields, and a schema without directives at its types, as introspection gives it, is compared in
# full.
#
# Source: GraphQL specification, 3.6 (directives are between the name and the fields); Apollo
# Federation, "@key"; specshift/graphql_differ.py, the pattern of a type's block.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages specshift==1.5.0 graphql-core==3.3.2
seen=() other=()
for directive in '' ' @key(fields: "id")' ' @shareable'; do
  for version in old new; do
    fields='name: String! email: String'
    [[ $version == old ]] || fields=
    cat >"$folder/$version.graphql" <<END
directive @key(fields: String!) repeatable on OBJECT
directive @shareable on OBJECT
type User$directive { id: ID! $fields }
type Query { user(id: ID!): User }
END
  done
  status=0
  specshift diff-graphql "$folder/old.graphql" "$folder/new.graphql" >"$folder/log" || status=$?
  seen+=("User${directive%%(*}: $status, $(grep -oE '[0-9]+ breaking' "$folder/log" | head -1)")
  other+=("User${directive%%(*}: $(python - "$folder" <<'END'
import sys

from graphql import build_schema, find_breaking_changes

old, new = (build_schema(open(f"{sys.argv[1]}/{version}.graphql").read()) for version in ("old", "new"))
print(len(find_breaking_changes(old, new)), "breaking")
END
)")
done
joined() { local all; printf -v all '%s; ' "$@"; echo "${all%; }"; }
expect "specshift" "$(joined "${seen[@]}")" \
  "User: 1, 2 breaking; User @key: 0, 0 breaking; User @shareable: 0, 0 breaking"
expect "graphql-core" "$(joined "${other[@]}")" \
  "User: 2 breaking; User @key: 2 breaking; User @shareable: 2 breaking"
