#!/usr/bin/env bash
# Version: graphene-sqlalchemy 3.0.0rc2 with SQLAlchemy 2.1.9, graphene 3.4.3 and graphql-core
# 3.2.14.
#
# Behaviour: a filter with two fields, '{title: ..., year: ...}', finds what meets both. The same
# object as an alternative of 'or' finds what meets one of them: all conditions of all alternatives
# are joined by "or". A range is the same: '{year: {gt: 1978, lt: 1982}}' finds one of three films,
# and all three within 'or', even where 'or' has nothing else. With 'and' around the two fields the
# alternative is right.
#
# Seen: "both fields: Hope 1977; as an alternative: Hope 1977, Empire 1980, Hope 2024; with and:
# Hope 1977, Empire 1980; range: Empire 1980; as an alternative: Hope 1977, Empire 1980, Hope 2024".
#
# Why it surprises: the items of 'or' are of the same input type as the filter around it, so that
# one object has two meanings by its place. An alternative with one condition works, and so do
# fields beside 'or'. A list that is too long looks like data, and not like a mistake.
#
# Source: graphene-sqlalchemy's documentation, "Filters", "And/Or Logic" (its example has 'and'
# within 'or', without a reason); graphene_sqlalchemy/filters.py, BaseTypeFilter, or_logic (the
# clauses of an object are not put together before they are joined).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages graphene-sqlalchemy==3.0.0rc2 sqlalchemy==2.1.9 greenlet==3.5.6 graphene==3.4.3 \
  graphql-core==3.2.14
seen=$(python 2>/dev/null <<'END'
import graphene
from graphene import relay
from graphene_sqlalchemy import SQLAlchemyConnectionField, SQLAlchemyObjectType
from sqlalchemy import Column, Integer, String, create_engine
from sqlalchemy.orm import Session, declarative_base

Base = declarative_base()

class Film(Base):
    __tablename__ = "films"
    id = Column(Integer, primary_key=True)
    title = Column(String)
    year = Column(Integer)

class FilmType(SQLAlchemyObjectType):
    class Meta:
        model = Film
        name = "Film"
        interfaces = (relay.Node,)

class Query(graphene.ObjectType):
    films = SQLAlchemyConnectionField(FilmType.connection)

schema = graphene.Schema(Query)
engine = create_engine("sqlite://")
Base.metadata.create_all(engine)
session = Session(engine)
session.add_all(Film(title=title, year=year) for title, year in (
    ("Hope", 1977), ("Empire", 1980), ("Hope", 2024)))
session.commit()

def show(name, condition):
    result = schema.execute(
        f"{{ films(filter: {condition}) {{ edges {{ node {{ title year }} }} }} }}",
        context_value={"session": session})
    assert not result.errors, result.errors
    films = [edge["node"] for edge in result.data["films"]["edges"]]
    return f"{name}: " + ", ".join(f"{film['title']} {film['year']}" for film in films)

BOTH = '{title: {eq: "Hope"}, year: {lt: 2000}}'
APART = '{and: [{title: {eq: "Hope"}}, {year: {lt: 2000}}]}'
EMPIRE = '{title: {eq: "Empire"}}'
RANGE = "{year: {gt: 1978, lt: 1982}}"
print("; ".join([
    show("both fields", BOTH),
    show("as an alternative", f"{{or: [{BOTH}, {EMPIRE}]}}"),
    show("with and", f"{{or: [{APART}, {EMPIRE}]}}"),
    show("range", RANGE),
    show("as an alternative", f"{{or: [{RANGE}]}}")]))
END
)
expect "Films" "$seen" \
  "both fields: Hope 1977; as an alternative: Hope 1977, Empire 1980, Hope 2024; with and: Hope 1977, Empire 1980; range: Empire 1980; as an alternative: Hope 1977, Empire 1980, Hope 2024"
