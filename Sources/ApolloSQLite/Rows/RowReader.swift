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
  /// The shape that the database has given a number.
  let shapeNumbered: (Int64) throws -> RecordShape

  /// Deeper values than any response may have are refused, so that no row can exhaust the stack.
  private static let maximumDepth = 512

  init(_ bytes: UnsafeRawBufferPointer, shapeNumbered: @escaping (Int64) throws -> RecordShape) {
    self.bytes = bytes
    self.shapeNumbered = shapeNumbered
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
    case .reference: return .reference(RecordKey(try text()))
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
    let shape = number == 0 ? try shape() : try shapeNumbered(number)
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

  private mutating func text() throws -> String {
    let count = try count()
    defer { position &+= count }
    let text = UnsafeRawBufferPointer(rebasing: bytes[position..<(position &+ count)])
    return String(decoding: text, as: UTF8.self)
  }
}
