#!/usr/bin/env bash
# Version: graphql-query 1.4.0 (Python) with pydantic 2.14.4; graphql-core 3.3.2 executes the
# documents.
#
# Behaviour: the value of an Argument may be a text or a list of texts. A text is written into the
# document as it is, so that a string needs quotes of its own. The texts of a list are written as
# strings, and each is divided at its commas first: of ["Skywalker, Luke"] the server receives
# "Skywalker" and "Luke". Quotes within a text are left out. Values of an enum, which a list cannot
# be told apart from, become strings, and are refused. With a variable, all of it arrives.
#
# Seen: "text: Skywalker, Luke; list of it: Skywalker|Luke; quotes: the Chosen one; enum: JEDI; list
# of it: refused; as variables: Skywalker, Luke|the "Chosen" one, JEDI".
#
# Why it surprises: one value and a list of one are the same to GraphQL, and here one of them is
# literal and the other is not. The document is valid, the filter has one name more than it was
# given, and the response is a success. A test with names that are one word each passes.
#
# Source: GraphQL specification, 2.9.4 (a comma within a string is a character of it);
# graphql_query/types.py, Argument, _render_for_list_str.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages graphql-query==1.4.0 pydantic==2.14.4 graphql-core==3.3.2
seen=$(python <<'END'
from graphql import build_schema, graphql_sync
from graphql_query import Argument, Operation, Query, Variable

schema = build_schema("""
  type Query { find(name: String, names: [String!], episode: Episode, episodes: [Episode!]): [String!] }
  enum Episode { JEDI EMPIRE }
""")

def find(_, info, **arguments):
    values = [value if isinstance(value, list) else [value] for value in arguments.values()]
    return ["|".join(value) for value in values]

schema.query_type.fields["find"].resolve = find

def send(declared=(), values=None, **arguments):
    arguments = [Argument(name=name, value=value) for name, value in arguments.items()]
    query = Query(name="find", arguments=arguments)
    document = Operation(type="query", name="Find", variables=list(declared), queries=[query]).render()
    result = graphql_sync(schema, document, variable_values=values)
    return "refused" if result.errors else ", ".join(result.data["find"])

names, episodes = Variable(name="names", type="[String!]"), Variable(name="episodes", type="[Episode!]")
print("; ".join((
    "text: " + send(name='"Skywalker, Luke"'),
    "list of it: " + send(names=["Skywalker, Luke"]),
    "quotes: " + send(names=['the "Chosen" one']),
    "enum: " + send(episode="JEDI"),
    "list of it: " + send(episodes=["JEDI"]),
    "as variables: " + send(
        [names, episodes], {"names": ["Skywalker, Luke", 'the "Chosen" one'], "episodes": ["JEDI"]},
        names=names, episodes=episodes))))
END
)
expect "Arguments" "$seen" \
  'text: Skywalker, Luke; list of it: Skywalker|Luke; quotes: the Chosen one; enum: JEDI; list of it: refused; as variables: Skywalker, Luke|the "Chosen" one, JEDI'
