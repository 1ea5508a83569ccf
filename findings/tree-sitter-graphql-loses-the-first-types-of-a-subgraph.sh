#!/usr/bin/env bash
# Version: tree-sitter-graphql 0.1.0 (the grammar) with tree-sitter 0.26.1; graphql-core 3.3.2 is
# the other one.
#
# Behaviour: a subgraph of Federation 2 begins with 'extend schema @link(...)'. The grammar has an
# extension of the schema only with braces. Without them, which the specification allows, it takes
# the types behind it for part of the error: both types of a small file, and where a description is
# between them, the one before it. With the directive at a 'schema { ... }' both types are there.
#
# Seen: "extend schema @link: ERROR, no types; extend schema @link, a description: source_file,
# Query; schema @link { }: source_file, User Query; nothing: source_file, User Query"; graphql-core:
# "User Query" for each.
#
# Why it surprises: a parser of this kind is chosen because it goes on behind what it cannot read,
# and it reports no error by itself. It goes on a type or more too late. An outline, a search, or an
# index of the types of many services lacks the first entities of those services that have moved to
# Federation 2, and is right for all others.
#
# Source: GraphQL specification, 3.3.2 (a schema extension may have directives and no operation
# types); Apollo Federation, "@link"; the grammar's schema_extension.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages tree-sitter==0.26.1 tree-sitter-graphql==0.1.0 graphql-core==3.3.2
cat >"$folder/outline.py" <<'END'
import sys

import tree_sitter_graphql
from graphql import ObjectTypeDefinitionNode, parse
from tree_sitter import Language, Parser

LINK = '@link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])'
USER = 'type User @key(fields: "id") { id: ID! name: String }'
QUERY = "type Query { me: User }"
FILES = {
    "extend schema @link": [f"extend schema {LINK}", USER, QUERY],
    "extend schema @link, a description": [f"extend schema {LINK}", USER, '"What to ask for."', QUERY],
    "schema @link { }": [f"schema {LINK} {{ query: Query }}", USER, QUERY],
    "nothing": [USER, QUERY],
}

def by_tree_sitter(text):
    def names(node):
        if node.type == "object_type_definition":
            yield next(child.text.decode() for child in node.children if child.type == "name")
        for child in node.children:
            yield from names(child)

    root = Parser(Language(tree_sitter_graphql.language())).parse(text.encode()).root_node
    return f"{root.type}, {' '.join(names(root)) or 'no types'}"

def by_graphql_core(text):
    nodes = parse(text).definitions
    return " ".join(node.name.value for node in nodes if isinstance(node, ObjectTypeDefinitionNode))

read = {"tree-sitter": by_tree_sitter, "graphql-core": by_graphql_core}[sys.argv[1]]
print("; ".join(f"{name}: {read(' '.join(parts))}" for name, parts in FILES.items()))
END
expect "tree-sitter" "$(python "$folder/outline.py" tree-sitter)" \
  "extend schema @link: ERROR, no types; extend schema @link, a description: source_file, Query; schema @link { }: source_file, User Query; nothing: source_file, User Query"
expect "graphql-core" "$(python "$folder/outline.py" graphql-core)" \
  "extend schema @link: User Query; extend schema @link, a description: User Query; schema @link { }: User Query; nothing: User Query"
