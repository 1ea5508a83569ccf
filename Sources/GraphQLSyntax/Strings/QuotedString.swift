/// Decodes and prints strings in single quotation marks: `"a\n"`.
///
/// Printed strings are valid in GraphQL documents and in JSON.
package enum QuotedString {
  /// Returns the value of the raw text between the quotes. The lexer has checked its escapes.
  static func value(ofRaw raw: ArraySlice<UInt8>) -> String {
    var result: [UInt8] = []
    appendValue(ofRaw: raw, to: &result)
    return String(decoding: result, as: UTF8.self)
  }

  /// Appends the value of the raw text between the quotes, in UTF-8.
  static func appendValue(ofRaw raw: ArraySlice<UInt8>, to output: inout [UInt8]) {
    guard raw.contains(UInt8(ascii: "\\")) else { return output.append(contentsOf: raw) }
    let padded = Array(raw) + repeatElement(0, count: Source.padding)
    padded.withUnsafeBufferPointer { bytes in
      let start = bytes.baseAddress.unsafelyUnwrapped
      unescape(Lexer(bytes: start, count: raw.count, base: 0), to: &output)
    }
  }

  private static func unescape(_ lexer: borrowing Lexer, to output: inout [UInt8]) {
    var index = 0
    while index < lexer.count {
      if lexer.bytes[index] == UInt8(ascii: "\\"),
        case .success(let escape) = lexer.escape(at: index)
      {
        output.append(contentsOf: UTF8.encode(escape.scalar) ?? UTF8.encodedReplacementCharacter)
        index += escape.length
      } else {
        output.append(lexer.bytes[index])
        index += 1
      }
    }
  }

  /// Returns `value` as a quoted string, with the escapes of the reference implementation.
  package static func text(of value: String) -> String {
    var output: [UInt8] = []
    append(value, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// Appends `value` as a quoted string, with the escapes of the reference implementation.
  package static func append(_ value: String, to output: inout [UInt8]) {
    var value = value
    value.withUTF8 { append($0, to: &output) }
  }

  /// Appends `value`, in UTF-8, as a quoted string, with the escapes of the reference
  /// implementation.
  package static func append(_ value: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    // The bytes since `start` need no escape and are copied together.
    var start = 0
    var index = 0
    while index < value.count {
      let byte = value[index]
      guard !byte.isPlainInStrings else {
        index += 1
        continue
      }
      // C1 control characters have two bytes, C2 80 to C2 9F.
      let isPair = byte == 0xC2
      guard !isPair || index + 1 < value.count && value[index + 1] < 0xA0 else {
        index += 1
        continue
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: value[start..<index]))
      if isPair {
        appendUnicodeEscape(value[index + 1], to: &output)
      } else {
        append(byte, to: &output)
      }
      index += isPair ? 2 : 1
      start = index
    }
    output.append(contentsOf: UnsafeBufferPointer(rebasing: value[start...]))
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

extension UInt8 {
  /// A Boolean value that indicates whether a string can contain the byte without an escape,
  /// regardless of the bytes around it.
  fileprivate var isPlainInStrings: Bool {
    self >= 0x20 && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\") && self != 0x7F
      && self != 0xC2
  }
}
