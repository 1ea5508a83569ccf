internal import ApolloAPI
internal import ApolloCache
internal import CZlib

/// The message that a write sends to the other processes: the new state of a partition, and the
/// keys and fields that changed.
///
/// The bytes are `<partition>|<state>|<CRC-32><writer><changes>`, where the state is the text of a
/// ``Meta``. The script adds the state, so the writer makes the parts around it.
struct ChangeMessage {
  let partition: Int
  let meta: Meta
  /// The cache that has written, and the token of the write.
  let writer: [UInt8]
  let changes: ChangeSet

  static let writerCount = cacheCount + CellCoder.tokenCount
  /// The number of bytes of the writer that name the cache.
  static let cacheCount = 8

  /// The largest number of changed records that is listed. More count as everything.
  private static let mostEntries = 2_048

  /// The token of the write.
  var token: [UInt8] { Array(writer.dropFirst(Self.cacheCount)) }

  /// Returns whether a cache has sent the message.
  func isFrom(_ cache: [UInt8]) -> Bool {
    writer.prefix(Self.cacheCount) == cache.prefix(Self.cacheCount)
  }

  static func prefix(_ partition: Int) -> [UInt8] { Array("\(partition)|".utf8) }

  static func suffix(_ changes: ChangeSet, from writer: [UInt8], _ partition: Int) -> [UInt8] {
    let row = RowWriter(shapes: nil)
    // Values without objects have no shapes, so this does not throw.
    try? row.write(value(of: changes))
    let body = writer + Array(row.bytes)
    var bytes: [UInt8] = [UInt8(ascii: "|")]
    var checksum = Self.checksum(of: body, partition)
    for _ in 0..<4 {
      bytes.append(UInt8(truncatingIfNeeded: checksum))
      checksum >>= 8
    }
    return bytes + body
  }

  /// Reads a message. `nil` if it is damaged or foreign.
  init?(_ bytes: [UInt8]) {
    let bar = UInt8(ascii: "|")
    let parts = bytes.split(separator: bar, maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, let partition = Int(String(decoding: parts[0], as: UTF8.self)),
      partition >= 0
    else { return nil }
    let meta = Meta(Array(parts[1] + [bar] + parts[2]))
    let rest = parts[3]
    guard meta != .empty, rest.count > 4 + Self.writerCount else { return nil }
    let expected = rest.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let body = Array(rest.dropFirst(4))
    guard Self.checksum(of: body, partition) == expected,
      let changes = Self.changes(in: Array(body[Self.writerCount...]))
    else { return nil }
    self.partition = partition
    self.meta = meta
    writer = Array(body.prefix(Self.writerCount))
    self.changes = changes
  }

  private static func checksum(of body: [UInt8], _ partition: Int) -> UInt32 {
    UInt32(
      truncatingIfNeeded: body.withUnsafeBufferPointer {
        crc32(UInt(partition), $0.baseAddress, uInt($0.count))
      })
  }

  private static func value(of changes: ChangeSet) -> CacheValue {
    guard !changes.includesEverything, changes.entries.count <= mostEntries else { return .null }
    return .list(
      changes.entries.map { entry in
        let fields: CacheValue =
          entry.fields.isAll ? .null : .list(entry.fields.listed.map { .string($0.rawValue) })
        return .list([.reference(entry.record), fields])
      })
  }

  private static func changes(in bytes: [UInt8]) -> ChangeSet? {
    let value = bytes.withUnsafeBytes { bytes -> CacheValue? in
      var reader = RowReader(bytes, shapes: nil)
      guard let value = try? reader.value(), reader.isAtEnd else { return nil }
      return value
    }
    switch value {
    case .null: return .everything
    case .list(let entries):
      var changes = ChangeSet()
      for entry in entries {
        guard case .list(let pair) = entry, pair.count == 2, case .reference(let key) = pair[0]
        else { return nil }
        switch pair[1] {
        case .null: changes.insert(key)
        case .list(let fields):
          let names = fields.compactMap { field -> FieldKey? in
            if case .string(let name) = field { FieldKey(name) } else { nil }
          }
          guard names.count == fields.count else { return nil }
          changes.insert(.listed(names), of: key)
        default: return nil
        }
      }
      return changes
    default: return nil
    }
  }
}
