internal import ApolloAPI
internal import ApolloCache

/// The difference of two caches, as lines of JSON.
package enum CacheDifference {
  /// Calls `emit` with a line for each record that only one cache has, for each field that differs,
  /// and for each record that cannot be read and compared.
  ///
  /// - Parameters:
  ///   - left: The first cache.
  ///   - right: The second cache.
  ///   - includesWrites: Whether times, operations and maximum ages of fields are compared too.
  ///   - emit: Receives the lines.
  /// - Returns: The number of differences.
  /// - Throws: The errors of the caches.
  package nonisolated(nonsending) static func run(
    _ left: any CacheContents, _ right: any CacheContents, includesWrites: Bool,
    _ emit: (String) -> Void
  ) async throws -> Int {
    var rest: [RecordKey: StoredRecord] = [:]
    try await left.forEachRecord { rest[$0.key] = $0 }
    var lines: [(key: RecordKey, field: FieldKey?, line: JSONLine)] = []
    try await right.forEachRecord { record in
      guard let other = rest.removeValue(forKey: record.key) else {
        return lines.append((record.key, nil, whole(record, "added")))
      }
      if let line = unreadable(other, record, includesWrites) {
        lines.append((record.key, nil, line))
      }
      guard other.fields != nil, record.fields != nil else { return }
      for (field, line) in differences(other, record, includesWrites) {
        lines.append((record.key, field, line))
      }
    }
    for record in rest.values { lines.append((record.key, nil, whole(record, "removed"))) }
    lines.sort { ($0.key, $0.field ?? "") < ($1.key, $1.field ?? "") }
    for line in lines { emit(line.line.text) }
    return lines.count
  }

  /// Returns a line that says which sides of a record cannot be read as a whole, and therefore not
  /// be compared, or `nil` if both can.
  private static func unreadable(
    _ left: StoredRecord, _ right: StoredRecord, _ includesWrites: Bool
  ) -> JSONLine? {
    func damage(of record: StoredRecord) -> [Finding] {
      Finding.damage(of: record).filter {
        if case .unreadableWrites = $0 { includesWrites } else { true }
      }
    }
    let damages = [("left", damage(of: left)), ("right", damage(of: right))]
      .filter { !$0.1.isEmpty }
    guard !damages.isEmpty else { return nil }
    var line = JSONLine()
    line.add("change", "unreadable")
    line.add("key", left.key.rawValue)
    for (side, damage) in damages { line.add(side, .array(damage.map(\.line.json))) }
    return line
  }

  private static func whole(_ record: StoredRecord, _ change: String) -> JSONLine {
    var line = JSONLine()
    line.add("change", change)
    line.add("key", record.key.rawValue)
    line.add("fields", record.fields.map { StoredValue.json($0) } ?? .null)
    return line
  }

  private static func differences(
    _ left: StoredRecord, _ right: StoredRecord, _ includesWrites: Bool
  ) -> [(FieldKey, JSONLine)] {
    let (before, after) = (left.fields ?? FieldMap(), right.fields ?? FieldMap())
    let unreadable = Set(left.unreadableFields + right.unreadableFields)
    var found: [(FieldKey, JSONLine)] = []
    for field in Set(before.keys).union(after.keys) where !unreadable.contains(field) {
      var line = JSONLine()
      line.add("change", "changed")
      line.add("key", left.key.rawValue)
      line.add("field", field.rawValue)
      if before[field] != after[field] {
        line.add("left", before[field].map { StoredValue.json($0) })
        line.add("right", after[field].map { StoredValue.json($0) })
      } else if includesWrites, left.writes[field] != right.writes[field] {
        line.add("leftWrite", left.writes[field].map(json))
        line.add("rightWrite", right.writes[field].map(json))
      } else {
        continue
      }
      found.append((field, line))
    }
    return found
  }

  private static func json(_ facts: WriteFacts) -> JSONValue {
    var members: [String: JSONValue] = ["time": .double(facts.time)]
    members["operation"] = facts.operationName.map(JSONValue.string)
    members["maxAge"] = facts.maxAge.map(JSONValue.double)
    return .object(members)
  }
}
