package import ApolloAPI

extension GraphQLResponse {
  /// Returns whether data, what is missing of it and the meaning of the errors are equal,
  /// regardless of the source and of extensions, which often differ in each response (timings,
  /// request ids).
  package func hasSameContent(as other: GraphQLResponse) -> Bool {
    // A null may be missing data in one, and data in the other.
    guard data == other.data, missing == other.missing else { return false }
    return (errors ?? []).mean(other.errors ?? [])
  }
}

extension [GraphQLError] {
  /// Returns whether the messages, paths and codes are equal, one by one.
  func mean(_ others: [GraphQLError]) -> Bool {
    count == others.count && zip(self, others).allSatisfy { $0.means($1) }
  }
}

extension GraphQLError {
  /// Returns whether message, path and code are equal.
  fileprivate func means(_ other: GraphQLError) -> Bool {
    message == other.message && path == other.path && self["code"] == other["code"]
  }
}
