package import protocol Foundation.ContiguousBytes

/// A member of a JSON object. Objects and lists within it stay text.
///
/// For envelopes around a value that is decoded later, in another place: the value is checked and
/// skipped, and its bytes can be passed on as a slice.
///
/// ```swift
/// try JSONMember.forEach(in: bytes) { member in
///   if member.key == "payload", case .object(let range) = member.value { payload = bytes[range] }
/// }
/// ```
package struct JSONMember: Hashable, Sendable {
  /// The value of a member.
  package enum Value: Hashable, Sendable {
    /// A string, a number, a Boolean or `null`.
    case leaf(JSONValue)
    /// The offsets of an object's text.
    case object(Range<Int>)
    /// The offsets of a list's text.
    case list(Range<Int>)
  }

  package let key: String
  package let value: Value

  /// Calls `body` with each member of the object that `bytes` are, in order.
  ///
  /// The whole text is checked: it is strict JSON (RFC 8259) if this method does not throw. Members
  /// before a mistake are passed to `body` nevertheless.
  ///
  /// - Throws: A ``ResponseError`` if the bytes are not JSON, or not an object.
  /// - Complexity: O(*n*) in the bytes.
  package static func forEach(
    in bytes: some ContiguousBytes, limits: ResponseLimits = ResponseLimits(),
    _ body: (JSONMember) -> Void
  ) throws(ResponseError) {
    try bytes.withUnsafeBytes { read($0, limits: limits, body) }.get()
  }

  private static func read(
    _ bytes: UnsafeRawBufferPointer, limits: ResponseLimits, _ body: (JSONMember) -> Void
  ) -> Result<Void, ResponseError> {
    do throws(ReadFailure) {
      return try JSONReader.withReader(over: bytes, limits: limits) { json throws(ReadFailure) in
        json.skipWhitespace()
        guard json.next == UInt8(ascii: "{") else {
          try json.skipValue()
          throw json.failure(.notAResponse("it is not an object"))
        }
        try json.readMembers(body)
        try json.expectEnd()
        return .success(())
      }
    } catch {
      return .failure(error.error)
    }
  }
}

extension JSONReader {
  fileprivate mutating func readMembers(_ body: (JSONMember) -> Void) throws(ReadFailure) {
    try open()
    if next == UInt8(ascii: "}") { return close() }
    repeat {
      let key = try readKey()
      body(JSONMember(key: key, value: try readMemberValue()))
    } while try continues(until: UInt8(ascii: "}"))
  }

  private mutating func readMemberValue() throws(ReadFailure) -> JSONMember.Value {
    let first = next
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      return .leaf(try readValue())
    }
    let start = offset
    try skipValue()
    return first == UInt8(ascii: "{") ? .object(start..<offset) : .list(start..<offset)
  }
}
