import GraphQLSyntax

/// The layout of JSON that a server has sent: names, numbers and texts stay as they were written.
enum JSONLayout {
  /// Returns a value on one line, or with each member and element on a line of its own.
  static func text(of value: IndexedJSON.Value, isCompact: Bool) -> String {
    var bytes: [UInt8] = []
    var depth = 0
    var isInString = false
    var isEscaped = false
    var isEmpty = false

    func newLine() {
      guard !isCompact else { return }
      bytes.append(UInt8(ascii: "\n"))
      bytes += repeatElement(UInt8(ascii: " "), count: 2 * depth)
    }

    for byte in value.source {
      if isInString {
        bytes.append(byte)
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): continue
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if !isEmpty { newLine() }
        isEmpty = false
        bytes.append(byte)
        continue
      default: break
      }
      if isEmpty {
        isEmpty = false
        newLine()
      }
      bytes.append(byte)
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        isEmpty = true
      case UInt8(ascii: ","): newLine()
      case UInt8(ascii: ":") where !isCompact: bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "\""): isInString = true
      default: break
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
