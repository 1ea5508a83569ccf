internal import ApolloCache

/// The numbered shapes of a database, as far as one connection has read them.
///
/// A committed number never changes its meaning, so the numbers stay valid. The owner of the
/// connection uses them from one thread at a time.
final class ShapeNumbers: RowShapeNumbers {
  private let database: DatabaseConnection
  private var numbers: [RecordShape: Int64] = [:]
  /// The shapes by number. A database counts them from 1.
  private var shapes: [RecordShape?] = []
  private var last: (shape: RecordShape, number: Int64)?

  /// The largest number that is remembered. A damaged row may have any.
  private static let largestRemembered: Int64 = 65_536

  init(_ database: DatabaseConnection) { self.database = database }

  /// Forgets all shapes, some of which may be from a transaction that was rolled back.
  func removeAll() {
    numbers = [:]
    shapes = []
    last = nil
  }

  private func remember(_ shape: RecordShape, as number: Int64) {
    guard (0...Self.largestRemembered).contains(number) else { return }
    numbers[shape] = number
    while shapes.count <= number { shapes.append(nil) }
    shapes[Int(number)] = shape
  }

  // MARK: - Reading

  /// Returns the shape with this number.
  ///
  /// - Throws: ``DamagedRow`` if the database does not have it.
  @inline(__always)
  func shape(numbered number: Int64) throws -> RecordShape {
    if number > 0, number < shapes.count, let shape = shapes[Int(number)] { return shape }
    return try find(number)
  }

  @inline(never)
  private func find(_ number: Int64) throws -> RecordShape {
    let statement = try database.statement("SELECT fields FROM shapes WHERE id = ?1")
    try statement.bind(number, at: 1)
    guard try statement.step() else { throw DamagedRow() }
    defer { statement.reset() }
    let shape = try statement.withBytes(0) { bytes throws in
      var reader = RowReader(bytes, shapes: nil)
      return try reader.shape()
    }
    remember(shape, as: number)
    return shape
  }

  // MARK: - Writing

  /// Returns the number of a shape. If the database has none yet, inserts it, which needs a
  /// transaction that may write.
  func number(of shape: RecordShape) throws -> Int64 {
    if let last, last.shape === shape { return last.number }
    let number = try numbers[shape] ?? findOrInsert(shape)
    last = (shape, number)
    return number
  }

  private func findOrInsert(_ shape: RecordShape) throws -> Int64 {
    let writer = RowWriter(shapes: nil)
    writer.write(shape)
    let bytes = Array(writer.bytes)
    let number = try find(bytes) ?? insert(bytes)
    remember(shape, as: number)
    return number
  }

  private func find(_ fields: [UInt8]) throws -> Int64? {
    let statement = try database.statement("SELECT id FROM shapes WHERE fields = ?1")
    try statement.bind(fields, at: 1)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return statement.integer(0)
  }

  private func insert(_ fields: [UInt8]) throws -> Int64 {
    let statement = try database.statement("INSERT INTO shapes (fields) VALUES (?1) RETURNING id")
    try statement.bind(fields, at: 1)
    guard try statement.step() else { throw DamagedRow() }
    defer { statement.reset() }
    return statement.integer(0)
  }
}
