#!/usr/bin/env bash
# Version: ariadne-codegen 0.19.0 with pydantic 2.14.4, and sgqlc 16.5 ('sgqlc-codegen schema').
#
# Behaviour: a type has the fields 'userId' and 'user_id', which are two names in GraphQL. Both
# generators make the Python name 'user_id' of each, and write it twice in one class. The model of
# ariadne-codegen reads only 'userId' from the response, and its input object sends only 'user_id'.
# sgqlc cannot select 'userId'.
#
# Seen: "ariadne-codegen: response {'user_id': 1}, input {'user_id': 2}; sgqlc: user_id".
#
# Why it surprises: a server that moves from snake case to camel case has both names for a time,
# and the old one is deprecated. Python accepts a class with one name twice, neither generator warns
# of it, and which of the two is left depends on the kind of the class.
#
# Source: GraphQL specification, 2.1.9 (names are case-sensitive); ariadne_codegen/utils.py and
# sgqlc/codegen/schema.py (names are converted one by one).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages ariadne-codegen==0.19.0 pydantic==2.14.4 graphql-core==3.2.14 sgqlc==16.5
cd "$folder"
cat >schema.graphql <<'END'
type Query { post: Post find(by: By): Int }
type Post { userId: Int user_id: Int @deprecated(reason: "Use userId.") }
input By { userId: Int user_id: Int }
END
cat >queries.graphql <<'END'
query ReadPost { post { userId user_id } }
query Find($by: By) { find(by: $by) }
END
cat >pyproject.toml <<'END'
[tool.ariadne-codegen]
schema_path = "schema.graphql"
queries_path = "queries.graphql"
target_package_name = "client"
END
ariadne-codegen >/dev/null 2>&1
seen=$(python <<'END'
from client import By, ReadPost

post = ReadPost.model_validate({"post": {"userId": 1, "user_id": 2}}).post
by = By.model_validate({"userId": 1, "user_id": 2})
print("response", post.model_dump(), end=", ")
print("input", by.model_dump(by_alias=True, exclude_unset=True))
END
)
expect "ariadne-codegen" "$seen" "response {'user_id': 1}, input {'user_id': 2}"
python <<'END'
import json
from graphql import build_schema, introspection_from_schema

json.dump(introspection_from_schema(build_schema(open("schema.graphql").read())), open("schema.json", "w"))
END
sgqlc-codegen schema schema.json made.py 2>/dev/null
seen=$(python <<'END'
from sgqlc.operation import Operation
import made

operation = Operation(made.made.query_type)
operation.post()
print(*str(operation).replace("{", "").replace("}", "").split()[2:])
END
)
expect "sgqlc selects each field of a post" "$seen" "user_id"
