package import ApolloAPI

extension GraphQLResponse {
  /// Returns whether data and the meaning of the errors are equal, regardless of the source and of
  /// extensions, which often differ in each response (timings, request ids).
  package func hasSameContent(as other: GraphQLResponse) -> Bool {
    guard data == other.data else { return false }
    let errors = errors ?? [], others = other.errors ?? []
    return errors.count == others.count && zip(errors, others).allSatisfy { $0.means($1) }
  }
}

extension GraphQLError {
  /// Returns whether message, path and code are equal.
  fileprivate func means(_ other: GraphQLError) -> Bool {
    message == other.message && path == other.path && self["code"] == other["code"]
  }
}
