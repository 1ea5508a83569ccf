internal import ApolloAPI

/// A reader of the bytes that ``RowWriter`` writes. It checks everything: a file may be damaged.
package struct RowReader {
  /// The address of the next byte.
  private var cursor: UnsafeRawPointer
  private let end: UnsafeRawPointer
  private var depth = 0
  /// The numbered shapes of the database. Unowned because they outlive the reading of a row.
  private unowned(unsafe) let shapes: (any RowShapes)?

  /// The largest depth of a value, so that no row can exhaust the stack. Responses are less deep.
  private static let maximumDepth = 512
  /// The largest number of elements for which memory is reserved. A damaged row may announce as
  /// many elements as it has bytes, in each of many nested lists.
  private static let largestReservation = 4_096

  /// Creates a reader of a row or a value.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, which must outlive the reader.
  ///   - shapes: The numbered shapes, which must outlive the reader, or `nil` if no number may
  ///   occur.
  package init(_ bytes: UnsafeRawBufferPointer, shapes: (any RowShapes)?) {
    // Without bytes nothing is read, so any address is fine.
    cursor = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!
    end = cursor + bytes.count
    self.shapes = shapes
  }

  package var isAtEnd: Bool { cursor == end }

  private var restCount: Int { end - cursor }

  // MARK: - Values

  package mutating func value() throws -> CacheValue {
    switch try tag() {
    case .null: return .null
    case .false: return .bool(false)
    case .true: return .bool(true)
    case .int: return .int(try zigzag())
    case .double: return .double(try double())
    case .string: return .string(try text())
    case .reference: return .reference(try key())
    case .list: return .list(try nested { try $0.list { try $0.value() } })
    case .object: return .object(try nested { try $0.object() })
    case .overflowObject: return .object(try nested { try $0.overflowObject() })
    case .json: return .json(try json())
    case .failure: return .failure(FieldFailure(message: try text(), extensions: try json()))
    case .decimal: throw DamagedRow()
    }
  }

  /// Reads an object: a shape and its values.
  package mutating func object() throws -> FieldMap {
    let shape = try shapeOrNumber()
    var values = ContiguousArray<CacheValue>()
    values.reserveCapacity(shape.fields.count)
    for _ in shape.fields { values.append(try value()) }
    return FieldMap(shape: shape, values: values)
  }

  /// Reads the shape of an object: its number, or 0 and the written-out shape.
  @inline(__always)
  package mutating func shapeOrNumber() throws -> RecordShape {
    let number = try zigzag()
    guard let shapes else {
      guard number == 0 else { throw DamagedRow() }
      return try shape()
    }
    return try number == 0 ? writtenShape(shapes) : shapes.shape(numbered: number)
  }

  /// Reads a written-out shape that may have occurred before: an argument is the same in all
  /// elements of a list.
  @inline(never)
  private mutating func writtenShape(_ shapes: any RowShapes) throws -> RecordShape {
    let start = self
    for _ in 0..<(try count()) { _ = try textBytes() }
    let bytes = UnsafeRawBufferPointer(start: start.cursor, count: cursor - start.cursor)
    if let known = shapes.shape(written: bytes) { return known }
    self = start
    let shape = try shape()
    shapes.remember(shape, written: bytes)
    return shape
  }

  /// Reads a written-out shape.
  @inline(never)
  package mutating func shape() throws -> RecordShape {
    let fields = try list { FieldKey(try $0.text()) }
    guard fields.count <= RecordShape.maximumFieldCount, Set(fields).count == fields.count else {
      throw DamagedRow()
    }
    return .of(fields)
  }

  private mutating func overflowObject() throws -> FieldMap {
    FieldMap(try list { (FieldKey(try $0.text()), try $0.value()) })
  }

  private mutating func json() throws -> JSONValue {
    switch try tag() {
    case .null: return .null
    case .false: return .bool(false)
    case .true: return .bool(true)
    case .int: return .int(try zigzag())
    case .double: return .double(try double())
    case .decimal: return .decimal(try number())
    case .string: return .string(try text())
    case .list: return .array(try nested { try $0.list { try $0.json() } })
    case .object:
      let members = try nested { try $0.list { (try $0.text(), try $0.json()) } }
      return .object(Dictionary(members, uniquingKeysWith: { $1 }))
    case .reference, .overflowObject, .json, .failure: throw DamagedRow()
    }
  }

  /// Reads the text of a number, which reaches JSON as it is.
  private mutating func number() throws -> String {
    let text = try text()
    let isNumber = text.utf8.allSatisfy { "+-.0123456789Ee".utf8.contains($0) }
    guard isNumber, Double(text) != nil else { throw DamagedRow() }
    return text
  }

  // MARK: - Skipping

  /// Skips a value. Reads no more of it than its length.
  package mutating func skipValue() throws {
    switch try tag() {
    case .null, .false, .true: break
    case .int: _ = try zigzag()
    case .double: _ = try double()
    case .string, .reference: _ = try textBytes()
    case .list: try nested { row in for _ in 0..<(try row.count()) { try row.skipValue() } }
    case .object:
      try nested { row in
        let shape = try row.shapeOrNumber()
        for _ in shape.fields.indices { try row.skipValue() }
      }
    case .overflowObject, .json, .failure, .decimal:
      cursor -= 1
      _ = try value()  // seldom enough
    }
  }

  /// Returns the type name of an object, if its shape has one. The reader is before the values, and
  /// stays there.
  @inline(__always)
  package func typename(at position: Int?) throws -> UnsafeRawBufferPointer? {
    guard let position else { return nil }
    var row = self
    for _ in 0..<position { try row.skipValue() }
    guard try row.tag() == .string else { return nil }
    return try row.textBytes()
  }

  // MARK: - Parts of values

  /// Reads a nested value, unless it is nested more deeply than any response may be.
  @inline(__always)
  package mutating func nested<Result>(
    _ read: (inout RowReader) throws -> Result
  ) throws -> Result {
    guard depth < Self.maximumDepth else { throw DamagedRow() }
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }

  private mutating func list<Element>(
    _ element: (inout RowReader) throws -> Element
  ) throws -> [Element] {
    let count = try count()
    var elements: [Element] = []
    elements.reserveCapacity(min(count, Self.largestReservation))
    for _ in 0..<count { elements.append(try element(&self)) }
    return elements
  }

  /// Reads the number of elements, each of at least one byte: at most the number of bytes.
  @inline(__always)
  package mutating func count() throws -> Int {
    let count = try variableLength()
    guard count <= UInt64(restCount) else { throw DamagedRow() }
    return Int(count)
  }

  @inline(__always)
  private mutating func byte() throws -> UInt8 {
    guard cursor < end else { throw DamagedRow() }
    defer { cursor += 1 }
    return cursor.load(as: UInt8.self)
  }

  @inline(__always)
  package mutating func tag() throws -> RowTag {
    guard let tag = RowTag(rawValue: try byte()) else { throw DamagedRow() }
    return tag
  }

  /// Returns the next tag without consuming it.
  @inline(__always)
  package func nextTag() throws -> RowTag {
    guard cursor < end, let tag = RowTag(rawValue: cursor.load(as: UInt8.self)) else {
      throw DamagedRow()
    }
    return tag
  }

  @inline(__always)
  package mutating func zigzag() throws -> Int64 {
    let value = try variableLength()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  @inline(__always)
  private mutating func variableLength() throws -> UInt64 {
    let first = try byte()
    return first < 0x80 ? UInt64(first) : try longVariableLength(first)
  }

  @inline(never)
  private mutating func longVariableLength(_ first: UInt8) throws -> UInt64 {
    var value = UInt64(first & 0x7F)
    var shift: UInt64 = 7
    while shift < 64 {
      let byte = try byte()
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
      shift &+= 7
    }
    throw DamagedRow()
  }

  @inline(__always)
  package mutating func double() throws -> Double {
    guard restCount >= 8 else { throw DamagedRow() }
    defer { cursor += 8 }
    return Double(bitPattern: UInt64(littleEndian: cursor.loadUnaligned(as: UInt64.self)))
  }

  /// Reads the bytes of a text or of a key, in place.
  @inline(__always)
  package mutating func textBytes() throws -> UnsafeRawBufferPointer {
    let count = try count()
    defer { cursor += count }
    return UnsafeRawBufferPointer(start: cursor, count: count)
  }

  private mutating func text() throws -> String {
    String(decoding: try textBytes(), as: UTF8.self)
  }

  @inline(__always)
  package mutating func key() throws -> RecordKey {
    let bytes = try textBytes()
    return RecordKey(ObjectIdentity.make(bytes, hash: KeyHash.hash(bytes)))
  }
}
