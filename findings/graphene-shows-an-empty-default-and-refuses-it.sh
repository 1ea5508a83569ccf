#!/usr/bin/env bash
# Version: graphene 3.4.3 on graphql-core 3.2.14; Strawberry 0.341.2 on graphql-core 3.3.2 is the
# other one.
#
# Behaviour: an argument of an input type has the default 'user_name: Luke, max_rank: 5', in the
# names of Python, by which the resolver reads them. The schema shows the default '{}', and each
# call without the argument fails: "Field 'user_name' is not defined". With the names of the client,
# 'userName' and 'maxRank', both are right, and the resolver reads 'user_name'. The default of an
# enum may be given as its member or as the member's value, and the schema shows JEDI for both; the
# resolver gets the member for the one, and a text for the other. Strawberry takes Python's names,
# and shows the client's.
#
# Seen: "Python's names: shown {}, absent refused; shown default sent: Leia; client's names: shown
# {userName: "Luke", maxRank: 5}, absent Luke 5; enum's member: shown JEDI, absent Episode, sent
# Episode; value: shown JEDI, absent str, sent Episode"; Strawberry: "Python's names: shown {
# userName: "Luke", maxRank: 5 }, absent Luke 5".
#
# Why it surprises: everything else in graphene is written in Python's names, and translated. The
# schema is valid, the server starts, and a client that always sends the argument works. A generated
# client that writes the default of the schema gets another hero than the one that is meant. And a
# resolver that compares with 'Episode.JEDI' is wrong exactly when the client leaves it to the
# server.
#
# Source: GraphQL specification, 4.2.7 (__InputValue.defaultValue is the default as a literal);
# graphene/types/schema.py, create_fields_for_type (the default is passed on as it is);
# graphql-core's utilities/ast_from_value.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages graphene==3.4.3 graphql-core==3.2.14
seen=$(python <<'END'
import graphene

class Episode(graphene.Enum):
    JEDI = "jedi"
    EMPIRE = "empire"

class Filter(graphene.InputObjectType):
    user_name = graphene.String(default_value="Leia")
    max_rank = graphene.Int()

def find(root, info, filter):
    return " ".join(str(value) for value in (filter.user_name, filter.max_rank) if value)

def type_of(root, info, episode):
    name = type(episode).__name__
    return "Episode" if name == "EnumMeta" else name

class Query(graphene.ObjectType):
    python = graphene.String(
        filter=Filter(default_value={"user_name": "Luke", "max_rank": 5}), resolver=find)
    client = graphene.String(
        filter=Filter(default_value={"userName": "Luke", "maxRank": 5}), resolver=find)
    member = graphene.String(episode=Episode(default_value=Episode.JEDI), resolver=type_of)
    value = graphene.String(episode=Episode(default_value="jedi"), resolver=type_of)

schema = graphene.Schema(Query)
result = schema.execute('{ __type(name: "Query") { fields { name args { defaultValue } } } }')
shown = {field["name"]: field["args"][0]["defaultValue"] for field in result.data["__type"]["fields"]}

def absent(field, argument=""):
    result = schema.execute(f"{{ {field}{argument} }}")
    if result.errors:
        assert "Field 'user_name' is not defined" in result.errors[0].message
        return "refused"
    return result.data[field]

print(f"Python's names: shown {shown['python']}, absent {absent('python')}", end="; ")
print("shown default sent:", absent("python", f"(filter: {shown['python']})"), end="; ")
print(f"client's names: shown {shown['client']}, absent {absent('client')}", end="; ")
for name, field in (("enum's member", "member"), ("value", "value")):
    sent = absent(field, "(episode: JEDI)")
    print(f"{name}: shown {shown[field]}, absent {absent(field)}, sent {sent}", end="; " * (field == "member"))
END
)
expect "graphene" "$seen" \
  "Python's names: shown {}, absent refused; shown default sent: Leia; client's names: shown {userName: \"Luke\", maxRank: 5}, absent Luke 5; enum's member: shown JEDI, absent Episode, sent Episode; value: shown JEDI, absent str, sent Episode"

python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2
seen=$(python <<'END'
import strawberry

@strawberry.input
class Filter:
    user_name: str | None = "Leia"
    max_rank: int | None = None

@strawberry.type
class Query:
    @strawberry.field
    def find(self, filter: Filter = Filter(user_name="Luke", max_rank=5)) -> str:
        return f"{filter.user_name} {filter.max_rank}"

schema = strawberry.Schema(Query)
result = schema.execute_sync('{ __type(name: "Query") { fields { args { defaultValue } } } }')
shown = result.data["__type"]["fields"][0]["args"][0]["defaultValue"]
print(f"Python's names: shown {shown}, absent {schema.execute_sync('{ find }').data['find']}")
END
)
expect "Strawberry" "$seen" "Python's names: shown { userName: \"Luke\", maxRank: 5 }, absent Luke 5"
