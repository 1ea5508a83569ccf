#!/usr/bin/env bash
# Version: gql-defrag 0.2.1 with graphql-core 2.3.2; graphql-core 3.3.2 executes what it writes.
#
# Behaviour: the tool writes each operation without the fragments that it uses. The fields of the
# result are in the order of their names, with what came from a fragment in front of them. 'mutation
# { open add close }' becomes '{ add close open }', and is executed in that order. The condition of
# a spread, '...Films @include(if: $full)', is left out, so that the fields of the fragment are in
# each response.
#
# Seen: "Plain: open add close, then add close open; Fragment: close open add, then add open close;
# Hero: id name, then films id name".
#
# Why it surprises: fragments are a matter of notation, and the tool is named after their removal.
# Both documents are valid and select the same fields. For a query the order is only that of the
# response; the fields of a mutation are executed one after the other, so that it is the meaning. A
# spread's condition is the usual way to fetch an expensive part only when it is needed.
#
# Source: GraphQL specification, 6.2.2 "Mutation" (serial execution), 6.3.2 "Field Collection" (the
# conditions of a spread); gql_defrag/defrag.py, _defragment_selection_set ('sorted') and
# _parse_selection_set ('We ignore any directives here').
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

mkdir "$folder/written"
cat >"$folder/written/operations.graphql" <<'END'
mutation Plain { open add close }
mutation Fragment { close ...Begin }
fragment Begin on Mutation { open add }
query Hero($full: Boolean!) { hero { id @skip(if: $full) name ...Films @include(if: $full) } }
fragment Films on Hero { films }
END
python_packages gql-defrag==0.2.1 graphql-core==2.3.2 promise==2.3 rx==1.6.3 six==1.17.0
python -m gql_defrag --graphql-dir "$folder/written" --output-dir "$folder/defragmented"
python_packages graphql-core==3.3.2
cat >"$folder/execute.py" <<'END'
import pathlib, sys
from graphql import build_schema, graphql_sync

folder = pathlib.Path(sys.argv[1])
schema = build_schema("""
type Query { hero: Hero }
type Hero { id: ID, name: String, films: [String] }
type Mutation { open: Boolean, add: Boolean, close: Boolean }
""")
hero = {"id": "5", "name": "Leia", "films": ["IV"]}

def order(document, operation):
    executed = []
    root = {"hero": hero} | {
        name: lambda _, name=name: executed.append(name) or True for name in ("open", "add", "close")
    }
    result = graphql_sync(schema, document, root, variable_values={"full": False}, operation_name=operation)
    assert not result.errors, result.errors
    return " ".join(executed or sorted(result.data["hero"]))

written = (folder / "written/operations.graphql").read_text()
print("; ".join(
    f"{name}: {order(written, name)}, then {order((folder / f'defragmented/{name}.graphql').read_text(), name)}"
    for name in ("Plain", "Fragment", "Hero")))
END
expect "seen" "$(python "$folder/execute.py" "$folder")" \
  "Plain: open add close, then add close open; Fragment: close open add, then add open close; Hero: id name, then films id name"
