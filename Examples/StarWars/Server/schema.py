"""The Star Wars schema, served over the records of `data`.

It has one of everything that a client has to cope with: an interface, a union, an enum, a custom scalar, arguments with
defaults, nested input objects, mutations that make and that change entities, and a subscription.
"""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import AsyncGenerator
from enum import Enum
from typing import Annotated, Optional, Union

import strawberry

import data

galaxy = data.fresh()
listeners: set[asyncio.Queue[data.ReviewRecord]] = set()


@strawberry.enum(description="The films of the original trilogy.")
class Episode(Enum):
    NEWHOPE = "NEWHOPE"
    EMPIRE = "EMPIRE"
    JEDI = "JEDI"


@strawberry.enum(description="Units of length.")
class LengthUnit(Enum):
    METER = "METER"
    FOOT = "FOOT"

    def of(self, metres: float) -> float:
        return metres if self is LengthUnit.METER else round(metres * 3.28084, 2)


@strawberry.interface(description="Someone who plays a part in the films.")
class Character:
    record: strawberry.Private[data.Person]

    @strawberry.field
    def id(self) -> strawberry.ID:
        return strawberry.ID(self.record.id)

    @strawberry.field(description="The name, which a mutation can change.")
    def name(self) -> str:
        return self.record.name

    @strawberry.field(description="Who this character spends time with.")
    def friends(self) -> list[Character]:
        return [as_character(galaxy.characters[id]) for id in self.record.friends]

    @strawberry.field(description="The films this character is seen in.")
    def appears_in(self) -> list[Episode]:
        return [Episode(name) for name in self.record.appears_in]


@strawberry.type(description="A character made of flesh and blood.")
class Human(Character):
    record: strawberry.Private[data.HumanRecord]

    @strawberry.field
    def home_planet(self) -> Optional[str]:
        return self.record.home_planet

    @strawberry.field(description="How tall the human is, if anyone measured.")
    def height(self, unit: LengthUnit = LengthUnit.METER) -> Optional[float]:
        return None if self.record.height is None else unit.of(self.record.height)

    @strawberry.field
    def starships(self) -> list[Starship]:
        return [Starship(record=galaxy.starships[id]) for id in self.record.starships]


@strawberry.type(description="A character made of metal.")
class Droid(Character):
    record: strawberry.Private[data.DroidRecord]

    @strawberry.field(description="What the droid was built for.")
    def primary_function(self) -> Optional[str]:
        return self.record.primary_function


@strawberry.type(description="Something that flies between the stars.")
class Starship:
    record: strawberry.Private[data.StarshipRecord]

    @strawberry.field
    def id(self) -> strawberry.ID:
        return strawberry.ID(self.record.id)

    @strawberry.field
    def name(self) -> str:
        return self.record.name

    @strawberry.field
    def length(self, unit: LengthUnit = LengthUnit.METER) -> float:
        return unit.of(self.record.length)


SearchResult = Annotated[
    Union[Human, Droid, Starship],
    strawberry.union("SearchResult", description="Whatever has a name that one can look for."),
]


@strawberry.type(description="One film.")
class Film:
    episode: Episode
    title: str
    director: str
    release_date: datetime.date


@strawberry.type(description="What somebody thought of a film.")
class Review:
    id: strawberry.ID
    episode: Episode
    stars: int = strawberry.field(description="From 1 to 5.")
    commentary: Optional[str]
    written_on: datetime.date


@strawberry.input(description="A colour, each part from 0 to 255.")
class ColorInput:
    red: int
    green: int
    blue: int


@strawberry.input(description="A review that is about to be written.")
class ReviewInput:
    stars: int = strawberry.field(description="From 1 to 5.")
    commentary: Optional[str] = None
    favorite_color: Optional[ColorInput] = None


def as_character(record: data.Person) -> Character:
    return Human(record=record) if isinstance(record, data.HumanRecord) else Droid(record=record)


def as_review(record: data.ReviewRecord) -> Review:
    return Review(
        id=strawberry.ID(record.id),
        episode=Episode(record.episode),
        stars=record.stars,
        commentary=record.commentary,
        written_on=record.written_on,
    )


@strawberry.type
class Query:
    @strawberry.field(description="The hero of a film, or of the whole saga.")
    def hero(self, episode: Optional[Episode] = None) -> Optional[Character]:
        film = galaxy.films[(episode or Episode.NEWHOPE).value]
        return as_character(galaxy.characters[film.hero])

    @strawberry.field
    def character(self, id: strawberry.ID) -> Optional[Character]:
        record = galaxy.characters.get(id)
        return as_character(record) if record else None

    @strawberry.field(description="The characters with these ids, in the same order; null for an unknown one.")
    def characters(self, ids: list[strawberry.ID]) -> list[Optional[Character]]:
        records = [galaxy.characters.get(id) for id in ids]
        return [as_character(record) if record else None for record in records]

    @strawberry.field
    def starship(self, id: strawberry.ID) -> Optional[Starship]:
        record = galaxy.starships.get(id)
        return Starship(record=record) if record else None

    @strawberry.field
    def film(self, episode: Episode) -> Film:
        record = galaxy.films[episode.value]
        return Film(
            episode=episode,
            title=record.title,
            director=record.director,
            release_date=record.release_date,
        )

    @strawberry.field(description="The reviews of a film, oldest first.")
    def reviews(self, episode: Episode) -> list[Review]:
        return [as_review(record) for record in galaxy.reviews if record.episode == episode.value]

    @strawberry.field(description="Everything with `text` in its name, whatever the case.")
    def search(self, text: str) -> list[SearchResult]:
        def matches(record: data.Person | data.StarshipRecord) -> bool:
            return text.casefold() in record.name.casefold()

        found = [as_character(record) for record in galaxy.characters.values() if matches(record)]
        ships = [Starship(record=record) for record in galaxy.starships.values() if matches(record)]
        return [*found, *ships]


@strawberry.type
class Mutation:
    @strawberry.mutation
    async def create_review(self, episode: Episode, review: ReviewInput) -> Review:
        if not 1 <= review.stars <= 5:
            raise ValueError(f"A review gives 1 to 5 stars, not {review.stars}.")
        record = data.ReviewRecord(
            id=f"4{len(galaxy.reviews):03}",
            episode=episode.value,
            stars=review.stars,
            commentary=review.commentary,
            written_on=datetime.date.today(),
        )
        galaxy.reviews.append(record)
        for listener in listeners:
            listener.put_nowait(record)
        return as_review(record)

    @strawberry.mutation(description="Gives a character another name. Answers null for an unknown id.")
    async def rename_character(self, id: strawberry.ID, name: str) -> Optional[Character]:
        record = galaxy.characters.get(id)
        if record is None:
            return None
        record.name = name
        return as_character(record)


@strawberry.type
class Subscription:
    @strawberry.subscription(description="Each new review, of one film or of all.")
    async def review_added(
        self, episode: Optional[Episode] = None
    ) -> AsyncGenerator[Review, None]:
        queue: asyncio.Queue[data.ReviewRecord] = asyncio.Queue()
        listeners.add(queue)
        try:
            while True:
                record = await queue.get()
                if episode is None or record.episode == episode.value:
                    yield as_review(record)
        finally:
            listeners.discard(queue)


schema = strawberry.Schema(
    query=Query, mutation=Mutation, subscription=Subscription, types=[Human, Droid]
)
