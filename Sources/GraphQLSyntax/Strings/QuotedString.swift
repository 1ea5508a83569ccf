/// Decodes and prints strings in single quotation marks: `"a\n"`.
///
/// Printed strings are valid in GraphQL documents and in JSON.
package enum QuotedString {
  /// Returns the value of the raw text between the quotes. The lexer has checked its escapes.
  static func value(ofRaw raw: ArraySlice<UInt8>) -> String {
    guard raw.contains(UInt8(ascii: "\\")) else { return String(decoding: raw, as: UTF8.self) }
    let padded = Array(raw) + repeatElement(0, count: Source.padding)
    return padded.withUnsafeBufferPointer { bytes in
      let start = bytes.baseAddress.unsafelyUnwrapped
      return unescape(Lexer(bytes: start, count: raw.count, base: 0))
    }
  }

  private static func unescape(_ lexer: borrowing Lexer) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(lexer.count)
    var index = 0
    while index < lexer.count {
      if lexer.bytes[index] == UInt8(ascii: "\\"),
        case .success(let escape) = lexer.escape(at: index)
      {
        result.append(contentsOf: UTF8.encode(escape.scalar) ?? UTF8.encodedReplacementCharacter)
        index += escape.length
      } else {
        result.append(lexer.bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns `value` as a quoted string, with the escapes of the reference implementation.
  package static func text(of value: String) -> String {
    var output: [UInt8] = []
    append(value, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// Appends `value` as a quoted string, with the escapes of the reference implementation.
  package static func append(_ value: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    var bytes = value.utf8.makeIterator()
    while let byte = bytes.next() {
      if byte == 0xC2 {
        // C1 control characters have two bytes, C2 80 to C2 9F.
        guard let second = bytes.next() else { break }
        if second < 0xA0 {
          appendUnicodeEscape(second, to: &output)
        } else {
          output += [byte, second]
        }
      } else {
        append(byte, to: &output)
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  private static func append(_ byte: UInt8, to output: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""): output += "\\\"".utf8
    case UInt8(ascii: "\\"): output += "\\\\".utf8
    case 0x08: output += "\\b".utf8
    case 0x09: output += "\\t".utf8
    case 0x0A: output += "\\n".utf8
    case 0x0C: output += "\\f".utf8
    case 0x0D: output += "\\r".utf8
    case 0x00...0x1F, 0x7F: appendUnicodeEscape(byte, to: &output)
    default: output.append(byte)
    }
  }

  private static func appendUnicodeEscape(_ code: UInt8, to output: inout [UInt8]) {
    let digits = String(code, radix: 16, uppercase: true)
    output += "\\u00".utf8
    if digits.utf8.count == 1 { output.append(UInt8(ascii: "0")) }
    output += digits.utf8
  }
}
