extension String {
  /// The text, or its beginning with an ellipsis if it is longer than an error's text should be.
  ///
  /// For quotations of what a server has sent, which may be of any size.
  package var shortened: String { shortened(to: 300) }

  /// The text, or its first Unicode scalars with an ellipsis if it has more than `limit`.
  ///
  /// Scalars, because one character can have any number of combining marks.
  package func shortened(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    let beginning = unicodeScalars.prefix(limit)
    return beginning.endIndex == unicodeScalars.endIndex ? self : String(beginning) + "…"
  }
}
