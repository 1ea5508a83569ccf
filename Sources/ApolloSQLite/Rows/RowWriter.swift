internal import ApolloCache
internal import ApolloAPI

/// Writes values as bytes.
///
/// A value is a tag and what the tag asks for; counts and lengths are variable-length integers of
/// seven bits a byte, low bits first. An object is its shape, then its values in order.
struct RowWriter {
  private(set) var bytes: [UInt8] = []
  /// The numbers that the database has given to shapes; nil where none may occur.
  private let shapes: ShapeNumbers?

  init(shapes: ShapeNumbers?) {
    self.shapes = shapes
    bytes.reserveCapacity(512)
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  mutating func write(_ values: some Sequence<CacheValue>) throws {
    for value in values { try write(value) }
  }

  mutating func write(_ value: CacheValue) throws {
    switch value {
    case .null: write(tag: .null)
    case .bool(let value): write(tag: value ? .true : .false)
    case .int(let value):
      write(tag: .int)
      write(zigzag: value)
    case .double(let value):
      write(tag: .double)
      write(value)
    case .string(let value):
      write(tag: .string)
      write(value)
    case .reference(let key):
      write(tag: .reference)
      write(key)
    case .list(let elements):
      write(tag: .list)
      write(count: elements.count)
      try write(elements)
    case .object(let fields): try write(fields)
    case .json(let value):
      write(tag: .json)
      write(value)
    case .failure(let failure):
      write(tag: .failure)
      write(failure.message)
      write(failure.extensions)
    }
  }

  private mutating func write(_ fields: FieldMap) throws {
    switch fields.storage {
    case .object(let object):
      write(tag: .object)
      try writeReference(to: object.shape)
      try write(object.values)
    case .shaped(let shape, let values):
      write(tag: .object)
      try writeReference(to: shape)
      try write(values)
    case .wide:
      write(tag: .wideObject)
      write(count: fields.count)
      for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
        write(key.rawValue)
        try write(value)
      }
    }
  }

  /// The number of a shape. A shape with an argument in it may be the only one of its kind: it is
  /// written out, under the number 0.
  mutating func writeReference(to shape: RecordShape) throws {
    guard !shape.hasArguments else {
      write(zigzag: 0)
      write(shape)
      return
    }
    guard let shapes else { preconditionFailure("There are no numbers of shapes here.") }
    write(zigzag: try shapes.number(of: shape))
  }

  mutating func write(_ shape: RecordShape) {
    write(count: shape.fields.count)
    for field in shape.fields { write(field.rawValue) }
  }

  private mutating func write(_ value: JSONValue) {
    switch value {
    case .null: write(tag: .null)
    case .bool(let value): write(tag: value ? .true : .false)
    case .int(let value):
      write(tag: .int)
      write(zigzag: value)
    case .double(let value):
      write(tag: .double)
      write(value)
    case .decimal(let text):
      write(tag: .decimal)
      write(text)
    case .string(let text):
      write(tag: .string)
      write(text)
    case .array(let elements):
      write(tag: .list)
      write(count: elements.count)
      for element in elements { write(element) }
    case .object(let members):
      write(tag: .object)
      write(count: members.count)
      for (key, member) in members.sorted(by: { $0.key < $1.key }) {
        write(key)
        write(member)
      }
    }
  }

  // MARK: - Bytes

  private mutating func write(tag: RowTag) {
    bytes.append(tag.rawValue)
  }

  private mutating func write(count: Int) {
    write(variableLength: UInt64(count))
  }

  private mutating func write(zigzag value: Int64) {
    write(variableLength: UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  private mutating func write(variableLength value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func write(_ value: Double) {
    withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func write(_ key: RecordKey) {
    key.bytes.withBytes {
      write(count: $0.count)
      bytes.append(contentsOf: $0)
    }
  }

  private mutating func write(_ text: String) {
    var text = text
    text.withUTF8 {
      write(count: $0.count)
      bytes.append(contentsOf: $0)
    }
  }
}

/// What the next bytes of a row are. Numbers are on disk: never reuse one.
enum RowTag: UInt8 {
  case null = 0
  case `false` = 1
  case `true` = 2
  case int = 3
  case double = 4
  case string = 5
  case reference = 6
  case list = 7
  case object = 8
  case wideObject = 9
  case json = 10
  case decimal = 11
  case failure = 12
}
