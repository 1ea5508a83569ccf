#!/usr/bin/env bash
# Version: Ariadne 1.1.1 (ariadne.contrib.sqlalchemy) with SQLAlchemy 2.1.9, aiodataloader 0.4.3 and
# graphql-core 3.3.2.
#
# Behaviour: the model of a hero has three relationships: 'films' with an order, 'shown' with a
# condition ("released"), and 'planet' by a key that can be null. Ariadne resolves 'heroes' by
# itself, and follows the relationships as the model defines them. The field 'found' has a resolver
# that is written by hand and returns the same heroes. Below it Ariadne uses its loaders: the films
# have no order, 'shown' has the unreleased film too, and a hero without a planet has an error. When
# one request asks for both fields, 'found' has the lists of 'heroes', and the error is gone.
#
# Seen: "heroes: films VI,V,IV, shown VI,IV, planet null; found: films IV,V,VI, shown IV,V,VI,
# planet error; found behind heroes: films VI,V,IV, shown VI,IV, planet null".
#
# Why it surprises: the order and the condition are part of the model, and all ways of SQLAlchemy to
# load a relationship keep to them. Here a second root field has other lists for the same objects.
# What it responds also depends on the fields before it, so that two queries which a client merges
# into one have another result than one by one.
#
# Source: SQLAlchemy's documentation, "Configuring how Relationship Joins" (primaryjoin) and
# "Relationships API" (order_by); ariadne/contrib/sqlalchemy/dataloaders.py (get_query: only the
# keys), objects.py (an attribute that is there already is taken; else the key goes to the loader).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages ariadne==1.1.1 graphql-core==3.3.2 sqlalchemy==2.1.9 greenlet==3.5.6 aiodataloader==0.4.3
seen=$(python 2>/dev/null <<'END'
import asyncio

from ariadne import make_executable_schema
from ariadne.contrib.sqlalchemy import LoaderRegistry, SQLAlchemyObjectType, SQLAlchemyQueryType
from graphql import graphql
from sqlalchemy import ForeignKey, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship

class Base(DeclarativeBase):
    pass

class Planet(Base):
    __tablename__ = "planets"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]

class Hero(Base):
    __tablename__ = "heroes"
    id: Mapped[int] = mapped_column(primary_key=True)
    planet_id: Mapped[int | None] = mapped_column(ForeignKey("planets.id"))
    planet: Mapped[Planet | None] = relationship()
    films: Mapped[list["Film"]] = relationship(order_by="Film.id.desc()")
    shown: Mapped[list["Film"]] = relationship(
        primaryjoin="and_(Hero.id == Film.hero_id, Film.released)", order_by="Film.id.desc()",
        viewonly=True)

class Film(Base):
    __tablename__ = "films"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    released: Mapped[bool]
    hero_id: Mapped[int] = mapped_column(ForeignKey("heroes.id"))

engine = create_engine("sqlite://")
Base.metadata.create_all(engine)
with Session(engine) as session:
    films = [Film(title=title, released=title != "V") for title in ("IV", "V", "VI")]
    session.add(Hero(films=films))
    session.commit()

types = [SQLAlchemyObjectType(model.__name__, model) for model in (Hero, Film, Planet)]
query = SQLAlchemyQueryType(types)

@query.field("found")
def found(_, info):
    return info.context["session"].scalars(select(Hero)).all()

schema = make_executable_schema("""
  type Query { heroes: [Hero!]! found: [Hero!]! }
  type Hero { films: [Film!]! shown: [Film!]! planet: Planet }
  type Film { title: String! }
  type Planet { name: String! }
""", query, *types)
SELECTIONS = "{ films { title } shown { title } planet { name } }"

async def show(name, document, field):
    with Session(engine) as session:
        context = {"session": session, "loader_registry": LoaderRegistry(session)}
        result = await graphql(schema, document, context_value=context)
    hero = result.data[field][0]
    lists = [f"{key} {','.join(film['title'] for film in hero[key])}" for key in ("films", "shown")]
    if result.errors:
        assert [error.path for error in result.errors] == [[field, 0, "planet"]]
    assert hero["planet"] is None
    return f"{name}: {', '.join(lists)}, planet {'error' if result.errors else 'null'}"

async def main():
    print("; ".join([
        await show("heroes", f"{{ heroes {SELECTIONS} }}", "heroes"),
        await show("found", f"{{ found {SELECTIONS} }}", "found"),
        await show("found behind heroes", f"{{ heroes {SELECTIONS} found {SELECTIONS} }}", "found")]))

asyncio.run(main())
END
)
expect "One hero" "$seen" \
  "heroes: films VI,V,IV, shown VI,IV, planet null; found: films IV,V,VI, shown IV,V,VI, planet error; found behind heroes: films VI,V,IV, shown VI,IV, planet null"
