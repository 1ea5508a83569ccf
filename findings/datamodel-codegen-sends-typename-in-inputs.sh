#!/usr/bin/env bash
# Version: datamodel-code-generator 0.89.0 with pydantic 2.14.4 and graphql-core 3.3.2.
#
# Behaviour: each generated model has a field '__typename' with the type's name as its default, and
# an input object is no exception. Written as JSON with the names of GraphQL, a filter contains
# '__typename', which each server refuses since no input object has this field. Optional fields that
# were not set are written as null, which is not the same as leaving them out.
#
# Seen: "written: __typename name rank, refused; without __typename: Leia with rank None; only what
# is set: Leia without rank".
#
# Why it surprises: the model is made from the schema's input type and cannot be sent as one. The
# option 'exclude_unset' cures both, and nothing that is generated says so.
#
# Source: GraphQL specification, 3.10 (input coercion: unknown fields are errors, and a null is not
# an absent value) and 4.1 (__typename belongs to selection sets);
# datamodel_code_generator/parser/graphql.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages "datamodel-code-generator[graphql]==0.89.0" pydantic==2.14.4 graphql-core==3.3.2
cd "$folder"
cat >schema.graphql <<'END'
type Query { find(filter: Filter): String }
input Filter { name: String rank: String }
END
datamodel-codegen --input schema.graphql --input-file-type graphql --output models.py \
  --output-model-type pydantic_v2.BaseModel 2>/dev/null
seen=$(python -W ignore <<'END'
from graphql import build_schema, graphql_sync
from models import Filter

schema = build_schema(open("schema.graphql").read())
schema.query_type.fields["find"].resolve = lambda *_, filter: (
    f"{filter['name']} " + (f"with rank {filter['rank']}" if "rank" in filter else "without rank"))

def find(values):
    document = "query ($filter: Filter) { find(filter: $filter) }"
    result = graphql_sync(schema, document, variable_values={"filter": values})
    if not result.errors:
        return result.data["find"]
    return "refused" if "__typename" in result.errors[0].message else result.errors[0].message

model = Filter(name="Leia")
values = model.model_dump(by_alias=True)
print("written:", *sorted(values), end=f", {find(values)}; ")
del values["__typename"]
print("without __typename:", find(values), end="; ")
print("only what is set:", find(model.model_dump(by_alias=True, exclude_unset=True)))
END
)
expect "A filter with a name" "$seen" \
  "written: __typename name rank, refused; without __typename: Leia with rank None; only what is set: Leia without rank"
