#!/usr/bin/env bash
# Version: BerryQL 0.5.10 with Strawberry 0.341.2, SQLAlchemy 2.1.9 and graphql-core 3.3.2, on
# SQLite.
#
# Behaviour: the ids of films are of SQLAlchemy's type Uuid, and the schema has the scalar UUID for
# them. A film at the root of a query has its id with hyphens. The same film within its hero has it
# without. A filter finds the film by each of its ids.
#
# Seen: "root: 00000000-0000-0000-0000-000000000007; within its hero:
# 00000000000000000000000000000007; records of a client: 2".
#
# Why it surprises: an id is what a client's cache tells objects apart by, and the scalar has one
# form. The client keeps two records of one film, and what a mutation changes in one of them stays
# old in the other. The types of both places are the same, and so is the column: what is within
# another object comes as JSON from the database, past the type that wrote it there.
#
# Source: GraphQL specification, 3.5 (a scalar's result is coerced to what it represents);
# Strawberry's documentation, "Scalars" (UUID); SQLAlchemy's documentation, Uuid (without a native
# type it is stored as 32 digits); berryql/registry.py (_json_object, _json_array_agg).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages berryql==0.5.10 strawberry-graphql==0.341.2 graphql-core==3.3.2 sqlalchemy==2.1.9 \
  aiosqlite==0.22.1 greenlet==3.5.6
seen=$(python <<'END'
import asyncio
import uuid

from berryql import BerrySchema, BerryType, field, relation
from sqlalchemy import ForeignKey
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

class Base(DeclarativeBase):
    pass

class Hero(Base):
    __tablename__ = "heroes"
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    films: Mapped[list["Film"]] = relationship()

class Film(Base):
    __tablename__ = "films"
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    hero_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("heroes.id"))

berries = BerrySchema()

@berries.type(model=Film)
class FilmQL(BerryType):
    id = field()

@berries.type(model=Hero)
class HeroQL(BerryType):
    id = field()
    films = relation("FilmQL")

@berries.query()
class Query:
    heroes = relation("HeroQL")
    films = relation("FilmQL")

schema = berries.to_strawberry()
assert str(schema._schema.type_map["FilmQL"].fields["id"].type).rstrip("!") == "UUID"

async def main():
    engine = create_async_engine("sqlite+aiosqlite://")
    async with engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
    async with AsyncSession(engine) as session:
        session.add(Hero(id=uuid.UUID(int=5), films=[Film(id=uuid.UUID(int=7))]))
        await session.commit()

        async def execute(document, **values):
            context = {"db_session": session}
            result = await schema.execute(document, variable_values=values, context_value=context)
            assert not result.errors, result.errors
            return result.data

        data = await execute("{ films { id } heroes { films { id } } }")
        films = data["films"] + data["heroes"][0]["films"]
        for film in films:
            where = f'{{"id": {{"eq": "{film["id"]}"}}}}'
            found = await execute("query($where: String) { films(where: $where) { id } }", where=where)
            assert found["films"] == [{"id": films[0]["id"]}]
        for place, film in zip(("root", "within its hero"), films):
            print(f"{place}: {film['id']}", end="; ")
        print("records of a client:", len({film["id"]: film for film in films}))

asyncio.run(main())
END
)
expect "One film" "$seen" \
  "root: 00000000-0000-0000-0000-000000000007; within its hero: 00000000000000000000000000000007; records of a client: 2"
