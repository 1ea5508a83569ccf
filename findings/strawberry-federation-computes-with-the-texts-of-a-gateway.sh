#!/usr/bin/env bash
# Version: Strawberry 0.341.2 (strawberry.federation) on graphql-core 3.3.2.
#
# Behaviour: a gateway asks a subgraph for an entity, and sends along the fields of others that the
# subgraph requires: a Decimal 'price', a Date 'day' and an enum 'episode'. A resolver that
# multiplies the price by two gets the text "1.50", and the response has the Decimal 1.501.50. The
# date and the enum are texts too, so that 'episode is Episode.JEDI' is false for JEDI. There is no
# error. The same values as arguments are a Decimal, a date and a member of the enum. A method
# 'resolve_reference' gets a Date key as a text, and each key by the client's name: one that takes
# 'item_id' fails for 'itemId'. Without the method, the name is translated.
#
# Seen: "entity: twice 1.501.50, price str, day str, episode str, is JEDI False, errors 0; argument:
# twice 3.00, price Decimal, day date, episode Episode, is JEDI True; key: str; key with another
# name: unexpected keyword argument 'itemId'; without resolve_reference: 5".
#
# Why it surprises: the class says what its attributes are, and a type checker agrees. Strawberry
# converts arguments by such annotations, and reads entities with the same function, which converts
# the fields of input types only. A test with Int and String passes, since these arrive as they are.
# A field that returns a required value as it came is right too: in JSON it is a text anyway.
#
# Source: Apollo's documentation of federation, "@requires" and "_Any"; Strawberry's documentation,
# "Federation" (resolve_reference); strawberry/federation/schema.py, entities_resolver;
# strawberry/types/arguments.py, convert_argument.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2
seen=$(python 2>/dev/null <<'END'
import enum
from datetime import date
from decimal import Decimal
import strawberry

@strawberry.enum
class Episode(enum.Enum):
    JEDI = "jedi"

def external():
    return strawberry.federation.field(external=True, default=None)

def describe(price, day, episode):
    types = ", ".join(
        f"{name} {type(value).__name__}"
        for name, value in (("price", price), ("day", day), ("episode", episode)))
    return f"{types}, is JEDI {episode is Episode.JEDI}"

@strawberry.federation.type(keys=["itemId"])
class Item:
    item_id: strawberry.ID
    price: Decimal = external()
    day: date = external()
    episode: Episode = external()

    @strawberry.federation.field(requires=["price"])
    def twice(self) -> Decimal:
        return self.price * 2

    @strawberry.federation.field(requires=["price", "day", "episode"])
    def types(self) -> str:
        return describe(self.price, self.day, self.episode)

@strawberry.federation.type(keys=["day"])
class Slot:
    day: date
    type: str = ""

    @classmethod
    def resolve_reference(cls, day: date):
        return cls(day=date(1977, 5, 25), type=type(day).__name__)

@strawberry.federation.type(keys=["itemId"])
class Stock:
    item_id: strawberry.ID

    @classmethod
    def resolve_reference(cls, item_id: strawberry.ID):
        return cls(item_id=item_id)

@strawberry.type
class Query:
    item: Item
    slot: Slot
    stock: Stock

    @strawberry.field
    def twice(self, price: Decimal) -> Decimal:
        return price * 2

    @strawberry.field
    def types(self, price: Decimal, day: date, episode: Episode) -> str:
        return describe(price, day, episode)

schema = strawberry.federation.Schema(Query)

def entity(selections, **representation):
    document = f"query($all: [_Any!]!) {{ _entities(representations: $all) {{ ... on {selections} }} }}"
    result = schema.execute_sync(document, {"all": [representation]}, root_value=object())
    return result.data["_entities"][0], result.errors or []

values = {"price": "1.50", "day": "1977-05-25", "episode": "JEDI"}
item, errors = entity("Item { itemId twice types }", __typename="Item", itemId="5", **values)
print(f"entity: twice {item['twice']}, {item['types']}, errors {len(errors)}", end="; ")
document = """query($price: Decimal!, $day: Date!, $episode: Episode!) {
  twice(price: $price) types(price: $price, day: $day, episode: $episode)
}"""
result = schema.execute_sync(document, values, root_value=object())
print(f"argument: twice {result.data['twice']}, {result.data['types']}", end="; ")
slot, errors = entity("Slot { type }", __typename="Slot", day="1977-05-25")
print(f"key: {slot['type']}", end="; ")
stock, errors = entity("Stock { itemId }", __typename="Stock", itemId="5")
assert stock is None
print(f"key with another name: {errors[0].message.split('got an ')[1]}", end="; ")
print(f"without resolve_reference: {item['itemId']}")
END
)
expect "Item" "$seen" \
  "entity: twice 1.501.50, price str, day str, episode str, is JEDI False, errors 0; argument: twice 3.00, price Decimal, day date, episode Episode, is JEDI True; key: str; key with another name: unexpected keyword argument 'itemId'; without resolve_reference: 5"
