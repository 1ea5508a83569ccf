"""A catalog of 10,000 products on a free port of the loopback interface, over GraphQL.

    python server.py

Prints its URL when it is ready. Stops on SIGINT and SIGTERM, and when its standard input ends.

The products are rows of SQLite. Each list is served as a Relay connection, and as pages with an offset.
"""

from __future__ import annotations

import pathlib
import sqlite3
import sys
import threading
from collections.abc import Iterable
from typing import Any

import strawberry
from starlette.applications import Starlette
from starlette.routing import Route
from strawberry import relay
from strawberry.asgi import GraphQL

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Servers"))

from announcing import serve  # noqa: E402

PRODUCT_COUNT = 10_000
CATEGORIES = ("Books", "Games", "Tools", "Toys")

lock = threading.Lock()  # because the server calls resolvers in several threads
database = sqlite3.connect(":memory:", check_same_thread=False)
database.execute(
    "CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT NOT NULL, category TEXT NOT NULL)"
)
database.execute("CREATE INDEX by_category ON product (category, id)")
database.executemany(
    "INSERT INTO product VALUES (?, ?, ?)",
    (
        (number, f"Product {number}", CATEGORIES[number % len(CATEGORIES)])
        for number in range(1, PRODUCT_COUNT + 1)
    ),
)


def rows(text: str, *values: Any) -> list[tuple[Any, ...]]:
    with lock:
        return database.execute(text, values).fetchall()


@strawberry.type
class Product(relay.Node):
    id: relay.NodeID[int]
    name: str
    category: str

    @classmethod
    def resolve_nodes(
        cls, *, info: strawberry.Info, node_ids: Iterable[str], required: bool = False
    ) -> list[Product | None]:
        return [
            next(iter(products("WHERE id = ?", int(node_id))), None)
            for node_id in node_ids
        ]


def products(condition: str, *values: Any) -> list[Product]:
    return [
        Product(id=id, name=name, category=category)
        for id, name, category in rows(
            f"SELECT id, name, category FROM product {condition}", *values
        )
    ]


class ProductList:
    """The products of a category, which are read when they are sliced."""

    def __init__(self, category: str | None) -> None:
        self.condition = "" if category is None else "WHERE category = ?"
        self.values = () if category is None else (category,)

    def __getitem__(self, range: slice) -> list[Product]:
        start = range.start or 0
        count = -1 if range.stop is None else min(range.stop - start, PRODUCT_COUNT)
        return products(
            f"{self.condition} ORDER BY id LIMIT ? OFFSET ?", *self.values, count, start
        )

    def __len__(self) -> int:
        return rows(f"SELECT count(*) FROM product {self.condition}", *self.values)[0][0]


@strawberry.type
class ProductConnection(relay.ListConnection[Product]):
    total_count: int = 0

    @classmethod
    def resolve_connection(
        cls, nodes: ProductList, *, info: strawberry.Info, **arguments: Any
    ) -> ProductConnection:
        last, before = arguments.get("last"), arguments.get("before")
        if last is not None and before is None:
            # Strawberry would read the whole list to find its end.
            arguments["before"] = relay.to_base64("arrayconnection", len(nodes))
        list = super().resolve_connection(nodes, info=info, **arguments)
        list.total_count = len(nodes)
        return list


@strawberry.type
class Query:
    @strawberry.field
    def products(
        self,
        info: strawberry.Info,
        category: str | None = None,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
    ) -> ProductConnection:
        return ProductConnection.resolve_connection(
            ProductList(category),
            info=info, first=first, after=after, last=last, before=before,
        )

    @strawberry.field
    def product_page(
        self, offset: int = 0, limit: int = 50, category: str | None = None
    ) -> list[Product]:
        return ProductList(category)[offset : offset + limit]

    @strawberry.field
    def product(self, id: strawberry.ID) -> Product | None:
        return next(iter(products("WHERE id = ?", number(id))), None)


@strawberry.type
class Mutation:
    @strawberry.mutation
    def add_product(self, name: str, category: str) -> Product:
        if not name:
            raise ValueError("A product needs a name.")
        with lock:
            id = database.execute(
                "INSERT INTO product (name, category) VALUES (?, ?)", (name, category)
            ).lastrowid
        return Product(id=id, name=name, category=category)

    @strawberry.mutation
    def rename_product(self, id: strawberry.ID, name: str) -> Product:
        with lock:
            database.execute("UPDATE product SET name = ? WHERE id = ?", (name, number(id)))
        return products("WHERE id = ?", number(id))[0]

    @strawberry.mutation
    def remove_product(self, id: strawberry.ID) -> strawberry.ID:
        with lock:
            database.execute("DELETE FROM product WHERE id = ?", (number(id),))
        return id


def number(id: str) -> int:
    """Returns the number of a row from the global identifier of its product."""
    return int(relay.GlobalID.from_id(id).node_id)


schema = strawberry.Schema(query=Query, mutation=Mutation)

if __name__ == "__main__":
    serve(Starlette(routes=[Route("/graphql", GraphQL(schema))]))
