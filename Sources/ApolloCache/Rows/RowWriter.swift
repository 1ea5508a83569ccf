internal import ApolloAPI
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

// A row is the number of its shape, then a value for each field of the shape:
//
//     row       shape value*
//     shape     zigzag                       the number of a shape that the file lists
//             | 00 count text*               the keys themselves, if one of them has an argument
//     value     tag data                     the tags are those of ``RowTag``
//     data      nothing                      00 null, 01 false, 02 true
//             | zigzag                       03 integer
//             | 8 bytes, low ones first      04 floating-point number
//             | text                         05 string, 06 reference, 0B decimal
//             | count value*                 07 list
//             | shape value*                 08 object inside of another one
//             | count (text value)*          09 object of more fields than a shape may have
//             | value                        0A JSON; its objects (08) are count (text value)*
//             | text value                   0C failure: its message and its extensions
//     text      count byte*
//     count     seven bits a byte, low ones first; all bytes but the last have the bit 80
//     zigzag    a count: 0, -1, 1, -2, 2 … as 0, 1, 2, 3, 4 …
//
// An example: `{"__typename": "Human", "height": 96, "friends": [Human:1003, null]}`, where shape 7
// has the keys `__typename`, `height` and `friends`:
//
//     0E                                      shape 7
//     05 05 48 75 6D 61 6E                    string, 5 bytes: "Human"
//     03 C0 01                                integer 96, as 192
//     07 02                                   list of 2
//     06 0A 48 75 6D 61 6E 3A 31 30 30 33       reference, 10 bytes: "Human:1003"
//     00                                        null

/// A writer of values as bytes.
///
/// - A value is a tag followed by the data of that tag.
/// - Counts and lengths are variable-length integers of seven bits a byte, low bits first.
/// - An object is its shape, then its values in order.
/// - A text is followed by a tag or by the end of the row.
///
/// It is a class so that its reusable memory is never copied.
package final class RowWriter {
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  private var count = 0
  /// The numbered shapes of the database, or `nil` if no number may occur.
  private let shapes: (any RowShapeNumbers)?

  package init(shapes: (any RowShapeNumbers)?) {
    self.shapes = shapes
    capacity = 1_024
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    memory.deallocate()
  }

  package func removeAll() { count = 0 }

  /// The written bytes. Valid while the writer lives and writes nothing more.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

  /// Returns whether these bytes equal the written ones.
  package func hasWritten(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count == count, let start = bytes.baseAddress else { return count == bytes.count }
    return memcmp(memory, start, count) == 0
  }

  // MARK: - Records

  /// Writes the fields of a record.
  ///
  /// - Precondition: There are no more than a shape may have.
  package func write(record fields: FieldMap) throws {
    switch fields.storage {
    case .object(let kept): try write(kept.object, kept.layout)
    case .shaped(let shape, let values):
      try writeReference(to: shape)
      for value in values { try write(value) }
    case .overflow: preconditionFailure("A record of many fields is written field by field.")
    }
  }

  /// Writes a decoded object: its shape, and its values directly from its slots.
  private func write(_ object: ResponseObject, _ layout: RecordLayout) throws {
    try writeReference(to: layout.shape)
    for index in layout.fields.indices {
      try write(object.contents(ofField: index), layout.fields[index].rank, of: layout)
    }
  }

  private func write(
    _ contents: SlotContents, _ rank: Int, of layout: RecordLayout
  ) throws {
    switch contents {
    case .missing, .null: write(tag: .null)
    case .bool(let value): write(bool: value)
    case .int(let value): write(int: Int64(value))
    case .double(let value): write(double: value)
    case .string(let value): write(string: value)
    case .strings(let values):
      writeList(of: values.count)
      for value in values { write(string: value) }
    case .leaf(let value): try write(CacheValue(leaf: value, rank: rank))
    case .object(let object):
      var embedded: RecordLayout?
      try write(child: object, of: layout, &embedded)
    case .objects(let objects):
      var embedded: RecordLayout?
      writeList(of: objects.count)
      for object in objects { try write(child: object, of: layout, &embedded) }
    case .nullableObjects(let objects):
      var embedded: RecordLayout?
      writeList(of: objects.count)
      for object in objects {
        if let object {
          try write(child: object, of: layout, &embedded)
        } else {
          write(tag: .null)
        }
      }
    case .tree(let tree): try write(tree, of: layout)
    }
  }

  private func write(_ tree: ObjectTree, of layout: RecordLayout) throws {
    switch tree {
    case .null: write(tag: .null)
    case .object(let object):
      var embedded: RecordLayout?
      try write(child: object, of: layout, &embedded)
    case .list(let elements):
      writeList(of: elements.count)
      for element in elements { try write(element, of: layout) }
    }
  }

  /// Writes an object inside of another: a reference if it has an identity, otherwise its fields.
  ///
  /// - Parameters:
  ///   - child: The object.
  ///   - layout: The layout of the object around it.
  ///   - embedded: The layout of the last object in this field, which is probably this one's too.
  /// - Throws: The errors of ``RowShapeNumbers``.
  private func write(
    child: ResponseObject, of layout: RecordLayout, _ embedded: inout RecordLayout?
  ) throws {
    if let key = child.recordKey {
      write(tag: .reference)
      write(key)
      return
    }
    if embedded?.layout !== child.layout { embedded = layout.layout(ofEmbedded: child) }
    guard let embedded, embedded.isPlain else {
      return try write(layout.layout(ofEmbedded: child).fieldMap(of: child))
    }
    write(tag: .object)
    try write(child, embedded)
  }

  // MARK: - Values

  package func write(_ value: CacheValue) throws {
    switch value {
    case .null: write(tag: .null)
    case .bool(let value): write(bool: value)
    case .int(let value): write(int: value)
    case .double(let value): write(double: value)
    case .string(let value): write(string: value)
    case .reference(let key):
      write(tag: .reference)
      write(key)
    case .list(let elements):
      writeList(of: elements.count)
      for element in elements { try write(element) }
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

  /// Writes an embedded object.
  private func write(_ fields: FieldMap) throws {
    guard case .overflow = fields.storage else {
      write(tag: .object)
      return try write(record: fields)
    }
    write(tag: .overflowObject)
    write(count: fields.count)
    for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
      write(key.rawValue)
      try write(value)
    }
  }

  /// Writes the number of a shape. A shape with an argument may occur only once, so it is written
  /// out, after the number 0.
  private func writeReference(to shape: RecordShape) throws {
    guard !shape.hasArguments else {
      write(zigzag: 0)
      write(shape)
      return
    }
    guard let shapes else { preconditionFailure("A shape without arguments needs a number.") }
    write(zigzag: try shapes.number(of: shape))
  }

  package func write(_ shape: RecordShape) {
    write(count: shape.fields.count)
    for field in shape.fields { write(field.rawValue) }
  }

  private func write(_ value: JSONValue) {
    switch value {
    case .null: write(tag: .null)
    case .bool(let value): write(bool: value)
    case .int(let value): write(int: value)
    case .double(let value): write(double: value)
    case .decimal(let text):
      write(tag: .decimal)
      write(text)
    case .string(let text): write(string: text)
    case .array(let elements):
      writeList(of: elements.count)
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
}

// MARK: - Scalars

extension RowWriter {
  private func write(bool value: Bool) { write(tag: value ? .true : .false) }

  @inline(__always)
  private func write(int value: Int64) {
    write(tag: .int)
    write(zigzag: value)
  }

  private func write(double value: Double) {
    write(tag: .double)
    grow(by: 8).storeBytes(of: value.bitPattern.littleEndian, as: UInt64.self)
  }

  @inline(__always)
  private func write(string value: String) {
    write(tag: .string)
    write(value)
  }
}

// MARK: - Bytes

extension RowWriter {
  /// Makes room for bytes and returns their address.
  @inline(__always)
  private func grow(by byteCount: Int) -> UnsafeMutableRawPointer {
    if byteCount > capacity &- count { enlarge(byteCount) }
    defer { count &+= byteCount }
    return memory + count
  }

  @inline(never)
  private func enlarge(_ byteCount: Int) {
    capacity = max(capacity * 2, count + byteCount)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: memory, byteCount: count)
    memory.deallocate()
    memory = larger
  }

  @inline(__always)
  private func write(byte: UInt8) {
    grow(by: 1).storeBytes(of: byte, as: UInt8.self)
  }

  @inline(__always)
  private func write(tag: RowTag) {
    write(byte: tag.rawValue)
  }

  private func writeList(of count: Int) {
    write(tag: .list)
    write(count: count)
  }

  @inline(__always)
  private func write(count: Int) {
    write(variableLength: UInt64(count))
  }

  @inline(__always)
  private func write(zigzag value: Int64) {
    write(variableLength: UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  @inline(__always)
  private func write(variableLength value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      write(byte: UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    write(byte: UInt8(truncatingIfNeeded: rest))
  }

  @inline(__always)
  private func write(_ bytes: UnsafeRawBufferPointer) {
    write(count: bytes.count)
    guard let start = bytes.baseAddress else { return }
    grow(by: bytes.count).copyMemory(from: start, byteCount: bytes.count)
  }

  private func write(_ key: RecordKey) {
    key.identity.withBytes { write($0) }
  }

  @inline(__always)
  private func write(_ text: String) {
    var text = text
    text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }
}
