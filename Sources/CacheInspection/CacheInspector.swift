internal import ApolloAPI
internal import ApolloCache
internal import Foundation

/// A look into one cache: the commands that read.
package struct CacheInspector: Sendable {
  let contents: any CacheContents

  /// Creates a look into the records of a cache.
  package init(_ contents: any CacheContents) { self.contents = contents }

  /// The name of the cache for people.
  package var name: String { contents.name }

  /// Ends the reading. A process that is about to exit calls this after its last reading.
  package func close() { contents.close() }

  // MARK: - Commands

  /// Returns the sums of the cache, then a line for each type and for each operation.
  package func statistics() async throws -> [String] {
    try await Statistics(CacheIndex(of: contents), contents).lines.map(\.text)
  }

  /// The records that a list contains.
  package struct Filter: Sendable {
    /// The name of the type, or `nil` for all.
    package var type: String?
    /// A text that the keys contain, in either case, or `nil` for all.
    package var text: String?
    package init() {}

    func contains(_ entry: CacheIndex.Entry) -> Bool {
      if let type, entry.typename != type { return false }
      if let text, !entry.key.contains(ignoringCase: text) { return false }
      return true
    }
  }

  /// Returns a line for each record, in the order of the keys.
  package func list(_ filter: Filter) async throws -> [String] {
    let description = RecordDescription()
    return try await CacheIndex(of: contents).entries.filter(filter.contains)
      .map { description.summary($0).text }
  }

  /// Returns a line with everything about each record.
  ///
  /// - Throws: ``InspectionError`` for a key without a record, which names similar keys.
  package func records(_ keys: [String]) async throws -> [String] {
    let index = try await CacheIndex(of: contents)
    var lines: [String] = []
    for key in keys {
      guard let record = try await contents.record(of: RecordKey(key)) else {
        throw missing(key, index)
      }
      lines.append(RecordDescription().whole(record, in: index).text)
    }
    return lines
  }

  private func missing(_ key: String, _ index: CacheIndex) -> InspectionError {
    let near = index.keys(near: key).map { "'\($0)'" }
    let referrers = index.references(to: RecordKey(key)).count
    var text = "'\(name)' has no record '\(key)'."
    if referrers > 0 { text += " \(referrers) fields refer to it." }
    text +=
      near.isEmpty
      ? " 'apollo-cli cache list' shows all keys."
      : " Did you mean \(near.formatted(.list(type: .or).locale(Locale(identifier: "en_US"))))?"
    return InspectionError(text)
  }

  /// Returns a line for each key and each field whose name, arguments or value contain a text, in
  /// either case.
  package func find(_ text: String) async throws -> [String] {
    var lines: [String] = []
    let search = ValueSearch(text)
    try await contents.forEachRecord { record in
      lines += search.matches(in: record).map(\.text)
    }
    return lines
  }

  /// Returns a line for each field that refers to a record.
  package func references(to key: String) async throws -> [String] {
    let index = try await CacheIndex(of: contents)
    let found = index.references(to: RecordKey(key))
    guard !found.isEmpty || index[RecordKey(key)] != nil else { throw missing(key, index) }
    return found.map { reference in
      var line = JSONLine()
      line.add("key", reference.record.rawValue)
      line.add("field", reference.field.rawValue)
      line.add("reference", key)
      return line.text
    }
  }

  /// Returns the problems, with their kinds.
  ///
  /// Records of a damaged file that cannot be read are a problem too, and the others are not looked
  /// for then.
  package func check() async throws -> [(kind: Finding.Kind, line: String)] {
    let damage = try await contents.damage().map(Finding.damage)
    let findings: [Finding]
    do {
      findings = damage + (try await CacheIndex(of: contents).findings(in: contents))
    } catch  where !damage.isEmpty {
      findings = damage + [.damage("\(error)")]
    }
    return findings.map { ($0.kind, $0.line.text) }
  }

  /// Returns the problem of a cache that cannot be opened, because it is damaged.
  ///
  /// - Parameter text: The reason, as a sentence.
  /// - Returns: The problem.
  package static func check(
    ofUnreadable text: String
  ) -> [(kind: Finding.Kind, line: String)] {
    let finding = Finding.damage(text)
    return [(finding.kind, finding.line.text)]
  }

  /// Calls `emit` with the lines of a dump, after all of them were read: a slow `emit` keeps no
  /// program waiting, and what cannot be read to its end emits nothing.
  ///
  /// - Returns: The keys of records that cannot be read, and that the dump does not contain, or not
  ///   whole.
  package nonisolated(nonsending) func dump(
    _ emit: (String) throws -> Void
  ) async throws -> [String] {
    var lines = LineSpool()
    var (unreadable, count): ([String], Int) = ([], 0)
    try lines.append(DumpedRecord.head)
    try await contents.forEachRecord { record in
      // Several keys that are not UTF-8 can be the same text.
      let dumped = record.hasUnreadableKey ? nil : DumpedRecord(record)
      if dumped == nil || !record.unreadableFields.isEmpty || record.hasUnreadableWrites {
        unreadable.append(record.key.rawValue)
      }
      if let dumped {
        try lines.append(dumped.line.text)
        count += 1
      }
    }
    try lines.append(DumpedRecord.end(count))
    try lines.forEach(emit)
    return unreadable
  }
}

/// A search for a text in keys, fields and values.
struct ValueSearch {
  private let text: String

  init(_ text: String) { self.text = text.lowercased() }

  /// Returns a line for each place of a record where the text occurs.
  func matches(in record: StoredRecord) -> [JSONLine] {
    var lines: [JSONLine] = []
    if contains(record.key.rawValue) {
      var line = JSONLine()
      line.add("key", record.key.rawValue)
      line.add("type", record.typename)
      lines.append(line)
    }
    for (field, value) in (record.fields ?? FieldMap()).sorted(by: { $0.key < $1.key })
    where contains(field.rawValue) || contains(value) {
      var line = JSONLine()
      line.add("key", record.key.rawValue)
      line.add("field", field.rawValue)
      line.add("value", StoredValue.json(value))
      lines.append(line)
    }
    return lines
  }

  private func contains(_ other: String) -> Bool { other.lowercased().contains(text) }

  private func contains(_ value: CacheValue) -> Bool {
    switch value {
    case .null: false
    case .bool(let value): "\(value)" == text
    case .int(let value): "\(value)" == text
    case .double(let value): "\(value)" == text
    case .string(let value): contains(value)
    case .list(let elements): elements.contains(where: contains)
    case .json(let value): contains(value.description)
    case .object(let fields):
      fields.contains { contains($0.key.rawValue) || contains($0.value) }
    case .reference(let key): contains(key.rawValue)
    case .failure(let failure): contains(failure.message)
    }
  }
}
