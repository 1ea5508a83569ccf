package import ApolloAPI

/// The misses and served failures of a reading, besides its object.
struct ReadIssues {
  var misses: [CacheMiss] = []
  /// The failures for which `null` is served, and their paths.
  var served: [(failure: FieldFailure, path: [PathEntry])] = []
  /// The fields for which, or inside of which, `null` was served, without those of later pages of
  /// merged lists.
  var failedFields: Set<FieldAddress> = []

  var count: Int { misses.count &+ served.count }

  /// Truncates both lists to the given counts.
  mutating func removeAll(since counts: (misses: Int, served: Int)) {
    misses.removeLast(misses.count - counts.misses)
    served.removeLast(served.count - counts.served)
  }

  /// Adds an outer step to the paths of the issues after the given counts.
  mutating func add(_ step: PathEntry, since counts: (misses: Int, served: Int)) {
    for index in misses.indices.dropFirst(counts.misses) { misses[index].path.append(step) }
    for index in served.indices.dropFirst(counts.served) { served[index].path.append(step) }
  }

  /// Changes the paths of the issues of a field after the given counts.
  mutating func changePaths(
    of responseKey: String, since counts: (misses: Int, served: Int),
    _ change: ([PathEntry]) -> [PathEntry]
  ) {
    let step = PathEntry.field(responseKey)
    for index in misses.indices.dropFirst(counts.misses) where misses[index].path.last == step {
      misses[index].path = change(misses[index].path)
    }
    for index in served.indices.dropFirst(counts.served) where served[index].path.last == step {
      served[index].path = change(served[index].path)
    }
  }
}

extension ObjectReader {
  /// The misses, in the order of the selection.
  package var misses: [CacheMiss] {
    issues.misses.map { miss in
      var miss = miss
      miss.path.reverse()
      return miss
    }
  }

  /// The errors of the fields for which `null` is served.
  package var errors: [GraphQLError] {
    issues.served.map { failure, path in failure.error(at: path) }
  }

  /// Indicates whether the reading stops, because enough misses are known. Misses that are due to
  /// unloaded records do not count.
  ///
  /// A reading of partial data never stops.
  var givesUp: Bool {
    issues.misses.count >= maximumMissCount && unloaded.isEmpty && !keepsPartialData
  }

  /// Reads the part of the response to which a step of the path leads.
  @inline(__always)
  mutating func at<Result>(
    _ step: @autoclosure () -> PathEntry, _ read: (inout Self) throws -> Result
  ) rethrows -> Result {
    let counts = (issues.misses.count, issues.served.count)
    if tracksPath { path.append(step()) }
    defer { if tracksPath { path.removeLast() } }
    let result = try read(&self)
    if issues.count != counts.0 &+ counts.1 { issues.add(step(), since: counts) }
    return result
  }

  /// Records a miss of the current object.
  mutating func miss(
    _ code: CacheMiss.Code, _ field: FieldKey, _ responseKey: String? = nil,
    serverMessage: String? = nil
  ) {
    let path = responseKey.map { [PathEntry.field($0)] } ?? []
    let address = FieldAddress(record: record, field: self.field ?? field)
    issues.misses.append(
      CacheMiss(code, path: path, address: address, serverMessage: serverMessage))
  }

  /// Records a failure as an error or as a miss. Returns `true` if `null` is to be served for it.
  mutating func serve(
    _ failure: FieldFailure, _ field: RecordField, _ responseKey: String? = nil
  ) -> Bool {
    guard servesFailures else {
      miss(.failed, field.key, responseKey, serverMessage: failure.message)
      return false
    }
    let path = responseKey.map { [PathEntry.field($0)] } ?? []
    issues.served.append((failure, path))
    // A later page has another key than the field, which is that of the first page.
    if !isInPage {
      let address = FieldAddress(record: record, field: self.field ?? field.key)
      issues.failedFields.insert(address)
    }
    return true
  }
}

extension FieldFailure {
  /// Returns the error of a field to which a path leads, which is reversed.
  func error(at path: [PathEntry]) -> GraphQLError {
    GraphQLError(message: message, path: path.reversed(), extensions: extensions.objectValue)
  }
}
