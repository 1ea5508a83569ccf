extension BookSummary {
  /// The line for a book in every list, such as `Orlando, Virginia Woolf`.
  public var line: String { ([title] + authors.map(\.name)).joined(separator: ", ") }
}
