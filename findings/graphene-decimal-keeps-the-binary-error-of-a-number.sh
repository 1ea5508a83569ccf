#!/usr/bin/env bash
# Version: graphene 3.4.3 (Decimal) on graphql-core 3.2.14; Strawberry 0.341.2 on graphql-core
# 3.3.2.
#
# Behaviour: the price 19.99 is sent to a field of type Decimal in three ways. As the string "19.99"
# graphene has 19.99. As a JSON number in the variables it has 19.989999999999998436..., which
# it sends back and stores. As a number in the document it refuses it. Strawberry has 19.99 in all
# three.
#
# Seen: "graphene: string 19.99; variable 19.989999999999998436805981327779591083526611328125;
# document refused; Strawberry: string 19.99; variable 19.99; document 19.99".
#
# Why it surprises: the scalar exists to keep binary fractions out of money. The playground refuses
# the number, so it seems that numbers are refused; a client that sends variables is accepted, and
# every comparison with the stored price fails.
#
# Source: graphene/types/decimal.py (parse_value makes a Decimal of a float); Python's documentation
# of decimal.Decimal ("If value is a float, the binary floating point value is losslessly
# converted"); strawberry/schema/types/base_scalars.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/prices.py" <<'END'
DOCUMENTS = (
    ("string", 'query ($price: Decimal) { sell(price: $price) }', {"price": "19.99"}),
    ("variable", 'query ($price: Decimal) { sell(price: $price) }', {"price": 19.99}),
    ("document", "{ sell(price: 19.99) }", {}))

def show(execute):
    results = []
    for name, document, variables in DOCUMENTS:
        result = execute(document, variables)
        results.append(f"{name} {'refused' if result.errors else result.data['sell']}")
    return "; ".join(results)
END
export PYTHONPATH=$folder
python_packages graphene==3.4.3 graphql-core==3.2.14
seen="graphene: $(python <<'END'
import graphene
from prices import show

class Query(graphene.ObjectType):
    sell = graphene.Decimal(price=graphene.Decimal())

    def resolve_sell(root, info, price):
        return price

schema = graphene.Schema(query=Query)
print(show(lambda document, variables: schema.execute(document, variables=variables)))
END
)"
python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2
seen+="; Strawberry: $(python 2>/dev/null <<'END'
import decimal

import strawberry
from prices import show

@strawberry.type
class Query:
    @strawberry.field
    def sell(self, price: decimal.Decimal | None = None) -> decimal.Decimal | None:
        return price

schema = strawberry.Schema(query=Query)
print(show(lambda document, variables: schema.execute_sync(document, variable_values=variables)))
END
)"
expect "A price" "$seen" \
  "graphene: string 19.99; variable 19.989999999999998436805981327779591083526611328125; document refused; Strawberry: string 19.99; variable 19.99; document 19.99"
