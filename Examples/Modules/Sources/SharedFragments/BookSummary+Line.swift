extension BookSummary {
  /// Such as `Orlando, Virginia Woolf`: the same in every list of books.
  public var line: String { ([title] + authors.map(\.name)).joined(separator: ", ") }
}
