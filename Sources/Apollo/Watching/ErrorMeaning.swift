package import ApolloAPI

extension GraphQLResponse {
  /// Returns whether data, what is missing of it and the meaning of the errors are equal,
  /// regardless of the source and of extensions, which often differ in each response (timings,
  /// request ids).
  package func hasSameContent(as other: GraphQLResponse) -> Bool {
    // A null may be missing data in one, and data in the other.
    guard data == other.data, missing == other.missing else { return false }
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

/// The errors of a watch's latest response, by which a reading of the cache words its own.
///
/// The cache keeps an error with the outermost null that it left, and keeps the first one of
/// several. The response knows the whole path and the newest text.
struct ReportedErrors: Sendable {
  private let errors: [GraphQLError]

  init(_ errors: [GraphQLError]) { self.errors = errors }

  var isEmpty: Bool { errors.isEmpty }

  /// Returns the errors of a reading as the response reported them.
  ///
  /// 1. An error of the response whose path leads to or through a failed field takes the place of
  ///    the field's own.
  /// 2. Otherwise an error without a path does, if the field failed with the same message.
  /// 3. Otherwise the field's own error stays: another operation reported it.
  ///
  /// - Complexity: O(*r* + *f*) in the numbers of errors and of failed fields.
  func wording(_ failures: [GraphQLError]) -> [GraphQLError] {
    guard !failures.isEmpty else { return [] }
    var byPrefix: [[PathEntry]: [Int]] = [:]
    var withoutPath: [String: Int] = [:]
    for (index, error) in errors.enumerated() {
      guard let path = error.path else {
        withoutPath[error.message] = withoutPath[error.message] ?? index
        continue
      }
      for length in 0...path.count {
        byPrefix[Array(path.prefix(length)), default: []].append(index)
      }
    }
    var reported: Set<Int> = []
    var others: [GraphQLError] = []
    for failure in failures {
      if let indices = byPrefix[failure.path ?? []] {
        reported.formUnion(indices)
      } else if let index = withoutPath[failure.message] {
        reported.insert(index)
      } else {
        others.append(failure)
      }
    }
    return reported.sorted().map { errors[$0] } + others
  }
}
