#!/usr/bin/env bash
# Version: ariadne-codegen 0.19.0 with pydantic 2.14.4.
#
# Behaviour: in '{ hero { name @skip(if: $brief) ...Details @skip(if: $brief) } }' the generated
# model makes the skipped field optional, and inherits from the model of the fragment, whose fields
# stay required. The response without the fragment, which is the right one, does not validate.
#
# Seen: "field: accepted; fragment: height is missing".
#
# Why it surprises: the directive works on a field, and the query is right for every server. The
# model fails only when the variable is true, at run time, in the middle of the response.
#
# Source: GraphQL specification, 3.13.1 and 6.3.2 (a fragment that is skipped contributes no
# fields); ariadne_codegen/client_generators/result_types.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages ariadne-codegen==0.19.0 pydantic==2.14.4 graphql-core==3.2.14
cd "$folder"
cat >schema.graphql <<'END'
type Query { hero: Hero! }
type Hero { name: String! height: Int! }
END
cat >queries.graphql <<'END'
query OneField($brief: Boolean!) { hero { name height @skip(if: $brief) } }
query OneFragment($brief: Boolean!) { hero { name ...Details @skip(if: $brief) } }
fragment Details on Hero { height }
END
cat >pyproject.toml <<'END'
[tool.ariadne-codegen]
schema_path = "schema.graphql"
queries_path = "queries.graphql"
target_package_name = "client"
END
ariadne-codegen >/dev/null
seen=$(python <<'END'
from client import OneField, OneFragment

for name, model in (("field", OneField), ("fragment", OneFragment)):
    try:
        model.model_validate({"hero": {"name": "Leia"}})
        print(name, "accepted", sep=": ", end="; ")
    except ValueError as error:
        problem, = error.errors()
        print(f"{name}: {problem['loc'][-1]} is {problem['type']}", end="; ")
END
)
expect "The response of a brief query" "$seen" "field: accepted; fragment: height is missing; "
