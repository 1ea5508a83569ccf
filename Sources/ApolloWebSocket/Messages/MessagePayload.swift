import ApolloAPI
import Foundation

/// The text of a message's payload: a JSON object or list that was checked but not decoded.
///
/// A slice of the message's bytes, so that passing it on copies nothing.
struct MessagePayload: Hashable, Sendable {
  let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// The payload with a given text, for tests and for replies.
  init(_ text: String) { bytes = Array(text.utf8)[...] }
}

extension MessagePayload: CustomStringConvertible {
  var description: String { String(decoding: bytes, as: UTF8.self) }
}

// MARK: - Parts

extension MessagePayload {
  /// `true` if the payload is a part of a response and says that more parts follow.
  var announcesMoreParts: Bool {
    // Most payloads end here, without being read as JSON.
    guard bytes.mayHaveNext else { return false }
    var hasNext = false
    // A payload was checked to be JSON when its message was read.
    try? JSONMember.forEach(in: bytes) { member in
      if member.key == "hasNext" { hasNext = member.value == .leaf(.bool(true)) }
    }
    return hasNext
  }
}

// MARK: - Errors

extension MessagePayload {
  /// The errors in the payload of an `error` or `connection_error` message.
  ///
  /// The payload is a list of errors in `graphql-transport-ws`, and one error in `graphql-ws`.
  /// Servers of both protocols also send `{"errors": …}`, or a text. Each entry becomes an error,
  /// whatever its form, as in a response. The message of one without a message is its text.
  var errors: [GraphQLError] {
    // A payload was checked to be JSON when its message was read.
    guard let value = try? JSONValue(jsonBytes: bytes) else { return [] }
    var entries = value
    if let errors = value["errors"], !errors.isNull, errors != [] || value["message"] == nil {
      entries = errors
    }
    return zip(entries.arrayValue ?? [entries], GraphQLError.list(entries)).map { entry, error in
      guard let members = entry.objectValue, members["message"]?.isNull != false else {
        return error
      }
      return GraphQLError(
        message: entry.description, locations: error.locations, path: error.path,
        extensions: error.extensions)
    }
  }
}

extension ArraySlice<UInt8> {
  /// `true` if the key `"hasNext"` occurs anywhere in a JSON text. Searches for its rarest byte.
  fileprivate var mayHaveNext: Bool {
    withUnsafeBytes { bytes in
      var rest = bytes[...]
      while let start = rest.isEmpty ? nil : UnsafeRawBufferPointer(rebasing: rest).baseAddress,
        let found = memchr(start, Int32(UInt8(ascii: "N")), rest.count)
      {
        let index = rest.startIndex + (UnsafeRawPointer(found) - start)
        if bytes[..<index].suffix(4).elementsEqual(#""has"#.utf8),
          bytes[index...].prefix(5).elementsEqual(#"Next""#.utf8)
        {
          return true
        }
        rest = bytes[(index + 1)...]
      }
      return false
    }
  }
}
