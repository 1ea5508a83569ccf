internal import ApolloCache

/// The records of a file as rows, through one connection.
struct RecordRows {
  let database: DatabaseConnection
  private let shapes: ShapeNumbers
  /// The writer of rows. Its memory is reused.
  private let writer: RowWriter
  /// The writes that the rows are from.
  var stamps: WriteStamps
  private var selection: Statement?
  private var replacement: Statement?
  /// The bytes of rows that were written since the log was emptied.
  private var writtenByteCount = 0
  /// The value of `PRAGMA secure_delete` before it was first set. The default depends on how SQLite
  /// was compiled.
  private var usualSecureDelete: Int64?

  init(_ database: DatabaseConnection) {
    self.database = database
    shapes = ShapeNumbers(database)
    writer = RowWriter(shapes: shapes)
    stamps = WriteStamps(database, shapes)
  }

  /// Forgets the shapes, some of which may be from a transaction that was rolled back.
  mutating func forgetShapes() {
    shapes.removeAll()
    stamps.forgetShapes()
  }

  /// The form in which a record is stored.
  private enum Row {
    case whole(FieldMap)
    case overflow
  }

  private mutating func row(of key: RecordKey) throws -> Row? {
    let row: Row?? = try selectingStatement().withRow(of: key) { bytes throws in
      guard let bytes else { return .overflow }
      do {
        return .whole(try decode(bytes))
      } catch is DamagedRow {
        return nil
      }
    }
    return row ?? nil
  }

  private mutating func selectingStatement() throws -> Statement {
    if let selection { return selection }
    let statement = try database.statement("SELECT fields FROM records WHERE key = ?1")
    selection = statement
    return statement
  }

  private func decode(_ bytes: UnsafeRawBufferPointer) throws -> FieldMap {
    var reader = RowReader(bytes, shapes: shapes)
    let fields = try reader.object()
    guard reader.isAtEnd else { throw DamagedRow() }
    return fields
  }
}

// MARK: - Reading

extension RecordRows {
  /// Copies the row of a record and returns the form in which it is stored.
  mutating func load(_ key: RecordKey, into buffer: RowBuffer) throws -> RowForm? {
    try selectingStatement().withRow(of: key) { bytes in
      guard let bytes else { return .fields }
      buffer.replace(with: bytes)
      return .whole
    }
  }

  /// Returns the shape with a number.
  func shape(numbered number: Int64) throws -> RecordShape { try shapes.shape(numbered: number) }

  /// Returns the latest writes of fields of a record, as far as they are known.
  func writes(of key: RecordKey, among fields: [FieldKey]) throws -> [FieldKey: WriteID] {
    guard let stored = try stamps.stored(of: key) else {
      return try stamps.storedOverflow(of: key, among: fields)
    }
    var writes: [FieldKey: WriteID] = [:]
    for field in fields {
      if case .int(let number)? = stored[field] { writes[field] = WriteID(number) }
    }
    return writes
  }

  mutating func fields(of key: RecordKey) throws -> FieldMap? {
    switch try row(of: key) {
    case nil: nil
    case .whole(let fields): fields
    case .overflow: try overflowFields(of: key)
    }
  }

  mutating func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    switch try row(of: key) {
    case nil: nil
    case .whole(let fields): fields
    case .overflow: try overflowFields(of: key, among: wanted)
    }
  }

  private mutating func overflowFields(of key: RecordKey) throws -> FieldMap {
    let statement = try database.statement(
      "SELECT field, value FROM wide_fields WHERE record = ?1 ORDER BY field")
    try statement.bind(bytesOf: key.rawValue, at: 1)
    defer { statement.reset() }
    var fields: [(FieldKey, CacheValue)] = []
    while try statement.step() {
      let value = try value(in: statement, column: 1)
      if let value { fields.append((FieldKey(statement.text(0)), value)) }
    }
    return FieldMap(fields)
  }

  private mutating func overflowFields(of key: RecordKey, among wanted: [FieldKey]) throws
    -> FieldMap
  {
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

  /// Reads a value, or returns `nil` if its bytes are damaged.
  private func value(in statement: Statement, column: Int32) throws -> CacheValue? {
    try statement.withBytes(column) { bytes throws in
      var reader = RowReader(bytes, shapes: shapes)
      do {
        let value = try reader.value()
        return reader.isAtEnd ? value : nil
      } catch is DamagedRow {
        return nil
      }
    }
  }

  /// Returns the keys of all records, in their order.
  func keys() throws -> [RecordKey] {
    let statement = try database.statement("SELECT key FROM records")
    defer { statement.reset() }
    var keys: [RecordKey] = []
    while try statement.step() {
      keys.append(statement.withBytes(0) { RecordKey(bytes: $0) })
    }
    return keys
  }

  // MARK: - Uses

  /// Returns the times of the last uses that are known.
  func lastUses() throws -> [RecordKey: Int64] {
    let statement = try database.statement(
      "SELECT key, used FROM records WHERE used IS NOT NULL")
    defer { statement.reset() }
    var uses: [RecordKey: Int64] = [:]
    while try statement.step() {
      uses[statement.withBytes(0) { RecordKey(bytes: $0) }] = statement.integer(1)
    }
    return uses
  }

  /// Notes that records were used. Keys without a record are ignored.
  func note(uses keys: [RecordKey], at time: Int64) throws {
    let statement = try database.statement("UPDATE records SET used = ?2 WHERE key = ?1")
    try statement.bind(time, at: 2)
    for key in keys { try statement.with(key, at: 1) { try $0.run() } }
  }

  /// Notes a use that another cache had noted, unless a later one is known. A key without a record
  /// is ignored.
  func note(importedUse time: Int64, of key: RecordKey) throws {
    let statement = try database.statement(
      "UPDATE records SET used = max(coalesce(used, ?2), ?2) WHERE key = ?1")
    try statement.bind(time, at: 2)
    try statement.with(key, at: 1) { try $0.run() }
  }

  /// Returns every key that contains `pattern`, according to ``RecordKey/contains(ignoringCase:)``.
  /// An empty pattern matches nothing.
  func keys(matching pattern: String) throws -> [RecordKey] {
    guard !pattern.isEmpty else { return [] }
    let statement = try database.statement("SELECT key FROM records")
    defer { statement.reset() }
    var keys: [RecordKey] = []
    let pattern = KeyPattern(pattern)
    while try statement.step() {
      let key = statement.withBytes(0) { bytes in
        pattern.isContained(in: bytes) ? RecordKey(bytes: bytes) : nil
      }
      if let key { keys.append(key) }
    }
    return keys
  }
}

// MARK: - Writing, inside a transaction

extension RecordRows {
  /// Merges records in order.
  ///
  /// The steps for one record:
  ///
  /// 1. If its fields are in `known`, merge in memory and write the row if something changed.
  /// 2. Otherwise encode the incoming fields and compare the bytes with the row. Equal bytes change
  ///    nothing, and the row is not decoded.
  /// 3. If there is no row, insert the bytes.
  /// 4. Otherwise decode the row, merge, and write it if something changed.
  ///
  /// A record with more fields than a shape may have is stored as one row for each field, and
  /// merged by reading only the incoming fields.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - known: Complete records, whose rows need not be read. The merged records are added.
  /// - Returns: The changes.
  /// - Throws: ``SQLiteError``
  mutating func merge(_ records: RecordSet, keeping known: inout RecordTable?) throws -> ChangeSet {
    var merger = RecordMerger()
    var changes = ChangeSet()
    for record in records {
      let changed = try merge(record, by: &merger, keeping: &known)
      if let changed { changes.insert(changed, of: record.key) }
    }
    return changes
  }

  private mutating func merge(
    _ record: Record, by merger: inout RecordMerger, keeping known: inout RecordTable?
  ) throws -> ChangedFields? {
    let key = record.key
    if let fields = known?.fields(of: key) {
      // An overflow record and a root are read all the same, because memory does not know in which
      // form it is stored.
      if !fields.isOverflow, !key.isRoot {
        return try merge(record, into: fields, by: &merger, keeping: &known)
      }
    }
    if record.fields.isOverflow { return try merge(overflow: record, by: &merger, keeping: &known) }
    writer.removeAll()
    try writer.write(record: record.fields)
    switch try compare(with: key) {
    case .absent:
      let changed = record.fields.allChanged
      let stamped = stamps.fields(of: record, changed)
      try put(
        writer.bytes, of: key, stamps.bytes(of: key, stamped, of: record.fields.count))
      known?.replace(key, by: record.fields)
      return changed
    case .same:
      try stamp(record, of: record.fields.count)
      known?.replace(key, by: record.fields)
      return nil
    case .other(let fields): return try merge(record, into: fields, by: &merger, keeping: &known)
    case .overflow: return try merge(record, intoOverflow: key, by: &merger, keeping: &known)
    }
  }

  /// The result of comparing the row of a record with the encoded one.
  private enum Comparison {
    case absent
    /// The bytes are equal.
    case same
    case other(FieldMap)
    case overflow
  }

  private mutating func compare(with key: RecordKey) throws -> Comparison {
    let comparison = try selectingStatement().withRow(of: key) { bytes throws -> Comparison in
      guard let bytes else { return .overflow }
      if writer.hasWritten(bytes) { return .same }
      do {
        return .other(try decode(bytes))
      } catch is DamagedRow {
        return .absent
      }
    }
    return comparison ?? .absent
  }

  private mutating func merge(
    overflow record: Record, by merger: inout RecordMerger, keeping known: inout RecordTable?
  ) throws -> ChangedFields? {
    switch try row(of: record.key) {
    case nil:
      try replace(record.key, with: record.fields, from: record, record.fields.allChanged)
      known?.replace(record.key, by: record.fields)
      return record.fields.allChanged
    case .whole(let fields): return try merge(record, into: fields, by: &merger, keeping: &known)
    case .overflow: return try merge(record, intoOverflow: record.key, by: &merger, keeping: &known)
    }
  }

  private mutating func merge(
    _ record: Record, intoOverflow key: RecordKey, by merger: inout RecordMerger,
    keeping known: inout RecordTable?
  ) throws -> ChangedFields? {
    var fields = try overflowFields(of: key, among: record.fields.keys)
    let changed = merger.merge(record.fields, into: &fields)
    if let changed { try writeOverflow(fields, of: key, only: changed) }
    try stampOverflow(key, stamps.fields(of: record, changed).keys)
    if known?.fields(of: key) != nil { _ = known?.merge(CollectionOfOne(record)) }
    return changed
  }

  private mutating func merge(
    _ record: Record, into fields: FieldMap, by merger: inout RecordMerger,
    keeping known: inout RecordTable?
  ) throws -> ChangedFields? {
    var fields = fields
    let outcome = merger.update(&fields, with: record.fields)
    if let changed = outcome.changed {
      try replace(record.key, with: fields, from: record, changed)
      known?.replace(record.key, by: fields)
      return changed
    }
    try stamp(record, of: fields.count)
    // Equal values may hold newer objects, which only memory keeps.
    if outcome.isNew { known?.replace(record.key, by: fields) }
    return nil
  }

  /// The largest number of fields with which a root that grows is one row.
  private static let mostFieldsOfARootRow = 8

  /// Replaces all fields of a record, because a record was merged into it.
  private mutating func replace(
    _ key: RecordKey, with fields: FieldMap, from record: Record, _ changed: ChangedFields?
  ) throws {
    let stamped = stamps.fields(of: record, changed)
    // A root gets a field for each selection and its arguments. As a whole, its row would be
    // written again for each of them.
    guard !fields.isOverflow, !key.isRoot || fields.count <= Self.mostFieldsOfARootRow else {
      let earlier = try stamps.stored(of: key)
      // Earlier versions of this library could leave fields behind.
      try run("DELETE FROM wide_fields WHERE record = ?1", key)
      try putOverflow(key)
      try writeOverflow(fields, of: key, only: .all)
      for (field, write) in earlier ?? FieldMap() {
        if case .int(let number) = write { try stampOverflow(key, [field], as: WriteID(number)) }
      }
      return try stampOverflow(key, stamped.keys)
    }
    let bytes = try stamps.bytes(of: key, stamped, of: fields.count)
    writer.removeAll()
    try writer.write(record: fields)
    try put(writer.bytes, of: key, bytes)
  }

  /// Notes that an unchanged record is from the current write.
  private mutating func stamp(_ record: Record, of count: Int) throws {
    let stamped = stamps.fields(of: record, nil)
    guard let bytes = try stamps.bytes(of: record.key, stamped, of: count) else { return }
    try put(stamps: bytes, of: record.key)
  }

  /// Notes that fields of a record are from the current write, whatever their values are. A merge
  /// leaves out those with failures.
  mutating func stamp(_ fields: [FieldKey], of key: RecordKey) throws {
    if try isOverflow(key) == true { return try stampOverflow(key, fields) }
    guard let bytes = try stamps.bytes(adding: fields, of: key) else { return }
    try put(stamps: bytes, of: key)
  }

  private func put(stamps bytes: UnsafeRawBufferPointer, of key: RecordKey) throws {
    let statement = try database.statement("UPDATE records SET writes = ?2 WHERE key = ?1")
    try statement.with(key, at: 1) { statement throws in
      try statement.with(bytes, at: 2) { try $0.run() }
    }
  }

  /// Notes that fields of a record with one row for each are from a write.
  private func stampOverflow(
    _ key: RecordKey, _ fields: [FieldKey], as write: WriteID? = nil
  ) throws {
    guard let id = write ?? stamps.current?.id, !fields.isEmpty else { return }
    let statement = try database.statement(
      "UPDATE wide_fields SET write = ?3 WHERE record = ?1 AND field = ?2")
    for field in fields {
      try statement.bind(bytesOf: key.rawValue, at: 1)
      try statement.bind(bytesOf: field.rawValue, at: 2)
      try statement.bind(id.number, at: 3)
      try statement.run()
    }
  }

  /// Writes the row of a record.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - key: The key of the record.
  ///   - writes: The bytes that say which write each field is from, or `nil` to leave them as they
  ///     are.
  /// - Throws: ``SQLiteError``
  private mutating func put(
    _ row: UnsafeRawBufferPointer, of key: RecordKey, _ writes: UnsafeRawBufferPointer?
  ) throws {
    writtenByteCount += row.count
    guard let writes else {
      return try put(row, of: key, with: try replacingStatement())
    }
    let statement = try database.statement(
      """
      INSERT INTO records (key, fields, writes) VALUES (?1, ?2, ?3)
      ON CONFLICT (key) DO UPDATE SET fields = excluded.fields, writes = excluded.writes
      """)
    try statement.with(writes, at: 3) { try put(row, of: key, with: $0) }
  }

  private func put(
    _ row: UnsafeRawBufferPointer, of key: RecordKey, with statement: Statement
  ) throws {
    try statement.with(key, at: 1) { statement throws in
      try statement.with(row, at: 2) { try $0.run() }
    }
  }

  private mutating func replacingStatement() throws -> Statement {
    if let replacement { return replacement }
    let statement = try database.statement(
      """
      INSERT INTO records (key, fields) VALUES (?1, ?2)
      ON CONFLICT (key) DO UPDATE SET fields = excluded.fields
      """)
    replacement = statement
    return statement
  }

  /// Writes the row of a record with one row for each field.
  private func putOverflow(_ key: RecordKey) throws {
    try run(
      """
      INSERT INTO records (key) VALUES (?1)
      ON CONFLICT (key) DO UPDATE SET fields = NULL, writes = NULL
      """, key)
  }

  private mutating func writeOverflow(
    _ fields: FieldMap, of key: RecordKey, only changed: ChangedFields
  ) throws {
    let statement = try database.statement(
      """
      INSERT INTO wide_fields (record, field, value) VALUES (?1, ?2, ?3)
      ON CONFLICT (record, field) DO UPDATE SET value = excluded.value
      """)
    let chosen = changed.isAll ? nil : Set(changed.listed)
    for (field, value) in fields where chosen?.contains(field) != false {
      writer.removeAll()
      try writer.write(value)
      try statement.bind(bytesOf: key.rawValue, at: 1)
      try statement.bind(bytesOf: field.rawValue, at: 2)
      writtenByteCount += writer.bytes.count
      try statement.with(writer.bytes, at: 3) { try $0.run() }
    }
  }

  /// Removes a record. Returns `true` if there was one.
  func remove(_ key: RecordKey) throws -> Bool {
    guard let isOverflow = try isOverflow(key) else { return false }
    try run("DELETE FROM records WHERE key = ?1", key)
    if isOverflow { try run("DELETE FROM wide_fields WHERE record = ?1", key) }
    return true
  }

  /// Removes fields of a record. Returns `true` if there is such a record.
  mutating func remove(_ fields: Set<FieldKey>, of key: RecordKey) throws -> Bool {
    switch try row(of: key) {
    case nil: return false
    case .whole(var rest):
      rest.removeAll(fields)
      // Otherwise, the fields that a record ever had would fill the list of its writes.
      var writes = try stamps.stored(of: key)
      writes?.removeAll(fields)
      try put(rest, of: key, writes)
    case .overflow:
      let statement = try database.statement(
        "DELETE FROM wide_fields WHERE record = ?1 AND field = ?2")
      for field in fields {
        try statement.bind(bytesOf: key.rawValue, at: 1)
        try statement.bind(bytesOf: field.rawValue, at: 2)
        try statement.run()
      }
      if !key.isRoot { try putWholeIfPossible(key) }
    }
    return true
  }

  /// Stores a record with one row for each field as one row, if there are few enough.
  ///
  /// Memory in front of the file knows the form of every record, except for roots, by the number of
  /// its fields.
  private mutating func putWholeIfPossible(_ key: RecordKey) throws {
    let fields = try overflowFields(of: key)
    guard !fields.isOverflow else { return }
    let writes = try stamps.storedOverflow(of: key, among: fields.keys)
    try run("DELETE FROM wide_fields WHERE record = ?1", key)
    // In the order of the fields: each other order would be a shape of its own.
    let stored = FieldMap(
      fields.keys.compactMap { field in
        writes[field].map { (field, CacheValue.int($0.number)) }
      })
    try put(fields, of: key, writes.isEmpty ? nil : stored)
  }

  /// Writes the row of a record, and the writes of its fields, which remain as they are if `writes`
  /// is `nil`.
  private mutating func put(_ fields: FieldMap, of key: RecordKey, _ writes: FieldMap?) throws {
    let stamped = try writes.map { try stamps.bytes($0) }
    writer.removeAll()
    try writer.write(record: fields)
    try put(writer.bytes, of: key, stamped)
  }

  /// Returns whether a record has one row for each field, or `nil` if there is no such record.
  private func isOverflow(_ key: RecordKey) throws -> Bool? {
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

  /// Removes every record and shape. The numbers of the shapes are never used again, and other
  /// connections forget theirs before they write, because they detect this commit.
  ///
  /// The current write stays, because the rows that its transaction writes afterwards have its
  /// number. Otherwise, a later write would get the number, and these rows its age.
  mutating func removeAll() throws {
    let current = stamps.current?.id ?? WriteID.none
    try database.execute(
      """
      DELETE FROM records; DELETE FROM wide_fields; DELETE FROM shapes;
      DELETE FROM writes WHERE id <> \(current.number)
      """)
    shapes.removeAll()
    stamps.forgetShapes()
  }

  // MARK: - The log

  /// Empties the log after transactions that have written much: SQLite reuses it, but never makes
  /// it smaller by itself. If a reader needs it, later ones empty it.
  mutating func limitLog() {
    guard writtenByteCount > Self.mostBytesOfTheLog else { return }
    writtenByteCount = 0
    try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Empties the log. Returns `false` if a reader needs it, or if another connection writes.
  func emptiesLog() throws -> Bool {
    try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0
  }

  /// Sets whether removed content is overwritten, in the file and in a journal that is kept.
  mutating func overwriteRemovedContent(_ overwrites: Bool) throws {
    let usual = try usualSecureDelete ?? database.integer("PRAGMA secure_delete") ?? 0
    usualSecureDelete = usual
    // Setting it returns a row, which `execute` ignores.
    try database.execute(
      """
      PRAGMA secure_delete = \(overwrites ? "ON" : Self.secureDeleteModes[Int(usual)]);
      PRAGMA journal_size_limit = \(overwrites ? 0 : Self.mostBytesOfTheLog)
      """)
  }

  /// The values of `PRAGMA secure_delete` by number.
  private static let secureDeleteModes = ["OFF", "ON", "FAST"]

  /// The size of the log above which it is emptied.
  static let mostBytesOfTheLog = 8 << 20
}

extension Statement {
  /// Runs `body` with the row of a key, or with `nil` if the record has one row for each field.
  ///
  /// - Returns: The result of `body`, or `nil` if there is no such record.
  fileprivate func withRow<Result>(
    of key: RecordKey, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result? {
    try with(key, at: 1) { statement throws in
      guard try statement.step() else { return nil }
      defer { statement.reset() }
      return try statement.isNull(0) ? body(nil) : statement.withBytes(0) { try body($0) }
    }
  }
}
