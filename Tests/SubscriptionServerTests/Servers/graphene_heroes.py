"""The heroes of the tests, served by Graphene over the legacy protocol `graphql-ws`."""

from __future__ import annotations

import asyncio

import graphene
from starlette_graphene3 import GraphQLApp

from serving import serve

listeners: set[asyncio.Queue] = set()


class Hero(graphene.ObjectType):
    id = graphene.ID(required=True)
    name = graphene.String(required=True)
    friends = graphene.List(graphene.NonNull(lambda: Hero))


class Query(graphene.ObjectType):
    hero = graphene.Field(Hero, name=graphene.String())

    def resolve_hero(root, info, name=None):
        return Hero(id="1", name=name or "R2-D2")


class Rename(graphene.Mutation):
    class Arguments:
        id = graphene.ID(required=True)
        name = graphene.String(required=True)

    Output = Hero

    async def mutate(root, info, id, name):
        hero = Hero(id=id, name=name)
        for listener in listeners:
            listener.put_nowait(hero)
        return hero


class Mutation(graphene.ObjectType):
    rename = Rename.Field()


class Subscription(graphene.ObjectType):
    hero_changed = graphene.Field(Hero)

    async def subscribe_hero_changed(root, info):
        queue: asyncio.Queue = asyncio.Queue()
        listeners.add(queue)
        try:
            yield Hero(id="1", name="subscribed")
            while True:
                yield await queue.get()
        finally:
            listeners.discard(queue)


if __name__ == "__main__":
    # Serves every path.
    serve(GraphQLApp(graphene.Schema(query=Query, mutation=Mutation, subscription=Subscription)))
