#!/usr/bin/env bash
# Version: graph-gophers/graphql-go 1.5.0 (Debian 12), with Go 1.19; graphql-core 3.3.2 is the other
# one.
#
# Behaviour: the description of a field is what precedes it as a comment, '# ...', and not what
# precedes it as a description, """...""". Introspection gives a note for developers to each client,
# joined with the lines above it, also a commented-out field and the heading of a section that is
# separated by an empty line. The descriptions are read and dropped. With the option
# UseStringDescriptions both are as in graphql-core.
#
# Seen: "graphql-go: hero 'FIXME slow, tell no customer', old null, name 'age: Int', villain
# 'Section: villains'; with the option, and graphql-core: hero null, old 'Use hero.', name null,
# villain null".
#
# Why it surprises: comments are ignored by the language, and descriptions are a part of it since
# 2018. The schema is valid, and what is written in either place has no effect on execution. A
# client that generates code from introspection has the notes of the server's developers in its
# documentation, and the schema changes with each comment that is edited.
#
# Source: GraphQL specification, 2.1.4 (comments) and 3.2 (descriptions); graphql-go's
# documentation of UseStringDescriptions; internal/common/lexer.go.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program go "golang-go golang-github-graph-gophers-graphql-go-dev=1.5.0"
python_packages graphql-core==3.3.2
cd "$folder"
cat >schema.graphql <<'END'
type Query {
  # FIXME slow,
  # tell no customer
  hero: String
  """Use hero."""
  old: String
  # age: Int
  name: String
  # Section: villains

  villain: String
}
END
cat >main.go <<'END'
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/graph-gophers/graphql-go"
)

type query struct{}

func (query) Hero() *string    { return nil }
func (query) Old() *string     { return nil }
func (query) Name() *string    { return nil }
func (query) Villain() *string { return nil }

func main() {
	source, _ := os.ReadFile("schema.graphql")
	var options []graphql.SchemaOpt
	if os.Args[1] == "strings" {
		options = append(options, graphql.UseStringDescriptions())
	}
	schema := graphql.MustParseSchema(string(source), &query{}, options...)
	fmt.Printf("%s", schema.Exec(context.Background(), os.Args[2], "", nil).Data)
}
END
document='{ __type(name: "Query") { fields { name description } } }'
described() {
  python3 -c '
import json, sys
fields = json.load(sys.stdin)["__type"]["fields"]
texts = {field["name"]: field["description"] for field in fields}
print(", ".join(f"{name} " + ("null" if text is None else repr(" ".join(text.split())))
                for name, text in texts.items()))'
}
export GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$folder/go-build GOFLAGS=
go build -o described main.go
expect "graphql-go" "$(./described comments "$document" | described)" \
  "hero 'FIXME slow, tell no customer', old null, name 'age: Int', villain 'Section: villains'"
expect "with the option" "$(./described strings "$document" | described)" \
  "hero null, old 'Use hero.', name null, villain null"
seen=$(
  python - "$document" <<'END'
import json, sys
from graphql import build_schema, graphql_sync

print(json.dumps(graphql_sync(build_schema(open("schema.graphql").read()), sys.argv[1]).data))
END
)
expect "graphql-core" "$(described <<<"$seen")" "hero null, old 'Use hero.', name null, villain null"
