#!/usr/bin/env bash
# Version: strawberry-sqlalchemy-mapper 0.9.0 with SQLAlchemy 2.1.9, Strawberry 0.341.2 and
# graphql-core 3.3.2.
#
# Behaviour: two heroes have three films each. The mapper makes a connection of the relationship,
# with 'first', 'last' and cursors, and loads the films of all heroes in one batch. It applies the
# limit to the batch: with 'films(first: 1)' Leia has one film, and Luke has none and no next page.
# With 'first: 4' Luke has one. With 'last: 1' only Luke has a film. 'first: 0' gives all films. For
# one hero, 'first: 1' is right.
#
# Seen: "one hero, first 1: IV+; first 1: IV+ -; first 4: IV,V,VI IV; last 1: - VI; first 0: IV,V,VI
# IV,V,VI". A plus is a next page, a hyphen an empty page.
#
# Why it surprises: an argument of a field belongs to that field, once for each parent. A test with
# one parent passes, and so does the first row of each screen. The others look like heroes without
# films, and neither an error nor 'hasNextPage' says that something is missing.
#
# Source: Relay's "GraphQL Cursor Connections Specification", 4 (the arguments apply to the edges of
# the one connection); strawberry_sqlalchemy_mapper/loader.py, _get_pagination_offset_limit and the
# query of loader_for (one offset and one limit for all keys; a limit of 0 is none).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages strawberry-sqlalchemy-mapper==0.9.0 sqlalchemy==2.1.9 strawberry-graphql==0.341.2 \
  graphql-core==3.3.2
seen=$(python 2>/dev/null <<'END'
import asyncio

import strawberry
from sqlalchemy import ForeignKey, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship
from strawberry_sqlalchemy_mapper import StrawberrySQLAlchemyLoader, StrawberrySQLAlchemyMapper

class Base(DeclarativeBase):
    pass

class Hero(Base):
    __tablename__ = "heroes"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    films: Mapped[list["Film"]] = relationship(order_by="Film.id")

class Film(Base):
    __tablename__ = "films"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    hero_id: Mapped[int] = mapped_column(ForeignKey("heroes.id"))

engine = create_engine("sqlite://")
Base.metadata.create_all(engine)
session = Session(engine)
for name in ("Leia", "Luke"):
    session.add(Hero(name=name, films=[Film(title=title) for title in ("IV", "V", "VI")]))
session.commit()
mapper = StrawberrySQLAlchemyMapper()

@mapper.type(Film)
class FilmType:
    __exclude__ = ["hero_id"]

@mapper.type(Hero)
class HeroType:
    pass

@strawberry.type
class Query:
    @strawberry.field
    def heroes(self, limit: int = 2) -> list[HeroType]:
        return session.scalars(select(Hero).order_by(Hero.id).limit(limit)).all()

mapper.finalize()
schema = strawberry.Schema(Query)

async def films(page, heroes="heroes"):
    result = await schema.execute(
        f"{{ {heroes} {{ films({page}) {{ edges {{ node {{ title }} }} pageInfo {{ hasNextPage }} }} }} }}",
        context_value={"sqlalchemy_loader": StrawberrySQLAlchemyLoader(bind=session)})
    assert not result.errors
    pages = []
    for hero in result.data["heroes"]:
        titles = ",".join(edge["node"]["title"] for edge in hero["films"]["edges"])
        pages.append((titles or "-") + "+" * hero["films"]["pageInfo"]["hasNextPage"])
    return f"{page.replace(':', '')}: {' '.join(pages)}"

async def main():
    print("one hero,", await films("first: 1", "heroes(limit: 1)"), end="; ")
    print("; ".join([await films(page) for page in ("first: 1", "first: 4", "last: 1", "first: 0")]))

asyncio.run(main())
END
)
expect "Films of two heroes" "$seen" \
  "one hero, first 1: IV+; first 1: IV+ -; first 4: IV,V,VI IV; last 1: - VI; first 0: IV,V,VI IV,V,VI"
