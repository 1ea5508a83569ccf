#!/usr/bin/env bash
# Version: vektah/gqlparser 2.5.1 (Debian 12), the parser of gqlgen, with Go 1.19; graphql-core
# 3.3.2 is the other one.
#
# Behaviour: a schema names its mutations 'Changes' and its queries 'Query'. The formatter prints a
# block 'schema' with what differs from the default names only, 'schema { mutation: Changes }', and
# a schema that has this block has no queries. It leaves out 'repeatable' of a directive, so that
# two uses of it on one type are refused, and the description of the schema. Three quotes in a
# description are not escaped. Of a query, it leaves out the directives of a variable. The parser
# itself reads all of it without an error.
#
# Seen: "printed: schema { mutation: Changes }, query ($id: ID) { hero(id: $id) }; source: queries,
# accepted; printed: no queries, The directive '@key' can only be used once; quotes: accepted;
# printed: syntax error".
#
# Why it surprises: of a formatter that belongs to a parser one expects what was read. It is right
# as long as all names are the default ones or none is, no directive is repeated, and no description
# has three quotes. The block is right by the rules that printers follow for leaving it out, but
# these rules are for the whole of it: the same three types without a block are read as intended,
# except for the one that the block is there for.
#
# Source: GraphQL specification, 3.3.1 (a schema definition names all of its root operation types,
# and may be left out if all have the default names), 3.13 (repeatable), 2.9.4 (block strings);
# gqlparser's formatter/formatter.go.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program go "golang-go golang-github-vektah-gqlparser-dev=2.5.1"
python_packages graphql-core==3.3.2
cd "$folder"
cat >schema.graphql <<'END'
"Heroes and their films"
schema { query: Query mutation: Changes }
directive @key(fields: String!) repeatable on OBJECT
type Hero @key(fields: "id") @key(fields: "name") { id: ID! name: String! }
type Query { hero: Hero }
type Changes { rename(name: String!): Hero }
END
cat >quotes.graphql <<'END'
type Query {
  """
  Text between \""" and \"""
  """
  hero: Int
}
END
echo 'query ($id: ID @masked) { hero(id: $id) }' >query.graphql
cat >main.go <<'END'
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/vektah/gqlparser"
	"github.com/vektah/gqlparser/ast"
	"github.com/vektah/gqlparser/formatter"
	"github.com/vektah/gqlparser/parser"
)

func read(name string) *ast.Source {
	text, err := os.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return &ast.Source{Name: name, Input: string(text)}
}

func write(name string, printed *strings.Builder) {
	if err := os.WriteFile("printed-"+name, []byte(printed.String()), 0o600); err != nil {
		panic(err)
	}
}

func main() {
	for _, name := range []string{"schema.graphql", "quotes.graphql"} {
		schema, err := gqlparser.LoadSchema(read(name))
		if err != nil {
			panic(err)
		}
		if schema.Query == nil {
			panic("no queries")
		}
		var printed strings.Builder
		formatter.NewFormatter(&printed).FormatSchema(schema)
		write(name, &printed)
	}
	document, err := parser.ParseQuery(read("query.graphql"))
	if err != nil {
		panic(err)
	}
	if len(document.Operations[0].VariableDefinitions[0].Directives) != 1 {
		panic("no directive")
	}
	var printed strings.Builder
	formatter.NewFormatter(&printed).FormatQueryDocument(document)
	write("query.graphql", &printed)
	fmt.Println("read")
}
END
export GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$folder/go-build GOFLAGS=
expect "The parser, for both schemas and the query" "$(go run main.go)" "read"
seen=$(python <<'END'
from graphql import GraphQLSyntaxError, build_schema, parse

def text(name):
    return open(f"{name}.graphql").read()

printed = text("printed-schema")
assert "Heroes" not in printed
block, query = (" ".join(part.split()) for part in (printed[:printed.index("}") + 1], text("printed-query")))
seen = [f"printed: {block}, {query}"]
for name, file in (("source", "schema"), ("printed", "printed-schema")):
    roots = "queries" if build_schema(text(file), assume_valid_sdl=True).query_type else "no queries"
    try:
        build_schema(text(file))
        end = "accepted"
    except TypeError as error:
        end = str(error).split(" at ")[0]
    seen.append(f"{name}: {roots}, {end}")
for name, file in (("quotes", "quotes"), ("printed", "printed-quotes")):
    try:
        parse(text(file))
        seen.append(f"{name}: accepted")
    except GraphQLSyntaxError:
        seen.append(f"{name}: syntax error")
print("; ".join(seen))
END
)
expect "graphql-core" "$seen" \
  "printed: schema { mutation: Changes }, query (\$id: ID) { hero(id: \$id) }; source: queries, accepted; printed: no queries, The directive '@key' can only be used once; quotes: accepted; printed: syntax error"
