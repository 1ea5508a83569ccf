#!/usr/bin/env bash
# Version: hypothesis-graphql 0.13.5 with hypothesis 6.170.17 and graphql-core 3.3.2.
#
# Behaviour: for an input object with '@oneOf' the generator of documents gives values to one or
# more of its fields, or null to one of them, as for any other input object. More than half of the
# documents for a field with such an argument are invalid by the schema that they are made from,
# and all of those for the same object without the directive are valid. graphql-core, with which the
# generator reads the schema, tells which input object is one.
#
# Seen: "by: 1 field, 1 null, 2 fields; more than half refused: True; plain: 1 field, 1 null, 2
# fields; refused: 0".
#
# Why it surprises: random documents of this package are meant to be accepted (its first example
# expects no errors), so that what a server, a cache or a compiler refuses counts as its fault. In
# the types by which the strategies go, each field of such an object can be null, and what makes the
# document invalid is said by the directive only. A test that leaves out what is invalid loses most
# documents, and the more the more such arguments a document has.
#
# Source: GraphQL specification (September 2025), 3.10.1 (OneOf Input Objects); the README of
# hypothesis-graphql, and its _strategies/strategy.py; GraphQLInputObjectType.is_one_of.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages hypothesis-graphql==0.13.5 hypothesis==6.170.17 graphql-core==3.3.2
seen=$(cd "$folder" && python <<'END'
from graphql import build_schema, parse, validate
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis_graphql import queries

SDL = """
type Query { by(value: By!): Int plain(value: Plain!): Int }
input By @oneOf { id: ID name: String }
input Plain { id: ID name: String }
"""
schema = build_schema(SDL)
assert schema.type_map["By"].is_one_of and not schema.type_map["Plain"].is_one_of

def documents_of(field):
    documents = []

    @settings(
        max_examples=200, derandomize=True, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck))
    @given(queries(SDL, fields=[field]))
    def collect(document):
        documents.append(document)

    collect()
    return documents

def shapes(documents):
    for document in documents:
        for field in parse(document).definitions[0].selection_set.selections:
            values = [given.value.kind for given in field.arguments[0].value.fields]
            if values == ["null_value"]:
                yield "1 null"
            else:
                yield f"{len(values)} field{'s' * (len(values) != 1)}"

def refused(documents):
    return sum(bool(validate(schema, parse(document))) for document in documents)

by, plain = documents_of("by"), documents_of("plain")
print(
    f"by: {', '.join(sorted(set(shapes(by))))}; more than half refused: {refused(by) > len(by) / 2};"
    f" plain: {', '.join(sorted(set(shapes(plain))))}; refused: {refused(plain)}")
END
)
expect "seen" "$seen" \
  "by: 1 field, 1 null, 2 fields; more than half refused: True; plain: 1 field, 1 null, 2 fields; refused: 0"
