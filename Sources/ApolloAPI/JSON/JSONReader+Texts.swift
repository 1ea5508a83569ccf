// The values of fields whose Swift type is `String`.

extension JSONReader {
  /// Reads an ID: a string, or an integer, as its text.
  @inline(__always)
  mutating func readID() throws(ReadFailure) -> String {
    next == UInt8(ascii: "\"") ? try readString() : try readNumericID()
  }

  @inline(never)
  private mutating func readNumericID() throws(ReadFailure) -> String {
    guard next == UInt8(ascii: "-") || next.isASCIIDigit else { throw wrongType(expected: "an ID") }
    let start = self
    let number = try readNumber()
    guard number.isInteger else { throw start.wrongType(expected: "an ID") }
    return number.string
  }

  /// Reads the value of a custom scalar that is an alias of `String`: a string, or the text of a
  /// number or a Boolean.
  @inline(never)
  mutating func readText() throws(ReadFailure) -> String {
    if next == UInt8(ascii: "\"") { return try readString() }
    if next == UInt8(ascii: "-") || next.isASCIIDigit { return try readNumber().string }
    guard let value = consumeBool() else { throw wrongType(expected: "a string") }
    return value ? "true" : "false"
  }
}
