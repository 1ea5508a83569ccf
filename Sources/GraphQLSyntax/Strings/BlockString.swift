/// Strings in triple quotation marks.
///
/// Spec: 2.9.4, "String Value", "Block Strings".
enum BlockString {
  /// What the text between the quotes means: `BlockStringValue(rawValue)`.
  static func value(ofRaw raw: ArraySlice<UInt8>) -> String {
    let lines = dedent(lines(of: unescape(raw)))
    return String(decoding: Array(lines.joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
  }

  /// The lines without the indentation that all but the first have in common, and without the blank
  /// ones at both ends.
  static func dedent(_ lines: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
    guard let first = lines.firstIndex(where: { !$0.isBlank }),
      let last = lines.lastIndex(where: { !$0.isBlank })
    else { return [] }
    let indent = lines.dropFirst().filter { !$0.isBlank }.map(\.indentation).min() ?? 0
    return lines[first...last].enumerated().map { offset, line in
      first + offset == 0 ? line : line.dropFirst(indent)
    }
  }

  /// `raw` with `"""` for `\"""`.
  private static func unescape(_ raw: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard raw.contains(UInt8(ascii: "\\")) else { return raw }
    let escape = Array("\\\"\"\"".utf8)
    var result: ArraySlice<UInt8> = []
    var rest = raw
    while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
      result += rest[..<backslash]
      rest = rest[backslash...]
      if !rest.starts(with: escape) { result.append(UInt8(ascii: "\\")) }
      rest = rest.dropFirst()
      if rest.starts(with: escape.dropFirst()) && result.last != UInt8(ascii: "\\") {
        result += rest.prefix(3)
        rest = rest.dropFirst(3)
      }
    }
    return result + rest
  }

  /// Splits at line feeds, carriage returns, and both together.
  private static func lines(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var rest = text
    while let end = rest.firstIndex(where: \.isLineTerminator) {
      lines.append(rest[..<end])
      let isPair = rest[end...].starts(with: [UInt8(ascii: "\r"), UInt8(ascii: "\n")])
      rest = rest[(isPair ? end + 2 : end + 1)...]
    }
    lines.append(rest)
    return lines
  }
}

extension UInt8 {
  /// WhiteSpace of the specification: horizontal tab or space.
  fileprivate var isWhiteSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension ArraySlice<UInt8> {
  /// How much white space it starts with.
  fileprivate var indentation: Int { prefix(while: \.isWhiteSpace).count }

  fileprivate var isBlank: Bool { allSatisfy(\.isWhiteSpace) }
}
