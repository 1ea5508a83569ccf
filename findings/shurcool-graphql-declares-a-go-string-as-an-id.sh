#!/usr/bin/env bash
# Version: shurcooL/graphql 0.0~git20220606 (Debian 12) with Go 1.19; graphql-core 3.3.2 judges the
# documents.
#
# Behaviour: the client declares each variable of an operation by the name of its Go type. A Go
# 'string' is declared as 'ID!', and a list of them as '[ID!]!'. An 'int' is declared as 'int!',
# which no schema has. With graphql.String, which is a string with another name, it is 'String!'.
#
# Seen: "string: ID!, hero(id:) valid, find(name:) not valid; []string: [ID!]!, named(names:) not
# valid; graphql.String: String!, hero(id:) not valid, find(name:) valid; int: int!, page(size:) not
# valid".
#
# Why it surprises: the first calls of a program fetch something by its id and succeed with a plain
# string, so that plain values seem to be right. A number then fails with an unknown type, from
# which one guesses the rule, and a text with "type ID! used in position expecting String!",
# although the program has no ID anywhere. The compiler sees none of it: the values are of any
# type.
#
# Source: shurcooL/graphql's README, "Arguments and variables", and query.go, writeArgumentType;
# GraphQL specification, 5.8.5 (variable usages).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program go "golang-go golang-github-shurcool-graphql-dev=0.0~git20220606.3cf50f8"
python_packages graphql-core==3.3.2
cd "$folder"
cat >main.go <<'END'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/shurcooL/graphql"
)

func main() {
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		var sent struct{ Query string }
		if err := json.Unmarshal(body, &sent); err != nil {
			panic(err)
		}
		fmt.Println(sent.Query)
		io.WriteString(writer, `{"data":{}}`)
	}))
	defer server.Close()
	client := graphql.NewClient(server.URL, nil)
	var hero struct{ Hero string `graphql:"hero(id: $value)"` }
	var find struct{ Find string `graphql:"find(name: $value)"` }
	var named struct{ Named string `graphql:"named(names: $value)"` }
	var page struct{ Page string `graphql:"page(size: $value)"` }
	for _, call := range []struct {
		query interface{}
		value interface{}
	}{
		{&hero, "5"}, {&find, "Leia"}, {&named, []string{"Leia"}},
		{&hero, graphql.String("5")}, {&find, graphql.String("Leia")}, {&page, 5},
	} {
		variables := map[string]interface{}{"value": call.value}
		if err := client.Query(context.Background(), call.query, variables); err != nil {
			panic(err)
		}
	}
}
END
export GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$folder/go-build GOFLAGS=
go run main.go >sent
seen=$(python <<'END'
import re
from graphql import build_schema, parse, validate

schema = build_schema(
    "type Query { hero(id: ID!): String find(name: String!): String named(names: [String!]!): String page(size: Int!): String }")
names = ["string", None, "[]string", "graphql.String", None, "int"]
seen = []
for name, document in zip(names, open("sent"), strict=True):
    declared, field, argument = re.fullmatch(r"query\(\$value:(\S+)\)\{(\w+)\((\w+): \$value\)\}\n", document).groups()
    end = f"{field}({argument}:) {'not valid' if validate(schema, parse(document)) else 'valid'}"
    if name:
        seen.append(f"{name}: {declared}, {end}")
    else:
        seen[-1] += f", {end}"
print("; ".join(seen))
END
)
expect "Declared as" "$seen" \
  "string: ID!, hero(id:) valid, find(name:) not valid; []string: [ID!]!, named(names:) not valid; graphql.String: String!, hero(id:) not valid, find(name:) valid; int: int!, page(size:) not valid"
