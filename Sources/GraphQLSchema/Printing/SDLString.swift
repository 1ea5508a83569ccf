/// Strings as SDL and JSON both write them.
enum SDLString {
  /// Appends `text` in double quotes, escaping what either format must have escaped.
  ///
  /// Controls up to U+009F are escaped, as in the reference implementation.
  static func appendQuoted(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output.append(contentsOf: "\\\"".utf8)
      case "\\": output.append(contentsOf: "\\\\".utf8)
      case "\u{8}": output.append(contentsOf: "\\b".utf8)
      case "\t": output.append(contentsOf: "\\t".utf8)
      case "\n": output.append(contentsOf: "\\n".utf8)
      case "\u{C}": output.append(contentsOf: "\\f".utf8)
      case "\r": output.append(contentsOf: "\\r".utf8)
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}": appendEscape(of: scalar, to: &output)
      default: output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  /// Appends `\u00XX`.
  private static func appendEscape(of scalar: Unicode.Scalar, to output: inout [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    output.append(contentsOf: "\\u00".utf8)
    output.append(digits[Int(scalar.value >> 4)])
    output.append(digits[Int(scalar.value & 15)])
  }
}
