#!/usr/bin/env bash
# Version: ariadne-codegen 0.19.0 with pydantic 2.14.4.
#
# Behaviour: an operation selects '{ hero { friend { id } ...Details } }', and the fragment Details
# selects 'friend { name }'. The generated class of the hero inherits from that of the fragment and
# declares 'friend' again, with 'id' only. The name, which is in the response, is nowhere in the
# model: neither through the operation's class nor through the fragment's.
#
# Seen: "fields of friend: id; name by the fragment's class: AttributeError".
#
# Why it surprises: two selections of one field are merged by the specification, the server sends
# both, and the class says 'is a Details'. Nothing warns; whoever adds 'friend { id }' to a query
# breaks a function that was written for the fragment.
#
# Source: GraphQL specification, 6.4.3 (CollectFields, merging selection sets);
# ariadne_codegen/client_generators/result_types.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages ariadne-codegen==0.19.0 pydantic==2.14.4 graphql-core==3.2.14
cd "$folder"
cat >schema.graphql <<'END'
type Query { hero: Hero! }
type Hero { id: ID! name: String! friend: Hero! }
END
cat >queries.graphql <<'END'
query HeroAndFriend { hero { friend { id } ...Details } }
fragment Details on Hero { friend { name } }
END
cat >pyproject.toml <<'END'
[tool.ariadne-codegen]
schema_path = "schema.graphql"
queries_path = "queries.graphql"
target_package_name = "client"
END
ariadne-codegen >/dev/null
seen=$(python <<'END'
from client import HeroAndFriend
from client.fragments import Details

def friends_name(details: Details) -> str:
    return details.friend.name

hero = HeroAndFriend.model_validate({"hero": {"friend": {"id": "5", "name": "Luke"}}}).hero
assert isinstance(hero, Details)
print("fields of friend:", *type(hero.friend).model_fields, end="; ")
try:
    print("name by the fragment's class:", friends_name(hero))
except AttributeError as error:
    print("name by the fragment's class:", type(error).__name__)
END
)
expect "Merged selections" "$seen" \
  "fields of friend: id; name by the fragment's class: AttributeError"
