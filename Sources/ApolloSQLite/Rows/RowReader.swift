internal import ApolloCache
internal import ApolloAPI

/// A row that does not say what it should: its record reads as if it were not there.
struct DamagedRow: Error {}

/// Reads what ``RowWriter`` wrote, and trusts none of it.
struct RowReader {
  private let bytes: UnsafeRawBufferPointer
  /// Where the next byte is.
  private var position = 0
  private var depth = 0
  /// The shapes that the database has given numbers. Unowned: they outlive a look at a row.
  private unowned(unsafe) let shapes: ShapeNumbers?

  /// Deeper values than any response may have are refused, so that no row can exhaust the stack.
  private static let maximumDepth = 512

  /// - Parameters:
  ///   - bytes: a row or a value, which must not end before the reader.
  ///   - shapes: those of the database; nil where no number may occur.
  init(_ bytes: UnsafeRawBufferPointer, shapes: ShapeNumbers?) {
    self.bytes = bytes
    self.shapes = shapes
  }

  var isAtEnd: Bool { position == bytes.count }

  private var restCount: Int { bytes.count &- position }

  /// The values of a shape.
  private mutating func values(of shape: RecordShape) throws -> ContiguousArray<CacheValue> {
    var values = ContiguousArray<CacheValue>()
    values.reserveCapacity(shape.fields.count)
    for _ in shape.fields { values.append(try value()) }
    return values
  }

  mutating func value() throws -> CacheValue {
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
    case .wideObject: return .object(try nested { try $0.wideObject() })
    case .json: return .json(try json())
    case .failure: return .failure(FieldFailure(message: try text(), extensions: try json()))
    case .decimal: throw DamagedRow()
    }
  }

  /// A shape, and values for it.
  mutating func object() throws -> FieldMap {
    let number = try zigzag()
    guard number != 0 else {
      let shape = try shape()
      return FieldMap(shape: shape, values: try values(of: shape))
    }
    guard let shapes else { throw DamagedRow() }
    let shape = try shapes.shape(numbered: number)
    return FieldMap(shape: shape, values: try values(of: shape))
  }

  /// A shape that is written out.
  mutating func shape() throws -> RecordShape {
    let fields = try list { FieldKey(try $0.text()) }
    guard fields.count <= RecordShape.maximumFieldCount, Set(fields).count == fields.count else {
      throw DamagedRow()
    }
    return .of(fields)
  }

  private mutating func wideObject() throws -> FieldMap {
    FieldMap(try list { (FieldKey(try $0.text()), try $0.value()) })
  }

  private mutating func json() throws -> JSONValue {
    switch try tag() {
    case .null: return .null
    case .false: return .bool(false)
    case .true: return .bool(true)
    case .int: return .int(try zigzag())
    case .double: return .double(try double())
    case .decimal: return .decimal(try text())
    case .string: return .string(try text())
    case .list: return .array(try nested { try $0.list { try $0.json() } })
    case .object:
      let members = try nested { try $0.list { (try $0.text(), try $0.json()) } }
      return .object(Dictionary(members, uniquingKeysWith: { $1 }))
    case .reference, .wideObject, .json, .failure: throw DamagedRow()
    }
  }

  // MARK: - Bytes

  private mutating func nested<Result>(_ read: (inout RowReader) throws -> Result) throws -> Result
  {
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
    elements.reserveCapacity(count)
    for _ in 0..<count { elements.append(try element(&self)) }
    return elements
  }

  /// A number of things of at least one byte each: no more than there are bytes.
  private mutating func count() throws -> Int {
    guard let count = Int(exactly: try variableLength()), count <= restCount else {
      throw DamagedRow()
    }
    return count
  }

  private mutating func byte() throws -> UInt8 {
    guard position < bytes.count else { throw DamagedRow() }
    defer { position &+= 1 }
    return bytes[position]
  }

  private mutating func tag() throws -> RowTag {
    guard let tag = RowTag(rawValue: try byte()) else { throw DamagedRow() }
    return tag
  }

  private mutating func zigzag() throws -> Int64 {
    let value = try variableLength()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  private mutating func variableLength() throws -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 64 {
      let byte = try byte()
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
      shift &+= 7
    }
    throw DamagedRow()
  }

  private mutating func double() throws -> Double {
    guard restCount >= 8 else { throw DamagedRow() }
    defer { position &+= 8 }
    let bits = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    return Double(bitPattern: UInt64(littleEndian: bits))
  }

  @inline(__always)
  private mutating func textBytes() throws -> UnsafeRawBufferPointer {
    let count = try count()
    defer { position &+= count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<(position &+ count)])
  }

  private mutating func text() throws -> String {
    String(decoding: try textBytes(), as: UTF8.self)
  }

  private mutating func key() throws -> RecordKey {
    let bytes = try textBytes()
    return RecordKey(KeyBytes.make(bytes, hash: KeyHash.hash(bytes)))
  }
}
