internal import ApolloTransport

/// The beginning of the body of a response that refuses a handshake. It serves diagnosis, so chunks
/// that are malformed end it.
struct HandshakeBody: Hashable, Sendable {
  private enum State: Hashable {
    /// A number of bytes of the body.
    case bytes(left: Int)
    /// The line with the size of a chunk: its digits so far, and whether they have ended.
    case size(Int, isInExtension: Bool)
    /// A chunk, followed by a line break.
    case chunk(left: Int)
    case chunkEnd
    case complete
  }

  private(set) var bytes: [UInt8] = []
  private let limit: Int
  private var state: State

  init(_ framing: BodyFraming, limit: Int) {
    self.limit = limit
    state =
      switch framing {
      case .none: .complete
      case .length(let count): .bytes(left: count)
      case .stream(let count): .bytes(left: count ?? .max)
      case .untilClose: .bytes(left: .max)
      case .chunked: .size(0, isInExtension: false)
      }
    if case .bytes(left: 0) = state { state = .complete }
  }

  var isComplete: Bool { state == .complete || bytes.count >= limit }

  /// Takes bytes from the front of `input`. Returns `true` at the end of the body, or at the limit.
  mutating func receive(_ input: inout UnsafeMutableRawBufferPointer.SubSequence) -> Bool {
    while !isComplete, !input.isEmpty {
      switch state {
      case .bytes(let left):
        let count = take(left, &input)
        state = count == left ? .complete : .bytes(left: left - count)
      case .chunk(let left):
        let count = take(left, &input)
        state = count == left ? .chunkEnd : .chunk(left: left - count)
      case .chunkEnd:
        if input.removeFirst() == UInt8(ascii: "\n") { state = .size(0, isInExtension: false) }
      case .size(let size, let isInExtension):
        state = Self.state(after: input.removeFirst(), size, isInExtension)
      case .complete: break
      }
    }
    return isComplete
  }

  private mutating func take(
    _ count: Int, _ input: inout UnsafeMutableRawBufferPointer.SubSequence
  ) -> Int {
    let part = input.prefix(min(count, limit - bytes.count))
    bytes.append(contentsOf: part)
    input = input.dropFirst(part.count)
    return part.count
  }

  private static func state(after byte: UInt8, _ size: Int, _ isInExtension: Bool) -> State {
    switch byte {
    case UInt8(ascii: "\n"): return size == 0 ? .complete : .chunk(left: size)
    case UInt8(ascii: "\r"): return .size(size, isInExtension: true)
    case UInt8(ascii: ";"), UInt8(ascii: " "): return .size(size, isInExtension: true)
    case _ where isInExtension: return .size(size, isInExtension: true)
    default:
      // A size that the next digit could overflow ends the body.
      guard let digit = Character(UnicodeScalar(byte)).hexDigitValue, size <= (Int.max - 15) / 16
      else { return .complete }
      return .size(size * 16 + digit, isInExtension: false)
    }
  }
}
