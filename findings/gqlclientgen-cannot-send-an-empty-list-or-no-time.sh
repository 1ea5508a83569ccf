#!/usr/bin/env bash
# Version: gqlclientgen of gqlclient 0.0~git20221107 (Debian 12), a generator of Go.
#
# Behaviour: a list of an input object is a slice with 'omitempty', which encoding/json leaves out
# when it is empty. A nullable variable of the scalar Time is a parameter of the type time.Time, no
# pointer: without a time, the year 1 is sent. Fields that are selected on a type of an interface
# ('... on Droid') have no place in the response, because the interface is a struct of its own
# fields.
#
# Seen: "list: Tags []string `json:"tags,omitempty"`; time: at time.Time; text: name *string; place
# of primaryFunction in the response: none".
#
# Why it surprises: an update with 'tags: []' removes the tags, and this client sends no tags, which
# keeps them. Strings and numbers are pointers, so that the generator looks careful about null. The
# response of the interface is decoded without an error, and what was asked for is not there.
#
# Source: Go's documentation, encoding/json (omitempty; unknown keys are ignored), and time.Time
# (zero value); cmd/gqlclientgen/main.go.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program gqlclientgen gqlclient=0.0~git20221107.1d1d46a
cd "$folder"
cat >schema.graphql <<'END'
scalar Time
interface Character { id: ID! }
type Droid implements Character { id: ID! primaryFunction: String }
input Changes { tags: [String!] title: String }
type Query { seen(at: Time, name: String): Boolean hero: Character }
type Mutation { change(to: Changes!): Boolean }
END
cat >operations.graphql <<'END'
query Seen($at: Time, $name: String) { seen(at: $at, name: $name) }
query Hero { hero { id ... on Droid { primaryFunction } } }
mutation Change($to: Changes!) { change(to: $to) }
END
gqlclientgen -s schema.graphql -q operations.graphql -o client.go -n client
parameter() { grep '^func Seen(' client.go | grep -o "$1 \*\?[a-z.A-Z]*"; }
fields() { sed -n "/^type $1 struct {/,/^}/p" client.go | tr -s '\t ' ' ' | sed 's/^ //'; }
grep -q '^func Hero(.*) (hero \*Character, err error) {$' client.go
grep -q 'on Droid {.*primaryFunction' client.go
place=$(fields Character | grep -c PrimaryFunction || true)
expect "Generated" \
  "list: $(fields Changes | grep Tags); time: $(parameter at); text: $(parameter name); place of primaryFunction in the response: ${place/#0/none}" \
  'list: Tags []string `json:"tags,omitempty"`; time: at time.Time; text: name *string; place of primaryFunction in the response: none'
