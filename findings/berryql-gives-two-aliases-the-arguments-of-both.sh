#!/usr/bin/env bash
# Version: BerryQL 0.5.10 with Strawberry 0.341.2, SQLAlchemy 2.1.9 and graphql-core 3.3.2, on
# SQLite.
#
# Behaviour: a hero has the films IV, V and VI. One query asks for them twice, by aliases with
# different arguments. BerryQL loads them once, with the arguments of both together, of which the
# later ones win, and gives that list to each alias. "The first one" and "all behind the first one"
# are both V. A list without arguments has those of its neighbour. At the root of a query, aliases
# are right.
#
# Seen: "first and rest: V and V, one by one IV and V,VI; IV and V: V and V, one by one IV and V;
# all and one: IV and IV, one by one IV,V,VI and IV; at the root: IV and V,VI".
#
# Why it surprises: aliases are there for one field with two sets of arguments. The document is
# valid, each part of it is right by itself, and there is no error. A fragment that another
# component adds to the screen changes the list of this one.
#
# Source: GraphQL specification, 2.7 (field alias) and 6.3.2 (fields are collected by their response
# name); berryql/core/selection.py (what is selected of a relation is kept by the field's name).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages berryql==0.5.10 strawberry-graphql==0.341.2 graphql-core==3.3.2 sqlalchemy==2.1.9 \
  aiosqlite==0.22.1 greenlet==3.5.6
seen=$(python <<'END'
import asyncio

from berryql import BerrySchema, BerryType, field, relation
from sqlalchemy import ForeignKey
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

class Base(DeclarativeBase):
    pass

class Hero(Base):
    __tablename__ = "heroes"
    id: Mapped[int] = mapped_column(primary_key=True)
    films: Mapped[list["Film"]] = relationship()

class Film(Base):
    __tablename__ = "films"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    hero_id: Mapped[int] = mapped_column(ForeignKey("heroes.id"))

berries = BerrySchema()

@berries.type(model=Film)
class FilmQL(BerryType):
    id = field()
    title = field()

@berries.type(model=Hero)
class HeroQL(BerryType):
    id = field()
    films = relation("FilmQL", order_by="id")

@berries.query()
class Query:
    heroes = relation("HeroQL", order_by="id")
    films = relation("FilmQL", order_by="id")

schema = berries.to_strawberry()
VALUES = {"four": '{"title": {"eq": "IV"}}', "five": '{"title": {"eq": "V"}}'}

async def main():
    engine = create_async_engine("sqlite+aiosqlite://")
    async with engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
    async with AsyncSession(engine) as session:
        session.add(Hero(films=[Film(title=title) for title in ("IV", "V", "VI")]))
        await session.commit()

        async def lists(selections, of_hero=True):
            used = {name: value for name, value in VALUES.items() if "$" + name in selections}
            declared = "".join(f"${name}: String " for name in used)
            result = await schema.execute(
                f"query {f'({declared})' * bool(used)} "
                + (f"{{ heroes {{ {selections} }} }}" if of_hero else f"{{ {selections} }}"),
                variable_values=used, context_value={"db_session": session})
            assert not result.errors, result.errors
            data = result.data["heroes"][0] if of_hero else result.data
            return [",".join(film["title"] for film in films) for films in data.values()]

        async def show(name, *arguments):
            both = [f"{alias}: films{of_alias} {{ title }} " for alias, of_alias in zip("ab", arguments)]
            alone = [titles for selections in both for titles in await lists(selections)]
            return f"{name}: {' and '.join(await lists(''.join(both)))}, one by one {' and '.join(alone)}"

        print("; ".join([
            await show("first and rest", "(limit: 1)", "(offset: 1)"),
            await show("IV and V", "(where: $four)", "(where: $five)"),
            await show("all and one", "", "(limit: 1)"),
            "at the root: " + " and ".join(await lists(
                "a: films(limit: 1) { title } b: films(offset: 1) { title }", of_hero=False))]))

asyncio.run(main())
END
)
expect "Two aliases" "$seen" \
  "first and rest: V and V, one by one IV and V,VI; IV and V: V and V, one by one IV and V; all and one: IV and IV, one by one IV,V,VI and IV; at the root: IV and V,VI"
