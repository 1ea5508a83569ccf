internal import ApolloAPI

extension FieldKey {
  /// A mark of an edge that a directive has inserted, which may have less than those of the server.
  fileprivate static let inserted: FieldKey = "__inserted"
}

extension CacheValue {
  /// The value with a mark, if it is an edge that is embedded in its page.
  var asInsertedEdge: CacheValue {
    guard case .object(var fields) = self else { return self }
    fields[.inserted] = .bool(true)
    return .object(fields)
  }

  /// The value without the mark: the server has sent the edge.
  var asSentEdge: CacheValue {
    guard case .object(var fields) = self else { return self }
    fields[.inserted] = nil
    return .object(fields)
  }

  /// Indicates whether the value has the mark.
  var isInsertedEdge: Bool {
    if case .object(let fields) = self { fields[.inserted] == .bool(true) } else { false }
  }
}
