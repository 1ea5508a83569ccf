internal import ApolloAPI
internal import ApolloCache
internal import CZlib

/// The stored form of a cell: 8 bytes that differ after each write, the CRC-32 of the key and the
/// rest, the fields, and the writes that they are from, if these are known: one number for all
/// fields, or one for each.
///
/// The checksum is there because others can write under the same keys, and because a damaged value
/// must never be taken for data.
struct CellCoder {
  private let directory: ShapeDirectory

  static let tokenCount = 8
  private static let headerCount = 12

  init(_ directory: ShapeDirectory) { self.directory = directory }

  /// Returns the bytes to store, and adds the shapes that they refer to.
  func encode(
    _ fields: FieldMap, _ writes: CellWrites? = nil, under key: [UInt8], token: [UInt8],
    shapes: inout [Int64: RecordShape]
  ) throws -> [UInt8] {
    let numbers = Numbers(directory)
    let writer = RowWriter(shapes: numbers)
    try writer.write(CacheValue.object(fields))
    if let writes { try writer.write(writes.value) }
    shapes.merge(numbers.used) { known, _ in known }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headerCount + writer.bytes.count)
    bytes += token
    var checksum = Self.checksum(of: writer.bytes, under: key)
    for _ in 0..<4 {
      bytes.append(UInt8(truncatingIfNeeded: checksum))
      checksum >>= 8
    }
    bytes += writer.bytes
    return bytes
  }

  /// The result of reading a cell.
  enum Decoded {
    case cell(StoredCell)
    /// A shape must be loaded first.
    case needsShape(Int64)
  }

  /// Reads the bytes of a cell. Damaged or foreign bytes count as no record, and can be replaced.
  func decode(_ bytes: [UInt8]?, under key: [UInt8]) -> Decoded {
    guard let bytes else { return .cell(.absent) }
    let token = Array(bytes.prefix(Self.tokenCount))
    let unreadable = Decoded.cell(StoredCell(token: token, fields: nil))
    guard bytes.count > Self.headerCount else { return unreadable }
    return bytes.withUnsafeBytes { bytes in
      let body = UnsafeRawBufferPointer(rebasing: bytes[Self.headerCount...])
      let checksum = UInt32(
        littleEndian: bytes.loadUnaligned(fromByteOffset: Self.tokenCount, as: UInt32.self))
      guard checksum == Self.checksum(of: body, under: key) else { return unreadable }
      let numbers = Numbers(directory)
      var reader = RowReader(body, shapes: numbers)
      do {
        guard case .object(let fields) = try reader.value() else { return unreadable }
        guard !reader.isAtEnd else { return .cell(StoredCell(token: token, fields: fields)) }
        guard let writes = CellWrites(try reader.value()), reader.isAtEnd else {
          return unreadable
        }
        return .cell(StoredCell(token: token, fields: fields, writes: writes))
      } catch {
        return numbers.missing.map(Decoded.needsShape) ?? unreadable
      }
    }
  }

  private static func checksum(of body: UnsafeRawBufferPointer, under key: [UInt8]) -> UInt32 {
    let sum = key.withUnsafeBufferPointer { crc32(0, $0.baseAddress, uInt($0.count)) }
    let start = body.baseAddress?.assumingMemoryBound(to: UInt8.self)
    return UInt32(truncatingIfNeeded: crc32(sum, start, uInt(body.count)))
  }

  /// The numbers of shapes during one reading or writing.
  private final class Numbers: RowShapeNumbers {
    private let directory: ShapeDirectory
    private(set) var used: [Int64: RecordShape] = [:]
    private(set) var missing: Int64?

    init(_ directory: ShapeDirectory) { self.directory = directory }

    func shape(numbered number: Int64) throws -> RecordShape {
      if let shape = directory.shape(numbered: number) { return shape }
      missing = number
      throw DamagedRow()
    }

    func number(of shape: RecordShape) throws -> Int64 {
      let number = directory.number(of: shape)
      used[number] = shape
      return number
    }
  }
}
