/// Decodes the contents of JSON strings.
enum JSONString {
  /// Returns the value of the validated text between two quotes. Lone surrogates become U+FFFD.
  static func decode(_ contents: ArraySlice<UInt8>) -> String {
    guard contents.contains(UInt8(ascii: "\\")) else {
      return String(decoding: contents, as: UTF8.self)
    }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(contents.count)
    var rest = contents
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\") {
        decoded.append(contentsOf: String(unescape(&rest)).utf8)
      } else {
        decoded.append(byte)
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Decodes the part of an escape sequence after the backslash.
  private static func unescape(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar {
    switch rest.popFirst() {
    case UInt8(ascii: "b"): "\u{8}"
    case UInt8(ascii: "f"): "\u{C}"
    case UInt8(ascii: "n"): "\n"
    case UInt8(ascii: "r"): "\r"
    case UInt8(ascii: "t"): "\t"
    case UInt8(ascii: "u"): unicodeScalar(&rest)
    case let byte?: Unicode.Scalar(byte)
    case nil: "\u{FFFD}"
    }
  }

  /// Decodes the digits of a code unit, and of a second one if the first is a leading surrogate.
  private static func unicodeScalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar {
    let unit = codeUnit(rest.prefix(4))
    rest = rest.dropFirst(4)
    guard (0xD800..<0xDC00).contains(unit), rest.starts(with: Array("\\u".utf8)) else {
      return Unicode.Scalar(unit) ?? "\u{FFFD}"
    }
    let low = codeUnit(rest.dropFirst(2).prefix(4))
    guard (0xDC00..<0xE000).contains(low) else { return "\u{FFFD}" }
    rest = rest.dropFirst(6)
    return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
  }

  private static func codeUnit(_ digits: ArraySlice<UInt8>) -> UInt32 {
    digits.reduce(0) { $0 << 4 | ($1.hexDigitValue ?? 0) }
  }
}
