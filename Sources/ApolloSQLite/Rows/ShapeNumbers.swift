internal import ApolloCache

/// The numbers that a database has given to shapes, as far as one connection knows them.
///
/// A number never changes its meaning once it is committed, so what was learned stays true.
struct ShapeNumbers {
  private var numbers: [RecordShape: Int64] = [:]
  private var shapes: [Int64: RecordShape] = [:]

  /// Forgets what a transaction that was rolled back may have taught.
  mutating func removeAll() {
    self = ShapeNumbers()
  }

  private mutating func remember(_ shape: RecordShape, as number: Int64) {
    numbers[shape] = number
    shapes[number] = shape
  }

  /// The shape with this number.
  /// - Throws: ``DamagedRow`` if the database does not know it.
  mutating func shape(numbered number: Int64, in database: Connection) throws -> RecordShape {
    if let shape = shapes[number] { return shape }
    let statement = try database.statement("SELECT fields FROM shapes WHERE id = ?1")
    try statement.bind(number, at: 1)
    guard try statement.step() else { throw DamagedRow() }
    defer { statement.reset() }
    let shape = try statement.withBytes(0) { bytes throws in
      var reader = RowReader(bytes) { _ in throw DamagedRow() }
      return try reader.shape()
    }
    remember(shape, as: number)
    return shape
  }

  /// The number of a shape; a new one if the database has none yet, inside a transaction that may
  /// write.
  mutating func number(of shape: RecordShape, in database: Connection) throws -> Int64 {
    if let number = numbers[shape] { return number }
    var writer = RowWriter { _ in throw DamagedRow() }
    writer.write(shape)
    let number = try find(writer.bytes, in: database) ?? insert(writer.bytes, in: database)
    remember(shape, as: number)
    return number
  }

  private func find(_ fields: [UInt8], in database: Connection) throws -> Int64? {
    let statement = try database.statement("SELECT id FROM shapes WHERE fields = ?1")
    try statement.bind(fields, at: 1)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return statement.integer(0)
  }

  private func insert(_ fields: [UInt8], in database: Connection) throws -> Int64 {
    let statement = try database.statement("INSERT INTO shapes (fields) VALUES (?1) RETURNING id")
    try statement.bind(fields, at: 1)
    guard try statement.step() else { throw DamagedRow() }
    defer { statement.reset() }
    return statement.integer(0)
  }
}
