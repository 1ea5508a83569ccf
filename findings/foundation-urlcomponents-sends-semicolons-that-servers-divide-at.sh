#!/usr/bin/env bash
# Version: Foundation of Swift 6.3.1 (Linux); graph-gophers/graphql-go 1.5.0 with Go 1.19,
# graphql-ruby 1.13.15 with Rack 2.2.22, Perl's GraphQL 0.54 with Plack 1.0050 (Debian 12), and
# Strawberry 0.341.2 on graphql-core 3.3.2 with Starlette 1.10.0 and uvicorn 0.54.0.
#
# Behaviour: a client sends '{ echo(text: "a;b+c") }' by GET, and makes the URL of
# URLComponents.queryItems. This escapes braces, quotes and spaces, and leaves the semicolon and the
# plus sign. Go takes a semicolon in a query for an error and drops the whole parameter, so that the
# server has no document. Rack and Plack take it for a separator, and have the first half of the
# document, a syntax error. Starlette reads it as it is. To all of them the plus sign is a space.
# With both escaped, each server has the text.
#
# Seen: "sent: query=%7B%20echo(text:%20%22a;b+c%22)%20%7D; Go: no operations in query document;
# Rack: refused; Plack: refused; Starlette: a;b c; escaped: Go a;b+c, Rack a;b+c, Plack a;b+c,
# Starlette a;b+c".
#
# Why it surprises: an item of a query is a value that one expects to arrive, and each URL here is
# valid by RFC 3986, which leaves both characters to the reader. That a plus sign is a space is
# known. A semicolon is rare in a document and stands in texts, such as the style of a page or a
# list of keys; the message of the server is that there is no document, or that it ends too early,
# and with the same query by POST nothing is wrong. With the variables in a parameter of their own
# they are null for Go, without a word about them.
#
# Source: RFC 3986, 3.4 (sub-delims are allowed in a query); Apple's page of
# URLComponents.queryItems; the URL Standard of WHATWG, 5.2 (the serializer escapes both); Go's
# documentation, net/url, ParseQuery (since 1.17); Rack's Utils.parse_query and
# Plack::Request->query_parameters (separators).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program go "golang-go golang-github-graph-gophers-graphql-go-dev=1.5.0"
debian_program ruby "ruby ruby-graphql=1.13.15 ruby-rack=2.2.22"
debian_program perl "perl libgraphql-perl=0.54 libplack-perl=1.0050"
python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 starlette==1.10.0 uvicorn==0.54.0 python-multipart==0.0.34
cd "$folder"
cat >main.swift <<'END'
import Foundation

var components = URLComponents(string: "http://127.0.0.1/graphql")!
components.queryItems = [URLQueryItem(name: "query", value: #"{ echo(text: "a;b+c") }"#)]
print(components.url!.query!)
END
swift_program 6.3.1
# Each server gets the query of the URL, and prints the text, or that there is none.
cat >main.go <<'END'
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"io"
	"log"

	"github.com/graph-gophers/graphql-go"
)

type root struct{}

func (*root) Echo(arguments struct{ Text string }) string { return arguments.Text }

func main() {
	log.SetOutput(io.Discard)
	schema := graphql.MustParseSchema("type Query { echo(text: String!): String! }", &root{})
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		json.NewEncoder(writer).Encode(schema.Exec(request.Context(), request.URL.Query().Get("query"), "", nil))
	}))
	defer server.Close()
	response, err := http.Get(server.URL + "/graphql?" + os.Args[1])
	if err != nil {
		panic(err)
	}
	var result struct {
		Data   struct{ Echo string }
		Errors []struct{ Message string }
	}
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		panic(err)
	}
	if result.Errors != nil {
		fmt.Print(result.Errors[0].Message)
	}
	fmt.Println(result.Data.Echo)
}
END
cat >rack.rb <<'END'
require "graphql"
require "rack"

schema = GraphQL::Schema.from_definition(
  "type Query { echo(text: String!): String }", default_resolve: ->(_, _, _, arguments, _) { arguments[:text] })
request = Rack::Request.new(Rack::MockRequest.env_for("/graphql?#{ARGV[0]}"))
result = schema.execute(request.params["query"]).to_h
puts result["errors"] ? "refused" : result["data"]["echo"]
END
cat >plack.pl <<'END'
use strict;
use warnings;
use GraphQL::Execution qw(execute);
use GraphQL::Schema;
use Plack::Request;

my $schema = GraphQL::Schema->from_doc('type Query { echo(text: String!): String }');
my $request = Plack::Request->new({ REQUEST_METHOD => 'GET', QUERY_STRING => $ARGV[0] });
my $root = { echo => sub { $_[0]{text} } };
my $result = execute($schema, $request->query_parameters->get('query'), $root);
print $result->{errors} ? 'refused' : $result->{data}{echo}, "\n";
END
cat >app.py <<'END'
import strawberry
from strawberry.asgi import GraphQL

@strawberry.type
class Query:
    @strawberry.field
    def echo(self, text: str) -> str:
        return text

app = GraphQL(strawberry.Schema(Query))
END
serve_app
cat >starlette.py <<'END'
import json
import sys
import urllib.request

with urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/?{sys.argv[2]}") as response:
    print(json.load(response)["data"]["echo"])
END
export GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$folder/go-build GOFLAGS=
go build -o echo main.go
sent=$(./program)
escaped=${sent//;/%3B}
escaped=${escaped//+/%2B}
seen="sent: $sent; Go: $(./echo "$sent"); Rack: $(ruby -W0 rack.rb "$sent"); Plack: $(perl plack.pl "$sent")"
seen+="; Starlette: $(python starlette.py "$port" "$sent"); escaped: Go $(./echo "$escaped"), Rack $(ruby -W0 rack.rb "$escaped")"
seen+=", Plack $(perl plack.pl "$escaped"), Starlette $(python starlette.py "$port" "$escaped")"
expect "By GET" "$seen" \
  "sent: query=%7B%20echo(text:%20%22a;b+c%22)%20%7D; Go: no operations in query document; Rack: refused; Plack: refused; Starlette: a;b c; escaped: Go a;b+c, Rack a;b+c, Plack a;b+c, Starlette a;b+c"
