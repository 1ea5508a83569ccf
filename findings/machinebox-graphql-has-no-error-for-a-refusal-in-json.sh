#!/usr/bin/env bash
# Version: machinebox/graphql 0.2.2 (Debian 12) with Go 1.19; shurcooL/graphql 0.0~git20220606 is
# the other one.
#
# Behaviour: a gateway refuses a request with 401 or 502, and says so in JSON, as '{"message":
# "Unauthorized"}'. The client looks at neither the status nor the type of the response. It
# decodes the body, finds no 'errors', and returns nil: the call has succeeded, and the hero is
# nil, or keeps what the variable has held before. A page of HTML is an error, "decoding response:
# invalid character '<'". shurcooL/graphql reports each status but 200. A response with two errors
# is one error here, the message of the first, without its path.
#
# Seen: "401 JSON: nil, hero Leia; 502 JSON: nil, hero Leia; 502 HTML: decoding response; fresh
# variable, 401 JSON: nil, no hero; two errors: graphql: first"; shurcooL/graphql: "401 JSON: error,
# 502 JSON: error, 502 HTML: error".
#
# Why it surprises: 'err == nil' is how Go says that there is a result. A mutation that no server
# has seen is reported as done, and a query as one without a hero, for which null stands in the
# schema. It is found in no test with a server that is up, and an expired token looks like an empty
# account.
#
# Source: machinebox/graphql's graphql.go, runWithJSON; shurcooL/graphql's graphql.go, do; GraphQL
# specification, 7.1 (a response has data or errors); Go's documentation, encoding/json (keys that
# are absent leave a field as it is).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program go "golang-go golang-github-machinebox-graphql-dev=0.2.2 golang-github-shurcool-graphql-dev=0.0~git20220606.3cf50f8"
cd "$folder"
cat >main.go <<'END'
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/machinebox/graphql"
	shurcool "github.com/shurcooL/graphql"
)

type Hero struct{ Name string }

func main() {
	status, body := 0, ""
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, _ *http.Request) {
		if strings.HasPrefix(body, "{") {
			writer.Header().Set("Content-Type", "application/json")
		}
		writer.WriteHeader(status)
		io.WriteString(writer, body)
	}))
	defer server.Close()
	refusals := []struct {
		name   string
		status int
		body   string
	}{
		{"401 JSON", 401, `{"message": "Unauthorized"}`},
		{"502 JSON", 502, `{"message": "Bad Gateway"}`},
		{"502 HTML", 502, "<html>Bad Gateway</html>"},
	}

	client := graphql.NewClient(server.URL)
	var response struct{ Hero *Hero }
	run := func(name string) {
		err := client.Run(context.Background(), graphql.NewRequest("{ hero { name } }"), &response)
		hero := "no hero"
		if response.Hero != nil {
			hero = "hero " + response.Hero.Name
		}
		if err == nil {
			fmt.Printf("%s: nil, %s; ", name, hero)
		} else if strings.HasPrefix(err.Error(), "decoding response") {
			fmt.Printf("%s: decoding response; ", name)
		} else {
			fmt.Printf("%s: %s\n", name, err)
		}
	}
	for _, refusal := range refusals {
		response.Hero = &Hero{"Leia"}
		status, body = refusal.status, refusal.body
		run(refusal.name)
	}
	response.Hero = nil
	status, body = refusals[0].status, refusals[0].body
	run("fresh variable, 401 JSON")
	status, body = 200, `{"data": null, "errors": [{"message": "first", "path": ["hero"]}, {"message": "second"}]}`
	run("two errors")

	other := shurcool.NewClient(server.URL, nil)
	var query struct{ Hero *Hero }
	var seen []string
	for _, refusal := range refusals {
		status, body = refusal.status, refusal.body
		end := "nil"
		if other.Query(context.Background(), &query, nil) != nil {
			end = "error"
		}
		seen = append(seen, refusal.name+": "+end)
	}
	fmt.Println(strings.Join(seen, ", "))
}
END
export GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$folder/go-build GOFLAGS=
go run main.go >seen
expect "machinebox/graphql" "$(sed -n 1p seen)" \
  "401 JSON: nil, hero Leia; 502 JSON: nil, hero Leia; 502 HTML: decoding response; fresh variable, 401 JSON: nil, no hero; two errors: graphql: first"
expect "shurcooL/graphql" "$(sed -n 2p seen)" "401 JSON: error, 502 JSON: error, 502 HTML: error"
