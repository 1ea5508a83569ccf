internal import ApolloAPI
package import ApolloCache

/// A problem of a cache.
package enum Finding: Hashable, Sendable {
  /// The kinds of findings, with their names in output and options.
  package enum Kind: String, CaseIterable, Sendable {
    /// A field refers to a record that does not exist, so it reads as a miss.
    case dangling
    /// No root leads to the record, so a collection of garbage removes it.
    case unreachable
    /// Something cannot be read.
    case unreadable
    /// A value has another form than those of the same field in other objects.
    case wrongShape = "wrong-shape"
  }

  case dangling(RecordKey, field: FieldKey, reference: RecordKey)
  case unreachable(RecordKey, byteCount: Int)
  case unreadableRecord(RecordKey)
  case unreadableKey(RecordKey)
  case unreadableField(RecordKey, FieldKey)
  case unreadableWrites(RecordKey)
  /// Damage of the whole cache, in the words of SQLite.
  case damage(String)
  case wrongShape(RecordKey, field: FieldKey, type: String, found: String, usual: String)

  package var kind: Kind {
    switch self {
    case .dangling: .dangling
    case .unreachable: .unreachable
    case .unreadableRecord, .unreadableKey, .unreadableField, .unreadableWrites, .damage:
      .unreadable
    case .wrongShape: .wrongShape
    }
  }

  /// The finding as a line of JSON.
  var line: JSONLine {
    var line = JSONLine()
    line.add("problem", kind.rawValue)
    switch self {
    case .dangling(let key, let field, let reference):
      line.add("key", key.rawValue)
      line.add("field", field.rawValue)
      line.add("reference", reference.rawValue)
    case .unreachable(let key, let byteCount):
      line.add("key", key.rawValue)
      line.add("bytes", byteCount)
    case .unreadableRecord(let key):
      line.add("key", key.rawValue)
      line.add("message", "The fields cannot be read. The record counts as absent.")
    case .unreadableKey(let key):
      line.add("key", key.rawValue)
      line.add("message", "The key is not UTF-8.")
    case .unreadableField(let key, let field):
      line.add("key", key.rawValue)
      line.add("field", field.rawValue)
      line.add("message", "The value cannot be read. The field counts as absent.")
    case .unreadableWrites(let key):
      line.add("key", key.rawValue)
      line.add("message", "The writes of the fields cannot be read. Their ages are unknown.")
    case .damage(let text): line.add("message", text)
    case .wrongShape(let key, let field, let type, let found, let usual):
      line.add("key", key.rawValue)
      line.add("field", field.rawValue)
      line.add("type", type)
      line.add("found", found)
      line.add("usual", usual)
    }
    return line
  }

  /// Returns the damage of a record.
  static func damage(of record: StoredRecord) -> [Finding] {
    var found: [Finding] = []
    if record.hasUnreadableKey { found.append(.unreadableKey(record.key)) }
    if record.fields == nil { found.append(.unreadableRecord(record.key)) }
    found += record.unreadableFields.map { .unreadableField(record.key, $0) }
    if record.hasUnreadableWrites { found.append(.unreadableWrites(record.key)) }
    return found
  }
}

extension CacheIndex {
  /// Returns what is wrong with the records: damage first, then wrong shapes, dangling references
  /// and records that no root leads to.
  func findings(in contents: any CacheContents) async throws -> [Finding] {
    var found = damage
    if shapes.hasConflicts {
      var unusual: [Finding] = []
      try await contents.forEachRecord { unusual += shapes.unusual(in: $0) }
      found += unusual
    }
    found += danglingReferences.map {
      .dangling($0.record, field: $0.reference.field, reference: $0.reference.key)
    }
    found += entries.filter { !$0.isReachable }
      .map { .unreachable($0.key, byteCount: $0.byteCount) }
    return found
  }
}
