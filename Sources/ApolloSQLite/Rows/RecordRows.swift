internal import ApolloCache

/// Reads and writes records as rows, through one connection.
struct RecordRows {
  let database: Connection
  private var shapes = ShapeNumbers()

  init(_ database: Connection) {
    self.database = database
  }

  /// Forgets what a transaction that was rolled back may have taught.
  mutating func forgetShapes() {
    shapes.removeAll()
  }

  /// How the fields of a record are kept.
  private enum Row {
    case whole(FieldMap)
    case wide
  }

  private mutating func row(of key: RecordKey) throws -> Row? {
    let statement = try database.statement("SELECT fields FROM records WHERE key = ?1")
    try statement.bind(bytesOf: key.rawValue, at: 1)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    if statement.isNull(0) { return .wide }
    do {
      return .whole(try statement.withBytes(0) { try decode($0) })
    } catch is DamagedRow {
      return nil
    }
  }

  private mutating func decode(_ bytes: UnsafeRawBufferPointer) throws -> FieldMap {
    let database = database
    return try withUnsafeMutablePointer(to: &shapes) { shapes in
      var reader = RowReader(bytes) { try shapes.pointee.shape(numbered: $0, in: database) }
      let fields = try reader.object()
      guard reader.isAtEnd else { throw DamagedRow() }
      return fields
    }
  }
}

// MARK: - Reading

extension RecordRows {
  mutating func fields(of key: RecordKey) throws -> FieldMap? {
    switch try row(of: key) {
    case nil: nil
    case .whole(let fields): fields
    case .wide: try wideFields(of: key)
    }
  }

  mutating func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    switch try row(of: key) {
    case nil: nil
    case .whole(let fields): fields
    case .wide: try wideFields(of: key, among: wanted)
    }
  }

  private mutating func wideFields(of key: RecordKey) throws -> FieldMap {
    let statement = try database.statement("SELECT field, value FROM wide_fields WHERE record = ?1")
    try statement.bind(bytesOf: key.rawValue, at: 1)
    defer { statement.reset() }
    var fields: [(FieldKey, CacheValue)] = []
    while try statement.step() {
      let value = try value(in: statement, column: 1)
      if let value { fields.append((FieldKey(statement.text(0)), value)) }
    }
    return FieldMap(fields)
  }

  private mutating func wideFields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap {
    let statement = try database.statement(
      "SELECT value FROM wide_fields WHERE record = ?1 AND field = ?2")
    var fields: [(FieldKey, CacheValue)] = []
    for field in wanted {
      try statement.bind(bytesOf: key.rawValue, at: 1)
      try statement.bind(bytesOf: field.rawValue, at: 2)
      guard try statement.step() else { continue }
      defer { statement.reset() }
      if let value = try value(in: statement, column: 0) { fields.append((field, value)) }
    }
    return FieldMap(fields)
  }

  /// A value, or nil if its bytes make no sense.
  private mutating func value(in statement: Statement, column: Int32) throws -> CacheValue? {
    let database = database
    return try statement.withBytes(column) { bytes throws in
      try withUnsafeMutablePointer(to: &shapes) { shapes in
        var reader = RowReader(bytes) { try shapes.pointee.shape(numbered: $0, in: database) }
        do {
          let value = try reader.value()
          return reader.isAtEnd ? value : nil
        } catch is DamagedRow {
          return nil
        }
      }
    }
  }

  /// Every key that contains `pattern`, as ``RecordKey/contains(ignoringCase:)`` has it.
  func keys(matching pattern: String) throws -> [RecordKey] {
    let statement = try database.statement("SELECT key FROM records")
    defer { statement.reset() }
    var keys: [RecordKey] = []
    while try statement.step() {
      let key = RecordKey(statement.text(0))
      if key.contains(ignoringCase: pattern) { keys.append(key) }
    }
    return keys
  }
}

// MARK: - Writing, inside a transaction

extension RecordRows {
  /// Merges records in order, and returns what changed.
  mutating func merge(_ records: RecordSet) throws -> ChangeSet {
    var merger = RecordMerger()
    var changes = ChangeSet()
    for record in records {
      if let changed = try merge(record, by: &merger) { changes.insert(changed, of: record.key) }
    }
    return changes
  }

  private mutating func merge(_ record: Record, by merger: inout RecordMerger) throws
    -> ChangedFields?
  {
    switch try row(of: record.key) {
    case nil:
      try replace(record.key, with: record.fields)
      return record.fields.allChanged
    case .whole(var fields):
      guard let changed = merger.merge(record.fields, into: &fields) else { return nil }
      try replace(record.key, with: fields)
      return changed
    case .wide:
      var fields = try wideFields(of: record.key, among: record.fields.keys)
      guard let changed = merger.merge(record.fields, into: &fields) else { return nil }
      try writeWide(fields, of: record.key, only: changed)
      return changed
    }
  }

  private mutating func replace(_ key: RecordKey, with fields: FieldMap) throws {
    let statement = try database.statement("REPLACE INTO records (key, fields) VALUES (?1, ?2)")
    try statement.bind(bytesOf: key.rawValue, at: 1)
    switch fields.storage {
    case .object(let object):
      try statement.bind(
        try encode { writer in
          try writer.writeReference(to: object.shape)
          try writer.write(object.values)
        }, at: 2)
    case .shaped(let shape, let values):
      try statement.bind(
        try encode { writer in
          try writer.writeReference(to: shape)
          try writer.write(values)
        }, at: 2)
    case .wide:
      try statement.bindNull(at: 2)
      try writeWide(fields, of: key, only: .all)
    }
    try statement.run()
  }

  private mutating func writeWide(
    _ fields: FieldMap, of key: RecordKey, only changed: ChangedFields
  ) throws {
    let statement = try database.statement(
      "REPLACE INTO wide_fields (record, field, value) VALUES (?1, ?2, ?3)")
    for (field, value) in fields where changed.contains(field) {
      try statement.bind(bytesOf: key.rawValue, at: 1)
      try statement.bind(bytesOf: field.rawValue, at: 2)
      try statement.bind(try encode { try $0.write(value) }, at: 3)
      try statement.run()
    }
  }

  private mutating func encode(_ write: (inout RowWriter) throws -> Void) throws -> [UInt8] {
    let database = database
    return try withUnsafeMutablePointer(to: &shapes) { shapes in
      var writer = RowWriter { try shapes.pointee.number(of: $0, in: database) }
      try write(&writer)
      return writer.bytes
    }
  }

  /// Removes a record, and says whether there was one.
  func remove(_ key: RecordKey) throws -> Bool {
    guard let isWide = try isWide(key) else { return false }
    try run("DELETE FROM records WHERE key = ?1", key)
    if isWide { try run("DELETE FROM wide_fields WHERE record = ?1", key) }
    return true
  }

  /// Whether a record's fields are rows of their own; nil if there is no such record.
  private func isWide(_ key: RecordKey) throws -> Bool? {
    let statement = try database.statement("SELECT fields IS NULL FROM records WHERE key = ?1")
    try statement.bind(bytesOf: key.rawValue, at: 1)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return statement.integer(0) != 0
  }

  private func run(_ sql: StaticString, _ key: RecordKey) throws {
    let statement = try database.statement(sql)
    try statement.bind(bytesOf: key.rawValue, at: 1)
    try statement.run()
  }

  /// Removes every record. Shapes stay: other connections remember their numbers.
  func removeAll() throws {
    try database.execute("DELETE FROM records; DELETE FROM wide_fields")
  }
}
