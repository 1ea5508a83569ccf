/// Encodes strings as JSON.
///
/// This is the only place in the compiler that escapes text for JSON.
package enum JSONLiteral {
  /// Returns `text` as a JSON string, including the quotation marks.
  package static func string(_ text: String) -> String {
    var result = ""
    append(text, to: &result)
    return result
  }

  /// Appends `text` as a JSON string. Most texts contain nothing to escape and are appended whole.
  static func append(_ text: String, to output: inout String) {
    output += "\""
    if text.utf8.contains(where: \.mayNeedEscape) {
      appendEscaped(text, to: &output)
    } else {
      output += text
    }
    output += "\""
  }

  private static func appendEscaped(_ text: String, to output: inout String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      case "\0"..."\u{1F}", "\u{7F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: output.unicodeScalars.append(scalar)
      }
    }
  }
}

extension UInt8 {
  /// A Boolean value that indicates whether a character that is escaped can begin with this byte.
  fileprivate var mayNeedEscape: Bool {
    self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") || self == 0x7F
      || self == 0xE2
  }
}
