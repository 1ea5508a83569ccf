#!/usr/bin/env bash
# Version: graph-gophers/graphql-go 1.5.0 (Debian 12), with Go 1.19; graphql-core 3.3.2 is the other
# one.
#
# Behaviour: the argument 'page: Int = 3' has the default 3 when a document leaves it out. With
# 'query($page: Int) { list(page: $page) }' and no value for the variable, graphql-go takes null in
# place of the default, and the resolver, whose parameter is an 'int32' since an argument with a
# default is not allowed to be a pointer, cannot be called. The error has neither path nor location,
# and the field is missing from 'data'. The variable '{}' for an input object with 'tags: [String!]!
# = ["a"]' is refused, as if the default were not there. A block string is a syntax error.
#
# Seen: "absent argument: 3; absent variable: got null for non-null, keys message, data {}; variable
# {}: refused; literal {}: a; block string: refused"; graphql-core: "absent argument: 3; absent
# variable: 3; variable {}: a; literal {}: a; block string: text".
#
# Why it surprises: generated clients declare each argument as a variable, and leave out the value
# of an optional one. The same call works when it is written by hand. The response says nothing
# about the field: it is neither null nor in the path of an error, so that a typed client fails to
# decode what the schema allows to be null.
#
# Source: GraphQL specification, 6.4.1 (an argument whose variable has no value takes its default),
# 3.10 (input coercion), 7.1.2 (path); graphql-go's internal/exec/packer/packer.go and
# internal/validation/validation.go.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program go "golang-go golang-github-graph-gophers-graphql-go-dev=1.5.0"
python_packages graphql-core==3.3.2
cd "$folder"
cat >schema.graphql <<'END'
input Filter { tags: [String!]! = ["a"] }
type Query { list(page: Int = 3): Int find(by: Filter!): String say(text: String!): String }
END
cat >calls.json <<'END'
[
  ["absent argument", "{ value: list }"],
  ["absent variable", "query($page: Int) { value: list(page: $page) }"],
  ["variable {}", "query($by: Filter!) { value: find(by: $by) }", {"by": {}}],
  ["literal {}", "{ value: find(by: {}) }"],
  ["block string", "{ value: say(text: \"\"\"text\"\"\") }"]
]
END
cat >main.go <<'END'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"

	"github.com/graph-gophers/graphql-go"
)

type filter struct{ Tags []string }
type query struct{}

func (query) List(arguments struct{ Page int32 }) *int32 { return &arguments.Page }
func (query) Find(arguments struct{ By filter }) *string { return &arguments.By.Tags[0] }
func (query) Say(arguments struct{ Text string }) *string { return &arguments.Text }

func main() {
	source, _ := os.ReadFile("schema.graphql")
	schema := graphql.MustParseSchema(string(source), &query{})
	text, _ := os.ReadFile("calls.json")
	var calls [][]interface{}
	if err := json.Unmarshal(text, &calls); err != nil {
		panic(err)
	}
	var seen []string
	for _, call := range calls {
		var variables map[string]interface{}
		if len(call) > 2 {
			variables = call[2].(map[string]interface{})
		}
		response := schema.Exec(context.Background(), call[1].(string), "", variables)
		var data map[string]interface{}
		json.Unmarshal(response.Data, &data)
		end := fmt.Sprint(data["value"])
		if len(response.Errors) > 0 && response.Data == nil {
			end = "refused"
		} else if len(response.Errors) > 0 {
			written, _ := json.Marshal(response.Errors[0])
			var keys map[string]interface{}
			json.Unmarshal(written, &keys)
			var names []string
			for name := range keys {
				names = append(names, name)
			}
			sort.Strings(names)
			message := strings.TrimPrefix(response.Errors[0].Message, "graphql: ")
			end = fmt.Sprintf("%s, keys %s, data %s", message, strings.Join(names, " "), response.Data)
		}
		seen = append(seen, fmt.Sprintf("%s: %s", call[0], end))
	}
	fmt.Println(strings.Join(seen, "; "))
}
END
export GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$folder/go-build GOFLAGS=
expect "graphql-go" "$(go run main.go)" \
  "absent argument: 3; absent variable: got null for non-null, keys message, data {}; variable {}: refused; literal {}: a; block string: refused"
seen=$(python <<'END'
import json
from graphql import build_schema, graphql_sync

schema = build_schema(open("schema.graphql").read())
fields = schema.query_type.fields
fields["list"].resolve = lambda _, info, page: page
fields["find"].resolve = lambda _, info, by: by["tags"][0]
fields["say"].resolve = lambda _, info, text: text
seen = []
for name, document, *variables in json.load(open("calls.json")):
    result = graphql_sync(schema, document, variable_values=variables[0] if variables else None)
    assert not result.errors
    seen.append(f"{name}: {result.data['value']}")
print("; ".join(seen))
END
)
expect "graphql-core" "$seen" \
  "absent argument: 3; absent variable: 3; variable {}: a; literal {}: a; block string: text"
