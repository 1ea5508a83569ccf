extension String {
  /// The text, or its beginning with an ellipsis if it is longer than an error's text should be.
  ///
  /// For quotations of what a server has sent, which may be of any size.
  package var shortened: String {
    let limit = 300
    guard utf8.count > limit else { return self }
    let beginning = prefix(limit)
    return beginning.endIndex == endIndex ? self : beginning + "…"
  }
}
