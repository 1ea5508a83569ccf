import LibraryAPI
import SharedFragments

extension CatalogQuery.Data {
  /// One line for each book.
  public var lines: [String] {
    books.map { book in
      let kind = book.genre == .case(.poetry) ? "poems" : book.genre.rawValue.lowercased()
      return "\(book.fragments.bookSummary.line) (\(kind))"
    }
  }
}
