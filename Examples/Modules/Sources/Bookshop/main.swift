import ApolloAPI
import Catalog
import Loans

// The responses of a server. Each module has an operation of its own and is independent of the
// other module.
let catalog = try ResponseDecoder().decode(
  Array(
    """
    {"data": {"books": [{"__typename": "Book", "id": "1", "title": "Orlando", "genre": "NOVEL",
      "authors": [{"__typename": "Author", "name": "Virginia Woolf"}]}]}}
    """.utf8), as: CatalogQuery(genre: .novel))
let loans = try ResponseDecoder().decode(
  Array(
    """
    {"data": {"loans": [{"__typename": "Loan", "id": "7", "due": "2026-12-01", "returned": false,
      "book": {"__typename": "Book", "id": "1", "title": "Orlando",
        "authors": [{"__typename": "Author", "name": "Virginia Woolf"}]}}]}}
    """.utf8), as: LoansQuery())

for line in catalog.data?.lines ?? [] { print(line) }
for line in loans.data?.lines ?? [] { print(line) }
