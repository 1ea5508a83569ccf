internal import ApolloAPI

/// The facts about a response that its fields remember in the cache.
package struct ResponseReceipt: Sendable {
  /// The selection with the values of its variables.
  let selection: SelectionKey
  let operationName: String
  /// The maximum age that the server has sent with the response.
  package var maxAge: Duration?

  /// The facts about the response that is written at a time.
  func facts(at time: Double) -> WriteFacts {
    WriteFacts(time: time, operationName: operationName, maxAge: maxAge?.seconds)
  }
}

extension NormalizedResponse {
  /// The fields that the response has written, without those that failed.
  var writtenFields: [(key: RecordKey, shape: RecordShape)] {
    guard let written else { return objects.map { ($0.key, $0.writtenFields) } }
    return written.map { record in
      let isWhole = record.fields.allSatisfy { !$0.value.containsFailure }
      if isWhole { return (record.key, record.fields.shape) }
      let fields = record.fields.filter { !$0.value.containsFailure }
      return (record.key, .of(fields.map(\.key)))
    }
  }

  /// The fields that have failed, or have elements or embedded objects that have. No write is noted
  /// for them.
  package var failedFields: Set<FieldAddress> {
    guard let written else { return [] }
    return written.reduce(into: []) { failed, record in
      for (field, value) in record.fields where value.containsFailure {
        failed.insert(FieldAddress(record: record.key, field: field))
      }
    }
  }
}

extension CacheValue {
  /// Indicates whether the value is a failure, or has one in a list or an embedded object.
  @inline(never)  // Otherwise the compiler repeats the recursion many times in each caller.
  package var containsFailure: Bool {
    switch self {
    case .failure: true
    case .object(let fields): fields.contains { $0.value.containsFailure }
    case .list(let elements): elements.contains(where: \.containsFailure)
    default: false
    }
  }
}
