#!/usr/bin/env bash
# Version: graphene-pydantic 0.6.1 with pydantic 2.14.4, graphene 3.4.3 and graphql-core 3.2.14.
#
# Behaviour: in a model of pydantic 'note: str | None' must be given and may be None. The object
# type and the input object that are made of the model have 'note: String!': a hero without a note
# is an error in place of the hero, and a client cannot send null. 'rank: int = 5' may be left out
# and is never None; the type in the input object is 'Int = 5', which takes null. What the resolver
# receives is no model and is not validated: a null reaches a rank that is an int, and -1 one that
# is at least 0. With 'note: str | None = None' the types of the note are right.
#
# Seen: "object: note String!, rank Int!; hero without a note: null, 1 error; input: note String!,
# rank Int = 5; note null: refused; rank null: received None, rank -1: received -1, the model
# refuses both; with a default: note String, hero without a note: ok".
#
# Why it surprises: the model is where both facts stand, and the types are made of it for that
# reason. Of "must be given" and "may be null", GraphQL's exclamation mark says the latter for a
# response, and here it says the former: data that the model accepts is lost for each client. And
# who declares a constraint in a class that is named after pydantic does not expect to check it
# again.
#
# Source: pydantic's documentation, "Required fields" (an Optional without a default is required);
# GraphQL specification, 3.12 (non-null); graphene_pydantic/converters.py (required is
# 'field.is_required()') and inputobjecttype.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages graphene-pydantic==0.6.1 pydantic==2.14.4 graphene==3.4.3 graphql-core==3.2.14
seen=$(python -W ignore 2>/dev/null <<'END'
import graphene
from graphene_pydantic import PydanticInputObjectType, PydanticObjectType
from pydantic import BaseModel, Field, ValidationError

class Hero(BaseModel):
    note: str | None
    rank: int = Field(default=5, ge=0)

class HeroWithDefault(BaseModel):
    note: str | None = None

class HeroType(PydanticObjectType):
    class Meta:
        model = Hero

class DefaultType(PydanticObjectType):
    class Meta:
        model = HeroWithDefault

class HeroInput(PydanticInputObjectType):
    class Meta:
        model = Hero

class Query(graphene.ObjectType):
    hero = graphene.Field(HeroType, resolver=lambda *_: Hero(note=None))
    default = graphene.Field(DefaultType, resolver=lambda *_: HeroWithDefault())
    rank = graphene.String(hero=HeroInput(), resolver=lambda root, info, hero: str(hero.rank))

schema = graphene.Schema(Query)
types = schema.graphql_schema.type_map

def field(type, name):
    definition = types[type].fields[name]
    default = getattr(definition, "default_value", None)
    return f"{name} {definition.type}" + (f" = {default}" if isinstance(default, int) else "")

def hero(name):
    result = schema.execute(f"{{ {name} {{ note }} }}")
    return "ok" if not result.errors else f"{str(result.data[name]).replace('None', 'null')}, {len(result.errors)} error"

def rank(values):
    result = schema.execute(f"{{ rank(hero: {values}) }}")
    return "refused" if result.errors else f"received {result.data['rank']}"

def model_takes(rank):
    try:
        return bool(Hero(note="", rank=rank))
    except ValidationError:
        return False

assert not model_takes(None) and not model_takes(-1)
print(f"object: {field('HeroType', 'note')}, {field('HeroType', 'rank')}", end="; ")
print(f"hero without a note: {hero('hero')}", end="; ")
print(f"input: {field('HeroInput', 'note')}, {field('HeroInput', 'rank')}", end="; ")
print("note null:", rank("{note: null}"), end="; ")
print("rank null:", rank('{note: "", rank: null}'), end=", ")
print("rank -1:", rank('{note: "", rank: -1}') + ", the model refuses both", end="; ")
print(f"with a default: {field('DefaultType', 'note')}, hero without a note: {hero('default')}")
END
)
expect "A hero" "$seen" \
  "object: note String!, rank Int!; hero without a note: null, 1 error; input: note String!, rank Int = 5; note null: refused; rank null: received None, rank -1: received -1, the model refuses both; with a default: note String, hero without a note: ok"
