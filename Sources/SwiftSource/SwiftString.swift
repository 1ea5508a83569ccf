/// Swift string literals that evaluate to exactly a given text, and that no character can end
/// early.
package enum SwiftString {
  /// Returns `"…"`, with an escape for every character that is not printable.
  package static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    appendEscaped(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns `#"…"#` with one `#` more than any run of `#` that would end the literal or start an
  /// escape.
  ///
  /// Returns ``escaped(_:)`` if the text has characters that a raw literal cannot show safely.
  package static func raw(_ text: String) -> String {
    var bytes: [UInt8] = []
    appendRaw(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the literal that ``escaped(_:)`` returns.
  static func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(quote)
    defer { bytes.append(quote) }
    let needsNoEscape = text.utf8.allSatisfy { $0.isPrintable && $0 != quote && $0 != backslash }
    guard !needsNoEscape else { return bytes.append(contentsOf: text.utf8) }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": bytes.append(contentsOf: "\\\"".utf8)
      case "\\": bytes.append(contentsOf: "\\\\".utf8)
      case "\n": bytes.append(contentsOf: "\\n".utf8)
      case "\r": bytes.append(contentsOf: "\\r".utf8)
      case "\t": bytes.append(contentsOf: "\\t".utf8)
      case "\0": bytes.append(contentsOf: "\\0".utf8)
      case _ where scalar.isHarmless: bytes.append(contentsOf: String(scalar).utf8)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        bytes.append(contentsOf: "\\u{\(digits)}".utf8)
      }
    }
  }

  /// Appends the literal that ``raw(_:)`` returns.
  static func appendRaw(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    let isPrintable = text.withUTF8 { $0.isPrintable() }
    guard isPrintable || text.unicodeScalars.allSatisfy(\.isHarmless) else {
      return appendEscaped(text, to: &bytes)
    }
    let delimiter = repeatElement(hash, count: text.withUTF8(longestDelimiterRun) + 1)
    bytes.append(contentsOf: delimiter)
    bytes.append(quote)
    bytes.append(contentsOf: text.utf8)
    bytes.append(quote)
    bytes.append(contentsOf: delimiter)
  }

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
  private static let hash = UInt8(ascii: "#")

  /// Returns the length of the longest run of `#` after a quotation mark or a backslash, or 0 if
  /// there is none.
  private static func longestDelimiterRun(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    guard text.contains(hash) else { return 0 }
    var longest = 0
    var run: Int?
    for byte in text {
      switch byte {
      case quote, backslash: run = 0
      case hash:
        guard let count = run else { continue }
        run = count + 1
        longest = max(longest, count + 1)
      default: run = nil
      }
    }
    return longest
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns `true` if all bytes are printable ASCII characters, or `other`.
  ///
  /// Without an early exit, the compiler compares many bytes at a time.
  func isPrintable(besides other: UInt8 = UInt8(ascii: " ")) -> Bool {
    var others = 0 as UInt8
    for byte in self { others |= byte.isPrintable || byte == other ? 0 : 1 }
    return others == 0
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
