#!/usr/bin/env bash
# Version: vektah/gqlparser 2.5.1 (Debian 12), with Go 1.19; graphql-core 3.3.2 is the other one.
#
# Behaviour: validator.VariableValues, which is said to coerce and validate the variables of an
# operation, puts brackets around a value for a list, but only around the whole: for '[[Int!]!]' the
# value 1 becomes [1], and [1, 2] stays. A field of an input object that is absent does not get its
# default. An Int may be 2^40 or the text "1".
#
# Seen: "[Int!] of 1: [1]; [[Int!]!] of 1: [1]; [[Int!]!] of [1,2]: [1,2]; Filter of {}: {}; Int of
# 1099511627776: 1099511627776; Int of "1": "1""; graphql-core: "[Int!] of 1: [1]; [[Int!]!] of 1:
# [[1]]; [[Int!]!] of [1,2]: [[1],[2]]; Filter of {}: {"page":3}; Int of 1099511627776: refused; Int
# of "1": refused".
#
# Why it surprises: the library has checked the values without an error, so that a proxy or a server
# that builds on it takes them for values of the declared types. The outermost list is right,
# which is the one that a test has. A cache that takes these variables for a key has two keys for
# one call.
#
# Source: GraphQL specification, 3.11 (input coercion of lists, with a table of nested ones), 3.10
# and 3.5.1; gqlparser's validator/vars.go, VariableValues and validateVarType.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program go "golang-go golang-github-vektah-gqlparser-dev=2.5.1"
python_packages graphql-core==3.3.2
cd "$folder"
cat >schema.graphql <<'END'
input Filter { page: Int = 3 }
type Query { list(value: [Int!]): Int nested(value: [[Int!]!]): Int filter(value: Filter): Int int(value: Int): Int }
END
cat >calls.json <<'END'
[
  ["[Int!]", "list", 1], ["[[Int!]!]", "nested", 1], ["[[Int!]!]", "nested", [1, 2]],
  ["Filter", "filter", {}], ["Int", "int", 1099511627776], ["Int", "int", "1"]
]
END
cat >main.go <<'END'
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/vektah/gqlparser"
	"github.com/vektah/gqlparser/ast"
	"github.com/vektah/gqlparser/validator"
)

func main() {
	source, _ := os.ReadFile("schema.graphql")
	schema := gqlparser.MustLoadSchema(&ast.Source{Name: "schema", Input: string(source)})
	text, _ := os.ReadFile("calls.json")
	var calls [][]interface{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // As gqlgen reads a request.
	if err := decoder.Decode(&calls); err != nil {
		panic(err)
	}
	var seen []string
	for _, call := range calls {
		document := fmt.Sprintf("query($value: %s) { %s(value: $value) }", call[0], call[1])
		query := gqlparser.MustLoadQuery(schema, document)
		given, _ := json.Marshal(call[2])
		variables := map[string]interface{}{"value": call[2]}
		end := "refused"
		coerced, err := validator.VariableValues(schema, query.Operations[0], variables)
		if err == nil {
			written, _ := json.Marshal(coerced["value"])
			end = string(written)
		}
		seen = append(seen, fmt.Sprintf("%s of %s: %s", call[0], given, end))
	}
	fmt.Println(strings.Join(seen, "; "))
}
END
export GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$folder/go-build GOFLAGS=
expect "gqlparser" "$(go run main.go)" \
  '[Int!] of 1: [1]; [[Int!]!] of 1: [1]; [[Int!]!] of [1,2]: [1,2]; Filter of {}: {}; Int of 1099511627776: 1099511627776; Int of "1": "1"'
seen=$(python <<'END'
import json
from graphql import build_schema, parse
from graphql.execution.values import get_variable_values

schema = build_schema(open("schema.graphql").read())
seen = []
for type_name, field, value in json.load(open("calls.json")):
    operation = parse(f"query($value: {type_name}) {{ {field}(value: $value) }}").definitions[0]
    result = get_variable_values(schema, operation.variable_definitions, {"value": value})
    write = lambda value: json.dumps(value, separators=(",", ":"))
    end = "refused" if isinstance(result, list) else write(result.coerced["value"])
    seen.append(f"{type_name} of {write(value)}: {end}")
print("; ".join(seen))
END
)
expect "graphql-core" "$seen" \
  '[Int!] of 1: [1]; [[Int!]!] of 1: [[1]]; [[Int!]!] of [1,2]: [[1],[2]]; Filter of {}: {"page":3}; Int of 1099511627776: refused; Int of "1": refused'
