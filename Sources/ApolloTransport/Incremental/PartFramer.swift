package import Foundation

/// A state machine that finds the parts of a body in its bytes.
package protocol PartFramer: Sendable {
  /// `true` after the end that the format defines. Further bytes are ignored.
  var hasEnded: Bool { get }

  /// Adds bytes that have arrived.
  mutating func append(_ bytes: Data)

  /// Returns the JSON text of the next part, or `nil` if more bytes are needed or the body has
  /// ended.
  mutating func next() throws(ResponseStreamError) -> Data?

  /// Appends the JSON text of the next part to `bytes`. Returns `false` if more bytes are needed or
  /// the body has ended.
  mutating func appendNext(to bytes: inout [UInt8]) throws(ResponseStreamError) -> Bool

  /// Ends the bytes.
  ///
  /// - Throws: ``ResponseStreamError`` if the end that the format defines has not arrived.
  func finish() throws(ResponseStreamError)
}

extension PartFramer {
  /// Appends the result of ``next()``.
  package mutating func appendNext(
    to bytes: inout [UInt8]
  ) throws(ResponseStreamError) -> Bool {
    guard let part = try next() else { return false }
    part.withUnsafeBytes { bytes.append(contentsOf: $0) }
    return true
  }
}

extension MultipartFramer: PartFramer {}

/// The parts of a response over a WebSocket, whose messages separate them.
struct MessageFramer: PartFramer {
  private var parts: [Data] = []

  /// `false`: another message ends the response.
  var hasEnded: Bool { false }

  mutating func append(_ bytes: Data) { parts.append(bytes) }

  mutating func next() -> Data? { parts.isEmpty ? nil : parts.removeFirst() }

  func finish() {}
}

/// The parts of a response over server-sent events: graphql-sse, distinct connections mode.
///
/// | event | meaning |
/// | :-- | :-- |
/// | `next`, or none | a part |
/// | `complete` | the end |
/// | any other | an error |
package struct GraphQLEventFramer: PartFramer {
  private var framer: EventStreamFramer
  /// `true` after `complete`.
  package private(set) var hasEnded = false

  /// Creates a framer.
  package init(maximumEventByteCount: Int) {
    framer = EventStreamFramer(maximumEventByteCount: maximumEventByteCount)
  }

  package mutating func append(_ bytes: Data) {
    if !hasEnded { framer.append(bytes) }
  }

  package mutating func next() throws(ResponseStreamError) -> Data? {
    if hasEnded { return nil }
    while let event = try framer.next() {
      switch event.name {
      case nil where event.data.isEmpty: continue
      case nil, "next":
        guard !event.data.isEmpty else {
          throw ResponseStreamError(.malformedPart, "an event 'next' has no data")
        }
        return event.data
      case "complete":
        hasEnded = true
        return nil
      case let name?:
        throw ResponseStreamError(
          .malformedFraming,
          "an event has the unknown name '\(HeaderField.printable(name.shortened))'")
      }
    }
    return nil
  }

  package func finish() throws(ResponseStreamError) {
    guard !hasEnded else { return }
    throw ResponseStreamError(.truncated, "the event 'complete' is missing")
  }
}
