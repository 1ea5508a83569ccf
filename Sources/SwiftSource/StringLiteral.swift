/// Swift string literals that evaluate to exactly a given text, and that no character can end
/// early.
package enum StringLiteral {
  /// Returns `"…"`, with an escape for every character that is not printable.
  package static func escaped(_ text: String) -> String {
    let needsNoEscape = text.utf8.allSatisfy {
      $0.isPrintable && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    guard !needsNoEscape else { return "\"\(text)\"" }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\0": result += "\\0"
      case _ where scalar.isHarmless: result.unicodeScalars.append(scalar)
      default: result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return result + "\""
  }

  /// Returns `#"…"#` with one `#` more than any run of `#` that would end the literal or start an
  /// escape.
  ///
  /// Returns ``escaped(_:)`` if the text has characters that a raw literal cannot show safely.
  package static func raw(_ text: String) -> String {
    let isPrintable = text.utf8.allSatisfy(\.isPrintable)
    guard isPrintable || text.unicodeScalars.allSatisfy(\.isHarmless) else { return escaped(text) }
    let delimiter = String(repeating: "#", count: longestDelimiterRun(text) + 1)
    return "\(delimiter)\"\(text)\"\(delimiter)"
  }

  /// Returns the length of the longest run of `#` after a quotation mark or a backslash, or 0 if
  /// there is none.
  private static func longestDelimiterRun(_ text: String) -> Int {
    guard text.utf8.contains(UInt8(ascii: "#")) else { return 0 }
    var longest = 0
    var run: Int?
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): run = 0
      case UInt8(ascii: "#"):
        guard let count = run else { continue }
        run = count + 1
        longest = max(longest, count + 1)
      default: run = nil
      }
    }
    return longest
  }
}

extension UInt8 {
  /// `true` for a printable ASCII character. Most text consists of them, and no decoding is
  /// necessary.
  var isPrintable: Bool { (0x20...0x7E).contains(self) }
}

extension Unicode.Scalar {
  /// `true` if the scalar can be written in source text and is visible: no control characters, no
  /// line or paragraph separators, nothing that reorders or hides text.
  var isHarmless: Bool {
    switch value {
    case 0x20...0x7E: true
    case 0...0xA0, 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x2028...0x202E: false
    case 0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF, 0xFFF0...0xFFFB: false
    case 0xE0000...0xE0FFF: false
    default: true
    }
  }
}
