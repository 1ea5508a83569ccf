#!/usr/bin/env bash
# Version: ariadne-codegen 0.19.0 with pydantic 2.14.4, on graphql-core 3.2.14.
#
# Behaviour: the fields of an input object have defaults. The generated model takes each as it is
# written: of 'tags: [String!] = "admin"' it makes a text where the type says list, and of an ID
# with the default 5 a number where the type says text. Its own JSON does not validate when it is
# read again. Quotes around the 5 help only until the schema is printed: graphql-core 3.2 prints the
# default of an ID without them, if it reads as an integer, and puts brackets around the text.
#
# Seen: "written: after str 5, tags str admin, read again: tags refused; printed: after int 5, tags
# list ['admin'], read again: after refused; graphql-core: after str 5, tags list ['admin']".
#
# Why it surprises: all of these literals are valid, and are coerced to a text and to a list of one
# item. The types of the model promise that, and pydantic does not validate defaults. A loop over
# the tags meets five letters, and one schema makes two clients, as a file and from a server.
#
# Source: GraphQL specification, 3.5.5 (an ID as an integer literal) and 3.11 (a value that is no
# list is coerced to one); ariadne_codegen/client_generators/input_fields.py;
# graphql/utilities/ast_from_value.py of graphql-core 3.2.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages ariadne-codegen==0.19.0 pydantic==2.14.4 graphql-core==3.2.14
cd "$folder"
cat >written.graphql <<'END'
type Query { find(by: By): String }
input By { after: ID = "5" tags: [String!] = "admin" }
END
python >printed.graphql <<'END'
from graphql import build_schema, print_schema

print(print_schema(build_schema(open("written.graphql").read())))
END
echo 'query Find($by: By) { find(by: $by) }' >queries.graphql
for schema in written printed; do
  cat >pyproject.toml <<END
[tool.ariadne-codegen]
schema_path = "$schema.graphql"
queries_path = "queries.graphql"
target_package_name = "$schema"
END
  ariadne-codegen >/dev/null
done
seen=$(python -W ignore <<'END'
from graphql import build_schema, graphql_sync
from pydantic import ValidationError
import printed, written

def shown(values):
    return ", ".join(f"{name} {type(value).__name__} {value}" for name, value in values)

for package in (written, printed):
    by = package.By()
    print(f"{package.__name__}: {shown(by)}, read again: ", end="")
    try:
        package.By.model_validate(by.model_dump())
    except ValidationError as error:
        print(*(problem["loc"][0] for problem in error.errors()), end=" refused; ")

schema = build_schema(open("written.graphql").read())
root = {"find": lambda info, by: shown(by.items())}
print("graphql-core:", graphql_sync(schema, "{ find(by: {}) }", root).data["find"])
END
)
expect "Defaults" "$seen" \
  "written: after str 5, tags str admin, read again: tags refused; printed: after int 5, tags list ['admin'], read again: after refused; graphql-core: after str 5, tags list ['admin']"
