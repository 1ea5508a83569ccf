"""The facts of the films, as plain records. `fresh()` makes a galaxy that one server may change."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field


@dataclass
class Person:
    id: str
    name: str
    friends: list[str]
    appears_in: list[str]


@dataclass
class HumanRecord(Person):
    home_planet: str | None
    height: float | None  # metres
    starships: list[str]


@dataclass
class DroidRecord(Person):
    primary_function: str | None


@dataclass
class StarshipRecord:
    id: str
    name: str
    length: float  # metres


@dataclass
class FilmRecord:
    title: str
    director: str
    release_date: datetime.date
    hero: str


@dataclass
class ReviewRecord:
    id: str
    episode: str
    stars: int
    commentary: str | None
    written_on: datetime.date


@dataclass
class Galaxy:
    characters: dict[str, Person]
    starships: dict[str, StarshipRecord]
    films: dict[str, FilmRecord]
    reviews: list[ReviewRecord] = field(default_factory=list)


ALL = ["NEWHOPE", "EMPIRE", "JEDI"]


def fresh() -> Galaxy:
    characters: list[Person] = [
        HumanRecord(
            "1000", "Luke Skywalker", ["1002", "1003", "2000", "2001"], ALL,
            "Tatooine", 1.72, ["3001", "3003"],
        ),
        HumanRecord("1001", "Darth Vader", ["1004"], ALL, "Tatooine", 2.02, ["3002"]),
        HumanRecord(
            "1002", "Han Solo", ["1000", "1003", "1005", "2001"], ALL,
            "Corellia", 1.8, ["3000", "3003"],
        ),
        HumanRecord(
            "1003", "Leia Organa", ["1000", "1002", "2000", "2001"], ALL, "Alderaan", 1.5, []
        ),
        HumanRecord("1004", "Wilhuff Tarkin", ["1001"], ["NEWHOPE"], "Eriadu", 1.8, []),
        HumanRecord(
            "1005", "Lando Calrissian", ["1002", "1003"], ["EMPIRE", "JEDI"],
            "Socorro", None, ["3000"],
        ),
        DroidRecord("2000", "C-3PO", ["1000", "1002", "1003", "2001"], ALL, "Protocol"),
        DroidRecord("2001", "R2-D2", ["1000", "1002", "1003"], ALL, "Astromech"),
    ]
    starships = [
        StarshipRecord("3000", "Millennium Falcon", 34.37),
        StarshipRecord("3001", "X-Wing", 12.5),
        StarshipRecord("3002", "TIE Advanced x1", 9.2),
        StarshipRecord("3003", "Imperial shuttle", 20),
    ]
    return Galaxy(
        characters={character.id: character for character in characters},
        starships={starship.id: starship for starship in starships},
        films={
            "NEWHOPE": FilmRecord(
                "A New Hope", "George Lucas", datetime.date(1977, 5, 25), "2001"
            ),
            "EMPIRE": FilmRecord(
                "The Empire Strikes Back", "Irvin Kershner", datetime.date(1980, 5, 21), "1000"
            ),
            "JEDI": FilmRecord(
                "Return of the Jedi", "Richard Marquand", datetime.date(1983, 5, 25), "2001"
            ),
        },
    )
