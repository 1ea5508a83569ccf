#!/usr/bin/env bash
# Version: ariadne-codegen 0.19.0, qenerate 0.8.1 and turms 2.3.0, each with pydantic 2.14.4 on
# graphql-core 3.2.14.
#
# Behaviour: a field is of the interface Node, and the query selects '{ id ... on Named { name } ...
# on Droid { model } }'. Named is an interface too. A hero has 'name', and a droid 'name' and
# 'model'. ariadne-codegen has a class for the type name "Named", which no response has, and reads
# the hero without its name. qenerate has a class for each fragment and none for both, and refuses
# the droid. turms generates nothing: "Type Named is not an object type".
#
# Seen: "ariadne-codegen: hero id, droid id model name; qenerate: hero id name, droid refused;
# turms: Type Named is not an object type; valid: 0 errors".
#
# Why it surprises: fragments on an interface are what interfaces are for, and a type has several of
# them. An object that is selected by two fragments has the fields of both. Each of the three reads
# one of these objects right or none, and the one that is silent drops a field that cannot be null.
#
# Source: GraphQL specification, 6.3.2 (CollectFields, DoesFragmentTypeApply) and 3.7 (interfaces
# that implement interfaces); ariadne_codegen/client_generators/result_fields.py;
# qenerate/plugins/pydantic; turms/recurse.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages ariadne-codegen==0.19.0 pydantic==2.14.4 graphql-core==3.2.14
cd "$folder"
cat >schema.graphql <<'END'
type Query { node: Node }
interface Node { id: ID! }
interface Named implements Node { id: ID! name: String! }
type Hero implements Node & Named { id: ID! name: String! }
type Droid implements Node & Named { id: ID! name: String! model: String }
END
mkdir queries
cat >queries/node.graphql <<'END'
query Find { node { id ... on Named { name } ... on Droid { model } } }
END
cat >pyproject.toml <<'END'
[tool.ariadne-codegen]
schema_path = "schema.graphql"
queries_path = "queries"
target_package_name = "client"
END
ariadne-codegen >/dev/null
cat >read.py <<'END'
from pydantic import ValidationError

def read(query, known, **fields):
    try:
        node = query.model_validate({"node": fields}).node
    except ValidationError:
        return "refused"
    return " ".join(sorted(name for name in known if hasattr(node, name)))
END
seen=$(python <<'END'
from client import Find
from read import read

known = ["id", "name", "model"]
hero = read(Find, known, __typename="Hero", id="5", name="Leia")
print(f"hero {hero}, droid", read(Find, known, __typename="Droid", id="6", name="R2-D2", model="R2"))
END
)
expect "ariadne-codegen" "$seen" "hero id, droid id model name"
python_packages qenerate==0.8.1 turms==2.3.0 pydantic==2.14.4 graphql-core==3.2.14
mkdir generated
{ echo '# qenerate: plugin=pydantic_v2' && cat queries/node.graphql; } >generated/node.gql
python - <<'END'
import json
from graphql import build_schema, introspection_from_schema

schema = build_schema(open("schema.graphql").read())
json.dump({"data": introspection_from_schema(schema)}, open("introspection.json", "w"))
END
qenerate code -i introspection.json generated
seen=$(python <<'END'
from generated.node import FindQueryData
from read import read

known = ["q_id", "name", "model"]
hero = read(FindQueryData, known, id="5", name="Leia").replace("q_id", "id")
print(f"hero {' '.join(sorted(hero.split()))}, droid", read(FindQueryData, known, id="6", name="R2-D2", model="R2"))
END
)
expect "qenerate" "$seen" "hero id name, droid refused"
cat >graphql.config.yaml <<'END'
projects:
  default:
    schema: schema.graphql
    documents: queries/*.graphql
    extensions:
      turms:
        out_dir: api
        plugins: [{type: turms.plugins.operations.OperationsPlugin}]
END
expect "turms" "$(COLUMNS=200 turms gen 2>&1 | grep -o -m 1 'Type Named is not an object type')" \
  "Type Named is not an object type"
[ ! -e api ]
seen=$(python <<'END'
from graphql import build_schema, parse, validate

print(len(validate(build_schema(open("schema.graphql").read()), parse(open("queries/node.graphql").read()))), "errors")
END
)
expect "Valid" "$seen" "0 errors"
