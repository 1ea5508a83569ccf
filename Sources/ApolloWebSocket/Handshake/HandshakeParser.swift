internal import ApolloTransport
internal import Foundation

/// Reads the response to an opening handshake, which arrives in pieces of any size.
///
/// | state | bytes | next state | result |
/// | :-- | :-- | :-- | :-- |
/// | `head` | a line | `head` | none |
/// | `head` | the end of a head with status 1xx, not 101 | `head` | none |
/// | `head` | the end of a head with status 101 | `done` | `.switched`; the rest of the bytes are frames |
/// | `head` | the end of another head | `body` | none |
/// | `body` | its end, or the limit | `done` | `.refused` |
struct HandshakeParser {
  enum Result: Hashable, Sendable {
    /// The server has switched to another protocol. The next byte belongs to it.
    case switched(ResponseHead)
    /// The server has not, and says why.
    case refused(ResponseHead, body: [UInt8])
  }

  private enum State {
    case head
    case body(ResponseHead, HandshakeBody)
    case done
  }

  private var state = State.head
  private var lines = ResponseHeadParser(acceptsSwitch: true)
  private var partialLine: [UInt8] = []
  private let bodyLimit: Int

  /// `true` if any byte has arrived.
  private(set) var hasBegun = false

  /// `true` between the head of a response that refuses the handshake and the end of its body.
  var isInBody: Bool { if case .body = state { true } else { false } }

  /// The longest line that is read: a response without line breaks must end as well.
  private static let lineLimit = 64 << 10

  init(bodyLimit: Int) { self.bodyLimit = bodyLimit }

  /// Takes bytes from the front of `input` and returns the result, or `nil` if it needs more.
  mutating func receive(
    _ input: inout UnsafeMutableRawBufferPointer.SubSequence
  ) throws(HeadViolation) -> Result? {
    if !input.isEmpty { hasBegun = true }
    while true {
      switch state {
      case .head:
        guard let line = try line(&input) else { return nil }
        if let result = try take(line) { return result }
      case .body(let head, var body):
        let isComplete = body.receive(&input)
        state = .body(head, body)
        return isComplete ? end(head, body) : nil
      case .done: return nil
      }
    }
  }

  /// Reports that no more bytes will come. Returns what has arrived of a response, unless its head
  /// is incomplete.
  mutating func receivedEnd() -> Result? {
    guard case .body(let head, let body) = state else { return nil }
    return end(head, body)
  }

  private mutating func end(_ head: ResponseHead, _ body: HandshakeBody) -> Result {
    state = .done
    return .refused(head, body: body.bytes)
  }

  /// The next line without its line break, or `nil` if it is incomplete.
  private mutating func line(
    _ input: inout UnsafeMutableRawBufferPointer.SubSequence
  ) throws(HeadViolation) -> [UInt8]? {
    let rest = input.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? input.endIndex
    partialLine.append(contentsOf: input[input.startIndex..<rest])
    input = input[rest...]
    guard partialLine.count <= Self.lineLimit else { throw .tooManyBytes(limit: Self.lineLimit) }
    guard partialLine.last == UInt8(ascii: "\n") else { return nil }
    defer { partialLine = [] }
    return partialLine
  }

  private mutating func take(_ line: [UInt8]) throws(HeadViolation) -> Result? {
    let taken = line.withUnsafeBytes { line in
      Swift.Result { () throws(HeadViolation) in try lines.take(line) }
    }
    guard case .head(let head) = try taken.get() else { return nil }
    if head.statusCode == 101 {
      state = .done
      return .switched(head)
    }
    let framing = try BodyFraming(head, method: "GET")
    let body = HandshakeBody(framing, limit: bodyLimit)
    if body.isComplete { return end(head, body) }
    state = .body(head, body)
    return nil
  }
}
