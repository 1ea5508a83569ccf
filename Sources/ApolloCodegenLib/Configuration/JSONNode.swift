/// JSON as it was written, with the order of members kept.
enum JSONNode: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONNode])
  case object([Member])

  struct Member: Hashable, Sendable {
    var key: String
    var value: JSONNode
  }

  /// Such as `a string`, for messages.
  var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// A strict JSON reader (RFC 8259) for small files: positions in errors, no duplicate keys, limited
/// nesting.
struct JSONReader {
  struct SyntaxError: Error {
    var line: Int
    var column: Int
    var message: String
  }

  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0
  private static let maximumDepth = 64

  /// - Throws: ``SyntaxError`` with the place of the first mistake.
  static func read(_ text: String) throws(SyntaxError) -> JSONNode {
    var reader = JSONReader(bytes: Array(text.utf8))
    let node = try reader.value()
    reader.skipSpace()
    guard reader.position == reader.bytes.count else {
      throw reader.error("Unexpected text after the end of the JSON value.")
    }
    return node
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  private mutating func value() throws(SyntaxError) -> JSONNode {
    skipSpace()
    guard let byte = peek else { throw error("Expected a JSON value, found the end of the file.") }
    switch byte {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw error("Expected a JSON value, found '\(Character(Unicode.Scalar(byte)))'.")
    }
  }

  private mutating func object() throws(SyntaxError) -> JSONNode {
    try enter()
    var members: [JSONNode.Member] = []
    var keys: Set<String> = []
    skipSpace()
    while peek != UInt8(ascii: "}") {
      if !members.isEmpty { try expect(",") }
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw error("Expected a key in double quotes.") }
      let start = position
      let key = try string()
      guard keys.insert(key).inserted else {
        position = start
        throw error("The key '\(key)' is there twice. Remove one.")
      }
      skipSpace()
      try expect(":")
      members.append(.init(key: key, value: try value()))
      skipSpace()
    }
    leave()
    return .object(members)
  }

  private mutating func array() throws(SyntaxError) -> JSONNode {
    try enter()
    var items: [JSONNode] = []
    skipSpace()
    while peek != UInt8(ascii: "]") {
      if !items.isEmpty { try expect(",") }
      items.append(try value())
      skipSpace()
    }
    leave()
    return .array(items)
  }

  private mutating func enter() throws(SyntaxError) {
    depth += 1
    guard depth <= Self.maximumDepth else { throw error("The JSON is nested too deeply.") }
    position += 1
  }

  private mutating func leave() {
    depth -= 1
    position += 1
  }

  private mutating func string() throws(SyntaxError) -> String {
    position += 1
    var utf8: [UInt8] = []
    while let byte = peek {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: utf8, as: UTF8.self)
      case UInt8(ascii: "\\"): utf8.append(contentsOf: try escape().utf8)
      case 0..<0x20: throw error("A string cannot hold a line break or a control character.")
      default: utf8.append(byte)
      }
    }
    throw error("This string does not end.")
  }

  private mutating func escape() throws(SyntaxError) -> String {
    guard let byte = peek else { throw error("This string does not end.") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return String(Character(try unicodeEscape()))
    default: throw error("Unknown escape in a string.")
    }
  }

  private mutating func unicodeEscape() throws(SyntaxError) -> Unicode.Scalar {
    let first = try fourDigits()
    guard (0xD800..<0xDC00).contains(first), position + 1 < bytes.count,
      bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
    else {
      guard let scalar = Unicode.Scalar(first) else { throw error("Half of a surrogate pair.") }
      return scalar
    }
    position += 2
    let second = try fourDigits()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw error("Half of a surrogate pair.") }
    return scalar
  }

  private mutating func fourDigits() throws(SyntaxError) -> UInt32 {
    guard position + 4 <= bytes.count,
      let value = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    else { throw error("Expected four hexadecimal digits.") }
    position += 4
    return value
  }

  private mutating func number() throws(SyntaxError) -> JSONNode {
    let start = position
    while let byte = peek,
      byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
        || byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard Double(text) != nil else { throw error("'\(text)' is not a number.") }
    return .number(text)
  }

  private mutating func word(_ text: String, _ node: JSONNode) throws(SyntaxError) -> JSONNode {
    guard bytes[position...].starts(with: text.utf8) else { throw error("Expected '\(text)'.") }
    position += text.utf8.count
    return node
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(SyntaxError) {
    skipSpace()
    guard let byte = peek else {
      throw error("Expected '\(character)', found the end of the file.")
    }
    guard byte == UInt8(ascii: character) else {
      throw error("Expected '\(character)', found '\(Character(Unicode.Scalar(byte)))'.")
    }
    position += 1
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || (0x9...0xA).contains(byte) || byte == 0xD {
      position += 1
    }
  }

  private func error(_ message: String) -> SyntaxError {
    let before = bytes[..<min(position, bytes.count)]
    let line = before.count { $0 == 0xA } + 1
    let lineStart = before.lastIndex(of: 0xA).map { $0 + 1 } ?? 0
    let column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
    return SyntaxError(line: line, column: column, message: message)
  }
}
