internal import ApolloCache
internal import CSQLite

/// The writes that the rows of a file are from.
///
/// While a commit has a number, each row that it writes remembers it: all fields of a response, or
/// only those that a change by the program has changed.
struct WriteStamps {
  private let database: DatabaseConnection
  private let shapes: ShapeNumbers
  /// The writer of stamps. Its memory is reused.
  private let writer: RowWriter
  /// The write that the current transaction commits.
  private(set) var current: (id: WriteID, isForChangesOnly: Bool)?
  /// The current write, if it keeps the earlier writes of some fields.
  private var keeping: PendingWrite?

  /// The shape and the write whose bytes the writer has written last, if they were alone.
  private var written: (RecordShape, WriteID)?

  /// The number of writes whose facts are kept. The fields of older ones have no known time.
  private static let mostWrites: Int64 = 65_536

  /// The largest number of a write. No file reaches it by counting, so a larger one is damage: the
  /// numbers after it, here and in the stores, could not be counted.
  private static let largestNumber: Int64 = 1 << 62

  init(_ database: DatabaseConnection, _ shapes: ShapeNumbers) {
    self.database = database
    self.shapes = shapes
    writer = RowWriter(shapes: shapes)
  }

  /// Begins a write in the current transaction.
  ///
  /// - Parameters:
  ///   - write: The write.
  ///   - wanted: The number that the write had in a file that was replaced, which the store knows.
  ///     It gets another one if later numbers are in use here.
  /// - Returns: Its number.
  /// - Throws: ``SQLiteError``
  mutating func begin(_ write: PendingWrite, numbered wanted: WriteID? = nil) throws -> WriteID {
    forgetShapes()
    keeping = write.kept.isEmpty ? nil : write
    switch write.fields {
    case .same(let id):
      try set(write.facts, of: id)
      current = nil  // the rows name it already
      return id
    case .all, .changed:
      let latest = max(0, try database.integer("SELECT max(id) FROM writes") ?? 0)
      guard latest < Self.largestNumber else {
        throw SQLiteError(
          code: SQLITE_CORRUPT, message: "the number \(latest) of a write is too large",
          activity: "Writing to \(database.path)")
      }
      let id = WriteID(max(latest + 1, wanted?.number ?? 0))
      try set(write.facts, of: id)
      if id.number % 1_024 == 0 {
        try database.execute("DELETE FROM writes WHERE id <= \(id.number - Self.mostWrites)")
      }
      if case .changed = write.fields { current = (id, true) } else { current = (id, false) }
      return id
    }
  }

  /// Continues a write that began in the current transaction.
  mutating func resume(_ id: WriteID) {
    forgetShapes()
    keeping = nil
    current = (id, false)
  }

  /// Ends the write of the current transaction.
  mutating func end() {
    current = nil
    keeping = nil
    forgetShapes()
  }

  /// Forgets the number of the latest shape, which may be gone.
  mutating func forgetShapes() { written = nil }

  private func set(_ facts: WriteFacts, of id: WriteID) throws {
    let statement = try database.statement(
      "REPLACE INTO writes (id, time, operation, max_age) VALUES (?1, ?2, ?3, ?4)")
    try statement.bind(id.number, at: 1)
    try statement.bind(facts.time, at: 2)
    if let operation = facts.operationName {
      try statement.bind(text: operation, at: 3)
    } else {
      try statement.bindNull(at: 3)
    }
    if let maxAge = facts.maxAge {
      try statement.bind(maxAge, at: 4)
    } else {
      try statement.bindNull(at: 4)
    }
    try statement.run()
  }

  // MARK: - Reading

  func facts(about id: WriteID) throws -> WriteFacts? {
    let statement = try database.statement(
      "SELECT time, operation, max_age FROM writes WHERE id = ?1")
    try statement.bind(id.number, at: 1)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return WriteFacts(
      time: statement.double(0), operationName: statement.isNull(1) ? nil : statement.text(1),
      maxAge: statement.isNull(2) ? nil : statement.double(2))
  }

  /// Returns the writes of a record's fields, or `nil` if there is no such record, it has one row
  /// for each field, or nothing is known.
  func stored(of key: RecordKey) throws -> FieldMap? {
    let statement = try database.statement("SELECT writes FROM records WHERE key = ?1")
    return try statement.with(key, at: 1) { statement throws in
      guard try statement.step() else { return nil }
      defer { statement.reset() }
      guard !statement.isNull(0) else { return nil }
      return try statement.withBytes(0) { bytes in
        var reader = RowReader(bytes, shapes: shapes)
        do {
          let writes = try reader.object()
          return reader.isAtEnd ? writes : nil
        } catch is DamagedRow {
          return nil
        }
      }
    }
  }

  /// Returns the writes of fields of a record that has one row for each.
  func storedOverflow(of key: RecordKey, among fields: [FieldKey]) throws -> [FieldKey: WriteID] {
    let statement = try database.statement(
      "SELECT write FROM wide_fields WHERE record = ?1 AND field = ?2")
    var writes: [FieldKey: WriteID] = [:]
    for field in fields {
      try statement.bind(bytesOf: key.rawValue, at: 1)
      try statement.bind(bytesOf: field.rawValue, at: 2)
      guard try statement.step() else { continue }
      defer { statement.reset() }
      if !statement.isNull(0) { writes[field] = WriteID(statement.integer(0)) }
    }
    return writes
  }

  // MARK: - Writing

  /// Fields that are from the current write.
  struct Fields {
    let keys: [FieldKey]
    /// The shape with these fields, or `nil` if there are too many for one.
    let shape: RecordShape?

    static let none = Fields(keys: [], shape: nil)
  }

  /// Returns the fields of an incoming record that are from the current write.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - changed: The fields that have another value than before, or `nil` if none has.
  /// - Returns: The fields.
  func fields(of record: Record, _ changed: ChangedFields?) -> Fields {
    let fields = fields(of: record.fields, changed)
    guard let keeping, keeping.kept[record.key] != nil else { return fields }
    return chosen(fields.keys.filter { !keeping.keeps($0, of: record.key) })
  }

  private func fields(of incoming: FieldMap, _ changed: ChangedFields?) -> Fields {
    guard let current else { return .none }
    if current.isForChangesOnly, let changed {
      return chosen(changed.isAll ? incoming.keys : changed.listed)
    }
    if current.isForChangesOnly { return .none }
    guard incoming.mayHaveFailures || incoming.isOverflow else {
      return Fields(keys: incoming.keys, shape: incoming.shape)
    }
    return chosen(incoming.filter { !$0.value.containsFailure }.map(\.key))
  }

  private func chosen(_ keys: [FieldKey]) -> Fields {
    Fields(keys: keys, shape: keys.count > RecordShape.maximumFieldCount ? nil : .of(keys))
  }

  /// Returns the bytes that say which write each field of a record is from, or `nil` to leave them
  /// as they are. They are valid until the next call.
  ///
  /// - Parameters:
  ///   - key: The key of the record.
  ///   - fields: The fields that are from the current write.
  ///   - count: The number of all fields of the record.
  /// - Returns: The bytes.
  /// - Throws: ``SQLiteError``
  mutating func bytes(of key: RecordKey, _ fields: Fields, of count: Int) throws
    -> UnsafeRawBufferPointer?
  {
    guard let current, let shape = fields.shape, !fields.keys.isEmpty else { return nil }
    let value = CacheValue.int(current.id.number)
    if fields.keys.count == count {
      // Most records of a response have one of a few shapes, one after the other.
      if written != nil, written! == (shape, current.id) { return writer.bytes }
      try write(FieldMap(shape: shape, values: .init(repeating: value, count: count)))
      written = (shape, current.id)
      return writer.bytes
    }
    var writes = try stored(of: key) ?? FieldMap()
    writes.set(fields.keys, to: value)
    guard !writes.isOverflow else { return nil }
    try write(writes)
    written = nil
    return writer.bytes
  }

  /// Returns the bytes that say that fields of a record are from the current write, whatever their
  /// values are, or `nil` outside of a write. They are valid until the next call.
  mutating func bytes(
    adding fields: [FieldKey], of key: RecordKey
  ) throws -> UnsafeRawBufferPointer? {
    guard let current else { return nil }
    var writes = try stored(of: key) ?? FieldMap()
    writes.set(fields, to: .int(current.id.number))
    guard !writes.isOverflow else { return nil }
    try write(writes)
    written = nil
    return writer.bytes
  }

  /// Returns the bytes that name these writes. They are valid until the next call.
  mutating func bytes(_ writes: FieldMap) throws -> UnsafeRawBufferPointer {
    try write(writes)
    written = nil
    return writer.bytes
  }

  private func write(_ writes: FieldMap) throws {
    writer.removeAll()
    try writer.write(record: writes)
  }
}
