public import protocol Foundation.ContiguousBytes

extension JSONValue {
  /// Creates a value from JSON text (RFC 8259) in UTF-8. Of equal keys, the last one counts.
  ///
  /// ```swift
  /// let value = try JSONValue(jsonBytes: Data(#"{"stars": 5}"#.utf8))
  /// ```
  ///
  /// - Throws: A ``ResponseError`` with the offset in bytes.
  /// - Complexity: O(*n*) in the bytes.
  public init(
    jsonBytes bytes: some ContiguousBytes, limits: ResponseLimits = ResponseLimits()
  ) throws(ResponseError) {
    let result = bytes.withUnsafeBytes { Self.read($0, limits: limits) }
    self = try result.get()
  }

  /// Creates a value from the body of a response, which may begin with a byte order mark.
  ///
  /// - Throws: A ``ResponseError`` with the offset in bytes.
  package init(
    responseBytes bytes: some ContiguousBytes, limits: ResponseLimits = ResponseLimits()
  ) throws(ResponseError) {
    let result = bytes.withUnsafeBytes {
      Self.read($0, limits: limits, mayHaveByteOrderMark: true)
    }
    self = try result.get()
  }

  private static func read(
    _ bytes: UnsafeRawBufferPointer, limits: ResponseLimits, mayHaveByteOrderMark: Bool = false
  ) -> Result<JSONValue, ResponseError> {
    do throws(ReadFailure) {
      return try JSONReader.withReader(over: bytes, limits: limits) { json throws(ReadFailure) in
        if mayHaveByteOrderMark { json.skipByteOrderMark() }
        json.skipWhitespace()
        let value = try json.readValue()
        try json.expectEnd()
        return .success(value)
      }
    } catch {
      return .failure(error.error)
    }
  }
}
