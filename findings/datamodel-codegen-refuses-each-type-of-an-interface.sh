#!/usr/bin/env bash
# Version: datamodel-code-generator 0.89.0 with pydantic 2.14.4 and graphql-core 3.3.2.
#
# Behaviour: an interface becomes a model whose '__typename' can only be the interface's own name,
# and a field of this type takes nothing else. A response with '__typename', which is that of an
# object type by definition, is refused. One without it is accepted, and the fields of the object
# type are dropped. Union types list their members and are right.
#
# Seen: "with __typename: refused, Input should be 'Character'; without: a Character, fields: id
# name typename__; in a union: Human".
#
# Why it surprises: asking for the type's name is how a client tells apart what an interface can be,
# and is what makes the generated models fail. The name that they require is one that no server can
# send.
#
# Source: GraphQL specification, 4.1 (__typename is the name of the object type) and 3.7 (an
# interface is never the type of a value); datamodel_code_generator/parser/graphql.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages "datamodel-code-generator[graphql]==0.89.0" pydantic==2.14.4 graphql-core==3.3.2
cd "$folder"
cat >schema.graphql <<'END'
type Query { group: Group }
type Group { leader: Character! found: Hit }
interface Character { id: ID! name: String! }
type Human implements Character { id: ID! name: String! height: Float }
type Droid implements Character { id: ID! name: String! primaryFunction: String }
union Hit = Human | Droid
END
datamodel-codegen --input schema.graphql --input-file-type graphql --output models.py \
  --output-model-type pydantic_v2.BaseModel 2>/dev/null
seen=$(python <<'END'
from models import Group
from pydantic import ValidationError

human = {"__typename": "Human", "id": "5", "name": "Leia", "height": 1.5}
try:
    Group.model_validate({"leader": human})
except ValidationError as error:
    detail, = error.errors()
    print("with __typename: refused,", detail["msg"], end="; ")
leader = Group.model_validate({"leader": {k: v for k, v in human.items() if k != "__typename"}}).leader
print(f"without: a {type(leader).__name__}, fields:", *type(leader).model_fields, end="; ")
group = Group.model_validate({"leader": {"id": "5", "name": "Leia"}, "found": human})
print("in a union:", type(group.found).__name__)
END
)
expect "A human" "$seen" \
  "with __typename: refused, Input should be 'Character'; without: a Character, fields: id name typename__; in a union: Human"
