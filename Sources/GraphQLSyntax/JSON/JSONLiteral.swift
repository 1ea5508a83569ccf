/// Encodes strings as JSON.
///
/// The escapes are those of ``QuotedString``, which GraphQL and JSON share, and those of two line
/// separators.
package enum JSONLiteral {
  /// Returns `text` as a JSON string, including the quotation marks.
  package static func string(_ text: String) -> String {
    var result = ""
    append(text, to: &result)
    return result
  }

  /// Appends `text` as a JSON string. Most texts contain nothing to escape and are appended whole.
  static func append(_ text: String, to output: inout String) {
    guard text.utf8.contains(where: \.mayNeedEscape) else {
      output += "\"\(text)\""
      return
    }
    var literal: [UInt8] = []
    QuotedString.append(text, to: &literal)
    for scalar in String(decoding: literal, as: UTF8.self).unicodeScalars {
      switch scalar {
      // JSON allows these line separators in strings, but JavaScript has not always done so.
      case "\u{2028}": output += "\\u2028"
      case "\u{2029}": output += "\\u2029"
      default: output.unicodeScalars.append(scalar)
      }
    }
  }
}

extension UInt8 {
  /// A Boolean value that indicates whether a character that is escaped can begin with this byte.
  fileprivate var mayNeedEscape: Bool {
    self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") || self == 0x7F
      || self == 0xC2 || self == 0xE2
  }
}
