#!/usr/bin/env bash
# Version: qenerate 0.8.1 with pydantic 2.14.4 and graphql-core 3.2.14; shurcooL/graphql
# 0.0~git20220606 (Debian 12) with Go 1.19.
#
# Behaviour: a query selects '{ pet { ... on Dog { name toys } ... on Cat { name lives } } }', and
# the response is a cat, '{"name": "Tom", "lives": 9}'. Neither client asks for '__typename'. In Go
# the struct of each fragment whose fields are named in the response is filled, so that both have
# the name. qenerate tries the classes in turn, and takes the first one that fits. That is the cat
# here; with the selection 'name' in both fragments, each cat is a Dog.
#
# Seen: "qenerate: Cat; the same fields: Dog; Go: Dog Tom, Cat Tom 9; asked for __typename: no".
#
# Why it surprises: the classes are named after the types, and the fragments ask for the type. A
# program that asks 'isinstance(pet, Dog)', or whether the dog has a name, is right until two types
# have a field in common, as the types of a union that is shown in one list mostly do.
#
# Source: GraphQL specification, 4.1 (__typename is how a client tells types apart);
# qenerate/plugins/pydantic (a union of classes); shurcooL/graphql, internal/jsonutil/graphql.go
# (all fragments of a struct are decoded at once).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program go "golang-go golang-github-shurcool-graphql-dev=0.0~git20220606.3cf50f8"
python_packages qenerate==0.8.1 pydantic==2.14.4 graphql-core==3.2.14
cd "$folder"
mkdir generated
cat >generated/pet.gql <<'END'
# qenerate: plugin=pydantic_v2
query Pet { pet { ... on Dog { name toys } ... on Cat { name lives } } }
END
cat >generated/name.gql <<'END'
# qenerate: plugin=pydantic_v2
query PetName { pet { ... on Dog { name } ... on Cat { name } } }
END
python - <<'END'
import json
from graphql import build_schema, introspection_from_schema

schema = build_schema("""
type Query { pet: Pet }
union Pet = Dog | Cat
type Dog { name: String toys: Int }
type Cat { name: String lives: Int }
""")
json.dump({"data": introspection_from_schema(schema)}, open("introspection.json", "w"))
END
qenerate code -i introspection.json generated
seen=$(python <<'END'
from generated.name import PetNameQueryData
from generated.pet import PetQueryData

pet = PetQueryData.model_validate({"pet": {"name": "Tom", "lives": 9}}).pet
name = PetNameQueryData.model_validate({"pet": {"name": "Tom"}}).pet
print(f"{type(pet).__name__}; the same fields: {type(name).__name__}")
END
)
expect "qenerate" "$seen" "Cat; the same fields: Dog"
cat >main.go <<'END'
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/shurcooL/graphql"
)

func main() {
	asked := "no"
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		if strings.Contains(string(body), "__typename") {
			asked = "yes"
		}
		io.WriteString(writer, `{"data": {"pet": {"name": "Tom", "lives": 9}}}`)
	}))
	defer server.Close()
	var query struct {
		Pet struct {
			Dog struct {
				Name graphql.String
				Toys graphql.Int
			} `graphql:"... on Dog"`
			Cat struct {
				Name  graphql.String
				Lives graphql.Int
			} `graphql:"... on Cat"`
		}
	}
	if err := graphql.NewClient(server.URL, nil).Query(context.Background(), &query, nil); err != nil {
		panic(err)
	}
	pet := query.Pet
	fmt.Printf("Dog %s, Cat %s %d; asked for __typename: %s\n", pet.Dog.Name, pet.Cat.Name, pet.Cat.Lives, asked)
}
END
export GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$folder/go-build GOFLAGS=
! grep -q __typename generated/*.py
expect "Go" "$(go run main.go)" "Dog Tom, Cat Tom 9; asked for __typename: no"
