internal import ApolloAPI
internal import ApolloCache
internal import ApolloHashing

/// The shapes that this process knows, by the hash of their fields.
///
/// A shape is stored once under its hash and never changes. A cell contains the hashes only.
final class ShapeDirectory: Sendable {
  private struct State {
    var shapes: [Int64: RecordShape] = [:]
    var numbers: [RecordShape: Int64] = [:]
    /// The shapes that could not be read from the server.
    var damaged: Set<Int64> = []
  }
  private let state = Lock(State())

  func shape(numbered number: Int64) -> RecordShape? { state.withLock { $0.shapes[number] } }

  func number(of shape: RecordShape) -> Int64 {
    if let known = state.withLock({ $0.numbers[shape] }) { return known }
    let number = Self.hash(of: shape)
    state.withLock { state in
      state.numbers[shape] = number
      state.shapes[number] = shape
    }
    return number
  }

  /// Adds a shape that was read. One whose fields do not have this hash is damaged: it is noted, so
  /// that the next write that needs it repairs it.
  ///
  /// - Parameters:
  ///   - bytes: The stored form, or `nil` if the server has none.
  ///   - number: The hash under which it is stored.
  func insert(_ bytes: [UInt8]?, as number: Int64) {
    let shape = (bytes ?? []).withUnsafeBytes { bytes -> RecordShape? in
      var reader = RowReader(bytes, shapes: nil)
      guard let shape = try? reader.shape(), reader.isAtEnd else { return nil }
      return shape
    }
    guard let shape, Self.hash(of: shape) == number else {
      return state.withLock { _ = $0.damaged.insert(number) }
    }
    _ = self.number(of: shape)
  }

  /// Returns whether a shape could not be read from the server.
  func isDamaged(_ number: Int64) -> Bool { state.withLock { $0.damaged.contains(number) } }

  /// Notes that shapes were written to the server.
  func noteWritten(_ numbers: some Sequence<Int64>) {
    state.withLock { $0.damaged.subtract(numbers) }
  }

  /// The stored form of a shape.
  static func bytes(of shape: RecordShape) -> [UInt8] {
    let writer = RowWriter(shapes: nil)
    writer.write(shape)
    return Array(writer.bytes)
  }

  /// The first 62 bits of the SHA-256 of the fields. Not 0, which marks a shape that is written
  /// out.
  private static func hash(of shape: RecordShape) -> Int64 {
    let text = shape.fields.map(\.rawValue).joined(separator: "\u{0}")
    let digits = SHA256.hexadecimalHash(of: text).prefix(16)
    return (Int64(bitPattern: UInt64(digits, radix: 16) ?? 0) >> 2) | 1
  }
}
