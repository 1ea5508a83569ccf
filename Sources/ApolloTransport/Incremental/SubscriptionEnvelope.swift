internal import ApolloAPI
import Foundation

/// The object around an event of a subscription over multipart HTTP (`subscriptionSpec=1.0`).
///
/// | part | meaning |
/// | :-- | :-- |
/// | `{}`, `{"payload": null}`, `{"errors": []}` | a heartbeat |
/// | `{"payload": {…}}` | an event, perhaps with GraphQL errors in it |
/// | `{"payload": …, "errors": […]}` | an event, if there is one; then the end with these errors |
/// | `{"data": …}` | an event of a server that has no envelope |
struct SubscriptionEnvelope {
  /// The response, or `nil` for a heartbeat.
  var payload: Data?
  /// The end of the subscription.
  var failure: ResponseStreamError?

  /// Reads a part.
  static func read(_ part: Data) throws(ResponseStreamError) -> SubscriptionEnvelope {
    let bytes = Array(part)
    let members = try bytes.withUnsafeBufferPointer { bytes throws(ResponseStreamError) in
      try read(bytes)
    }
    var envelope = SubscriptionEnvelope()
    if members.hasData { envelope.payload = part }
    if let payload = members.payload, bytes[payload.lowerBound] != UInt8(ascii: "n") {
      guard bytes[payload.lowerBound] == UInt8(ascii: "{") else {
        throw ResponseStreamError(.malformedPart, "its 'payload' is not an object")
      }
      envelope.payload = part.subdata(
        in: part.startIndex + payload.lowerBound..<part.startIndex + payload.upperBound)
    }
    if !members.hasData, members.hasErrors {
      envelope.failure = ResponseStreamError(
        .endedByServer, "it gave no reason",
        graphQLErrors: ResponseDecoder().errors(in: part) ?? [])
    }
    return envelope
  }

  private struct Members {
    var payload: Range<Int>?
    /// `true` if there are errors: neither null nor an empty list.
    var hasErrors = false
    var hasData = false
  }

  private static func read(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(ResponseStreamError) -> Members {
    var members = Members()
    var scanner = JSONScanner(bytes, 0..<bytes.count)
    scanner.skipByteOrderMark()
    try scanner.readMembers { key, scanner throws(ResponseStreamError) in
      let kind = scanner.kind
      let value = try scanner.skipValue()
      let name = UnsafeBufferPointer(rebasing: bytes[key])
      if name.elementsEqual("\"payload\"".utf8) { members.payload = value }
      if name.elementsEqual("\"errors\"".utf8) {
        members.hasErrors =
          kind == .list
          ? !bytes[value].dropFirst().dropLast().allSatisfy(\.isWhitespace) : kind != .null
      }
      if name.elementsEqual("\"data\"".utf8) { members.hasData = true }
    }
    scanner.skipWhitespace()
    guard scanner.position == scanner.end else {
      throw ResponseStreamError(.malformedPart, "something follows its JSON object")
    }
    return members
  }
}
