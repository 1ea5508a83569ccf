// This folder has no generated code: the build generates `Library.BooksQuery` and the other types
// from GraphQL/. Change the query and build again, and its type changes.

let response = """
  {
    "books": [
      {
        "__typename": "Book", "id": "1", "title": "Sketch of the Analytical Engine", "published": "1843-09",
        "author": { "__typename": "Author", "id": "10", "name": "Ada Lovelace" }
      },
      {
        "__typename": "Book", "id": "2", "title": "The Education of a Computer", "published": "1952-05",
        "author": { "__typename": "Author", "id": "11", "name": "Grace Hopper" }
      }
    ]
  }
  """

let data = try Library.BooksQuery.Data(jsonBytes: Array(response.utf8))
for book in data.books.sorted(by: { $0.published.year < $1.published.year }) {
  print("\(book.published.year)  \(book.title), \(book.author.fragments.authorName.name)")
}
