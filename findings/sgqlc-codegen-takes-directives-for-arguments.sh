#!/usr/bin/env bash
# Version: sgqlc 16.5, 'sgqlc-codegen operation'.
#
# Behaviour: '{ hero { name @skip(if: $brief) } }' is refused with "no argument named 'if' on field
# Hero.name": the generator looks for the directive's argument on the field. On a field that has an
# argument 'if' of its own the document passes, and the generated operation has no directive: it
# asks for the field always.
#
# Seen: "name: no argument named 'if'; flag: sends flag".
#
# Why it surprises: @skip and @include are the two directives that each server has, the message
# blames the schema, and where there is no message the query is another one.
#
# Source: GraphQL specification, 3.13; sgqlc/codegen/operation.py (arguments are checked wherever
# they are visited).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages sgqlc==16.5 graphql-core==3.2.14
cd "$folder"
python <<'END'
import json
from graphql import build_schema, introspection_from_schema

schema = build_schema("type Query { hero: Hero } type Hero { id: ID name: String flag(if: Boolean): String }")
with open("schema.json", "w") as file:
    json.dump({"data": introspection_from_schema(schema)}, file)
END
sgqlc-codegen schema schema.json heroes.py
generate() {
  echo "query Q(\$brief: Boolean!) { hero { id $1 @skip(if: \$brief) } }" >query.graphql
  if sgqlc-codegen operation --schema schema.json heroes operations.py query.graphql 2>error; then
    python -c 'import operations; print(operations.Operations.query.q)' | grep "$1" | sed 's/^ */sends /'
  else
    grep --only-matching "no argument named 'if'" error
  fi
}
expect "A skipped field" "name: $(generate name); flag: $(generate flag)" \
  "name: no argument named 'if'; flag: sends flag"
