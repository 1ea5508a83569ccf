#!/usr/bin/env bash
# Version: graphql-js 16.6.0 (Debian 12) and graphql-core 3.3.2: findBreakingChanges and
# findDangerousChanges.
#
# Behaviour: a schema drops its mutations by 'schema { query: Query }' and keeps the type Mutation.
# Both functions report nothing. An argument 'page: Int! = 1' loses its default and is required from
# then on: nothing is breaking, and the removed default is one of the dangers. In graphql-core, an
# input object that becomes @oneOf is no change. Each change makes the server refuse a document that
# it has answered before.
#
# Seen: "root: 0 breaking, 0 dangerous, then 1 error; required: 0 breaking, 1 dangerous, then 1
# error; oneOf: 0 breaking, 0 dangerous, then 1 error".
#
# Why it surprises: checks of pull requests ask these functions and pass at "no breaking change".
# Adding a required argument is breaking by the same functions, and making one required is not.
# With its root gone, each mutation of each client fails, and the comparison sees equal types.
#
# Source: graphql-js, utilities/findBreakingChanges (types, fields, arguments and directives are
# compared; root operation types and 'isOneOf' are not); graphql-core,
# utilities/find_schema_changes.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program node "nodejs node-graphql=16.6.0"
cd "$folder"
cat >cases.json <<'END'
{
  "root": [
    "type Query { a: Int } type Mutation { add: Int } schema { query: Query mutation: Mutation }",
    "type Query { a: Int } type Mutation { add: Int } schema { query: Query }",
    "mutation { add }"],
  "required": [
    "type Query { list(page: Int! = 1): Int }",
    "type Query { list(page: Int!): Int }",
    "{ list }"],
  "oneOf": [
    "type Query { find(by: By): Int } input By { id: ID name: String }",
    "type Query { find(by: By): Int } input By @oneOf { id: ID name: String }",
    "{ find(by: {id: 5, name: \"Leia\"}) }"]
}
END
seen=$(NODE_PATH=/usr/share/nodejs node - <<'END'
const { buildSchema, findBreakingChanges, findDangerousChanges, graphqlSync } = require("graphql");
const errors = (schema, source) => graphqlSync({ schema, source }).errors?.length ?? 0;
const cases = require(process.cwd() + "/cases.json");
delete cases.oneOf; // This version does not know the directive.
console.log(Object.entries(cases).map(([name, [before, after, document]]) => {
  const [old, changed] = [buildSchema(before), buildSchema(after)];
  if (errors(old, document)) throw Error(name);
  return `${name}: ${findBreakingChanges(old, changed).length} breaking, ` +
    `${findDangerousChanges(old, changed).length} dangerous, then ${errors(changed, document)} error`;
}).join("; "));
END
)
expect "graphql-js" "$seen" \
  "root: 0 breaking, 0 dangerous, then 1 error; required: 0 breaking, 1 dangerous, then 1 error"
python_packages graphql-core==3.3.2
seen=$(python 2>/dev/null <<'END'
import json
from graphql import build_schema, find_breaking_changes, find_dangerous_changes, graphql_sync

def errors(schema, document):
    return len(graphql_sync(schema, document).errors or [])

results = []
for name, (before, after, document) in json.load(open("cases.json")).items():
    old, changed = build_schema(before), build_schema(after)
    assert not errors(old, document)
    results.append(
        f"{name}: {len(find_breaking_changes(old, changed))} breaking, "
        f"{len(find_dangerous_changes(old, changed))} dangerous, then {errors(changed, document)} error")
print("; ".join(results))
END
)
expect "graphql-core" "$seen" \
  "root: 0 breaking, 0 dangerous, then 1 error; required: 0 breaking, 1 dangerous, then 1 error; oneOf: 0 breaking, 0 dangerous, then 1 error"
