import ApolloAPI
import ApolloCache

/// The errors of a response, by which a reading of the cache words its own.
///
/// The cache keeps an error with the outermost null that it left, and keeps the first one of
/// several. The response knows the whole path and the newest text.
struct ReportedErrors: Sendable {
  private let errors: [GraphQLError]

  init(_ errors: [GraphQLError]) { self.errors = errors }

  var isEmpty: Bool { errors.isEmpty }

  /// Returns the errors of a reading as the response reported them.
  ///
  /// 1. The errors of the response whose paths lead to or through a failed field take the place of
  ///    the field's own, if one of them has its message. Otherwise the field has failed again since
  ///    then, or another item of a list is at its place now.
  /// 2. Otherwise an error without a path does, if the field failed with the same message.
  /// 3. Otherwise the field's own error stays: another operation reported it.
  ///
  /// - Complexity: O(*r* + *f*) in the numbers of errors and of failed fields.
  func wording(_ failures: [GraphQLError]) -> [GraphQLError] {
    let (reported, others) = matches(of: failures)
    return reported.sorted().map { errors[$0] } + others
  }

  /// Returns the errors of the response and those of a reading, each once. The response is a part
  /// of what is read.
  ///
  /// 1. The errors of the response word those of the reading, as in ``wording(_:)``.
  /// 2. Another error of the response that has the message of an error of the reading, and the same
  ///    path but for indices, is that error: a merged list counts the items of all pages. It takes
  ///    the indices of the reading.
  /// 3. All others stay, but for an error of the reading at the place of one of the response.
  ///
  /// - Complexity: O(*r* + *f*) in the numbers of errors and of failed fields.
  func joined(with failures: [GraphQLError]) -> [GraphQLError] {
    guard !failures.isEmpty else { return errors }
    let (reported, others) = matches(of: failures)
    // The last one first, so that the next one is removed from the end.
    var unplaced: [PlacelessError: [[PathEntry]]] = [:]
    for other in others.reversed() {
      guard let path = other.path else { continue }
      unplaced[PlacelessError(other.message, path), default: []].append(path)
    }
    let lengths = Set(others.compactMap { $0.path?.count }).sorted(by: >)
    var places: Set<[PathEntry]> = []
    let placed = errors.enumerated().map { index, error -> GraphQLError in
      guard var path = error.path else { return error }
      if !reported.contains(index) {
        for length in lengths where length <= path.count {
          let key = PlacelessError(error.message, path.prefix(length))
          guard let place = unplaced[key]?.popLast() else { continue }
          path.replaceSubrange(..<length, with: place)
          break
        }
      }
      for length in lengths where length <= path.count {
        places.insert(Array(path.prefix(length)))
      }
      return error.moved(to: path)
    }
    return placed + others.filter { $0.path.map { !places.contains($0) } ?? true }
  }

  /// Returns the errors that word some of a reading's errors, and the others of the reading.
  private func matches(
    of failures: [GraphQLError]
  ) -> (reported: Set<Int>, others: [GraphQLError]) {
    guard !failures.isEmpty else { return ([], []) }
    // Only prefixes as long as some failure's path matter, so that long paths cost nothing.
    let lengths = Set(failures.map { $0.path?.count ?? 0 })
    var byPrefix: [[PathEntry]: [Int]] = [:]
    var withoutPath: [String: Int] = [:]
    for (index, error) in errors.enumerated() {
      guard let path = error.path else {
        withoutPath[error.message] = withoutPath[error.message] ?? index
        continue
      }
      for length in lengths where length <= path.count {
        byPrefix[Array(path.prefix(length)), default: []].append(index)
      }
    }
    var reported: Set<Int> = []
    var others: [GraphQLError] = []
    for failure in failures {
      if let indices = byPrefix[failure.path ?? []],
        indices.contains(where: { errors[$0].message == failure.message })
      {
        reported.formUnion(indices)
      } else if let index = withoutPath[failure.message] {
        reported.insert(index)
      } else {
        others.append(failure)
      }
    }
    return (reported, others)
  }
}

extension GraphQLResponse {
  /// Replaces the data by that of a reading, which has more than the response: the further pages of
  /// a list, or newer values. The errors of these are added.
  mutating func replaceData(
    by data: Operation.Data, of reading: CacheReading<Operation.Data>
  ) {
    self.data = data
    result.freshness = reading.freshness
    guard !reading.errors.isEmpty else { return }
    errors = ReportedErrors(errors ?? []).joined(with: reading.errors)
  }
}

/// An error whose indices in lists do not count.
private struct PlacelessError: Hashable {
  let message: String
  /// The response keys, and `nil` in place of each index.
  let path: [String?]

  init(_ message: String, _ path: some Sequence<PathEntry>) {
    self.message = message
    self.path = path.map { step in
      if case .field(let key) = step { key } else { nil }
    }
  }
}

extension GraphQLError {
  /// Returns the error with another path.
  fileprivate func moved(to path: [PathEntry]) -> GraphQLError {
    GraphQLError(message: message, locations: locations, path: path, extensions: extensions)
  }
}
