#!/usr/bin/env bash
# Version: graphene 3.4.3 on graphql-core 3.2.14 with aiodataloader 0.4.3; graphql-core 3.3.2 is the
# other one.
#
# Behaviour: a document has three mutations that add 1, 10 and 100 to a cart, and asks each for the
# cart's total. The resolver of the total is asynchronous, as one with a loader is. If 'mutate' is
# an 'async def', the responses are 1, 11 and 111. If it is a plain function, graphql-core 3.2
# carries out all three mutations first and completes their fields then: each responds with 111.
# What 'mutate' itself returns is right, so that one response has both states. 3.3 waits in both
# cases.
#
# Seen: "3.2.14, def: totals 111 111 111, direct 1 11 111; async def: totals 1 11 111, direct 1 11
# 111"; "3.3.2, def: totals 1 11 111, direct 1 11 111".
#
# Why it surprises: that mutations run one after another, each with its fields, is the one order
# that GraphQL promises. It holds in each test that has no asynchronous field below a mutation, and
# in each program with 'async def' everywhere. Moving the total to a loader, which is an
# optimization, changes what a mutation responds with, and a client that merges the three responses
# has states in its cache that the server never had together.
#
# Source: GraphQL specification, 6.2.2 (Mutation) and 6.3.1 (Normal and Serial Execution: each
# field is completed before the next one begins); graphql-core 3.2's graphql/execution/execute.py,
# execute_fields_serially (the fields are called in a loop, and only their results are awaited in
# turn).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/graphene_cart.py" <<'END'
import asyncio
import graphene
from aiodataloader import DataLoader

sum_of_cart = 0

async def totals(keys):
    return [sum_of_cart for _ in keys]

class Cart(graphene.ObjectType):
    direct = graphene.Int()
    total = graphene.Int()

    async def resolve_total(self, info):
        return await info.context.load(self.direct)

def add_to_cart(amount):
    global sum_of_cart
    sum_of_cart += amount
    return Cart(direct=sum_of_cart)

class Add(graphene.Mutation):
    class Arguments:
        amount = graphene.Int(required=True)

    Output = Cart

    def mutate(root, info, amount):
        return add_to_cart(amount)

class AddAsync(graphene.Mutation):
    class Arguments:
        amount = graphene.Int(required=True)

    Output = Cart

    async def mutate(root, info, amount):
        return add_to_cart(amount)

class Mutation(graphene.ObjectType):
    add = Add.Field()
    add_async = AddAsync.Field()

class Query(graphene.ObjectType):
    total = graphene.Int()

schema = graphene.Schema(Query, Mutation)

async def run(field):
    global sum_of_cart
    sum_of_cart = 0
    fields = " ".join(f"add{amount}: {field}(amount: {amount}) {{ total direct }}" for amount in (1, 10, 100))
    result = await schema.execute_async(f"mutation {{ {fields} }}", context=DataLoader(totals))
    assert not result.errors
    carts = result.data.values()
    return "totals {} {} {}, ".format(*(cart["total"] for cart in carts)) + "direct {} {} {}".format(
        *(cart["direct"] for cart in carts))

print(f"def: {asyncio.run(run('add'))}; async def: {asyncio.run(run('addAsync'))}")
END
python_packages graphene==3.4.3 graphql-core==3.2.14 aiodataloader==0.4.3
expect "graphene on graphql-core 3.2.14" "$(python "$folder/graphene_cart.py")" \
  "def: totals 111 111 111, direct 1 11 111; async def: totals 1 11 111, direct 1 11 111"

cat >"$folder/cart.py" <<'END'
import asyncio
from aiodataloader import DataLoader
from graphql import build_schema, execute, parse

schema = build_schema("""
  type Query { total: Int }
  type Mutation { add(amount: Int!): Cart }
  type Cart { total: Int direct: Int }
""")
sum_of_cart = 0

async def totals(keys):
    return [sum_of_cart for _ in keys]

def add(root, info, amount):
    global sum_of_cart
    sum_of_cart += amount
    return {"direct": sum_of_cart}

async def total(cart, info):
    return await info.context.load(cart["direct"])

schema.mutation_type.fields["add"].resolve = add
schema.type_map["Cart"].fields["total"].resolve = total

async def run():
    fields = " ".join(f"add{amount}: add(amount: {amount}) {{ total direct }}" for amount in (1, 10, 100))
    result = await execute(schema, parse(f"mutation {{ {fields} }}"), context_value=DataLoader(totals))
    assert not result.errors
    carts = result.data.values()
    print("def: totals", *(cart["total"] for cart in carts), end=", direct ")
    print(*(cart["direct"] for cart in carts))

asyncio.run(run())
END
expect "graphql-core 3.2.14" "$(python "$folder/cart.py")" "def: totals 111 111 111, direct 1 11 111"
python_packages graphql-core==3.3.2 aiodataloader==0.4.3
expect "graphql-core 3.3.2" "$(python "$folder/cart.py")" "def: totals 1 11 111, direct 1 11 111"
