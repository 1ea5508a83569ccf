/// Validates a JSON text and lists its values in the order of their first bytes.
///
/// Open arrays and objects are kept on a stack, so nesting is limited only by memory.
struct JSONIndexer {
  private let bytes: [UInt8]
  private let allowsTrailingCommas: Bool
  private var position = 0
  private var nodes: [IndexedJSON.Node] = []
  /// The indices of the open arrays and objects.
  private var open: [Int] = []

  init(_ bytes: [UInt8], allowsTrailingCommas: Bool) {
    self.bytes = bytes
    self.allowsTrailingCommas = allowsTrailingCommas
  }

  /// Returns all values of the text. An array or object precedes its contents.
  mutating func scan() throws(IndexedJSON.Failure) -> [IndexedJSON.Node] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    nodes.reserveCapacity(bytes.count / 12)
    try value()
    while let container = open.last {
      try continuation(of: container)
    }
    skipSpace()
    guard position == bytes.count else { throw failure("Nothing may follow the value") }
    return nodes
  }
}

// MARK: - Structure

extension JSONIndexer {
  /// Reads the next part of an open array or object: its end, or another value.
  private mutating func continuation(of container: Int) throws(IndexedJSON.Failure) {
    let isObject = nodes[container].kind == .object
    let isEmpty = container == nodes.count - 1
    skipSpace()
    if isAtEnd(of: container) { return end(container) }
    if !isEmpty {
      guard peek() == UInt8(ascii: ",") else {
        throw failure(isObject ? "Expected ',' or '}'" : "Expected ',' or ']'")
      }
      position += 1
      skipSpace()
      if allowsTrailingCommas, isAtEnd(of: container) { return end(container) }
    }
    if isObject { try key() }
    try value()
  }

  /// Returns whether the next byte closes an open array or object.
  private func isAtEnd(of container: Int) -> Bool {
    peek() == (nodes[container].kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]"))
  }

  private mutating func end(_ container: Int) {
    position += 1
    open.removeLast()
    close(container)
  }

  private mutating func key() throws(IndexedJSON.Failure) {
    guard peek() == UInt8(ascii: "\"") else { throw failure("Expected a key in double quotes") }
    let key = begin(.string)
    try string()
    close(key)
    skipSpace()
    guard peek() == UInt8(ascii: ":") else { throw failure("Expected ':'") }
    position += 1
  }

  /// Reads a value, or the opening bracket of an array or object.
  private mutating func value() throws(IndexedJSON.Failure) {
    skipSpace()
    switch peek() {
    case UInt8(ascii: "{"):
      open.append(begin(.object))
      position += 1
    case UInt8(ascii: "["):
      open.append(begin(.array))
      position += 1
    case UInt8(ascii: "\""):
      let node = begin(.string)
      try string()
      close(node)
    case UInt8(ascii: "t"): try literal("true", .true)
    case UInt8(ascii: "f"): try literal("false", .false)
    case UInt8(ascii: "n"): try literal("null", .null)
    case nil: throw failure("Unexpected end of the text")
    default:
      let node = begin(.number)
      try number()
      close(node)
    }
  }

  private mutating func begin(_ kind: IndexedJSON.Kind) -> Int {
    let start = UInt32(truncatingIfNeeded: position)
    nodes.append(IndexedJSON.Node(kind: kind, start: start, end: start, next: 0))
    return nodes.count - 1
  }

  private mutating func close(_ node: Int) {
    nodes[node].end = UInt32(truncatingIfNeeded: position)
    nodes[node].next = UInt32(truncatingIfNeeded: nodes.count)
  }
}

// MARK: - Leaves

extension JSONIndexer {
  private mutating func literal(
    _ spelling: StaticString, _ kind: IndexedJSON.Kind
  ) throws(IndexedJSON.Failure) {
    let node = begin(kind)
    // The pointer is safe: it is used only inside the closure of `withUTF8Buffer`.
    let matches = spelling.withUTF8Buffer { bytes[position...].starts(with: $0) }
    guard matches else { throw failure("Expected '\(spelling)'") }
    position += spelling.utf8CodeUnitCount
    close(node)
  }

  /// Skips a string, including its quotes.
  private mutating func string() throws(IndexedJSON.Failure) {
    position += 1
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return
      case UInt8(ascii: "\\"): try escape()
      case 0..<0x20: throw failure("A control character in a string must be escaped")
      default: position += 1
      }
    }
    throw failure("The string does not end")
  }

  private mutating func escape() throws(IndexedJSON.Failure) {
    position += 1
    switch peek() {
    case UInt8(ascii: "u"):
      let digits = bytes[position...].dropFirst().prefix(4)
      guard digits.count == 4, digits.allSatisfy({ $0.hexDigitValue != nil }) else {
        throw failure("'\\u' takes four hexadecimal digits")
      }
      position += 5
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    default: throw failure("Unknown escape")
    }
  }

  private mutating func number() throws(IndexedJSON.Failure) {
    if peek() == UInt8(ascii: "-") { position += 1 }
    if peek() == UInt8(ascii: "0") {
      position += 1
    } else {
      try digits()
    }
    if peek() == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
      position += 1
      if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
  }

  private mutating func digits() throws(IndexedJSON.Failure) {
    let start = position
    while let byte = peek(), byte.isDigit {
      position += 1
    }
    guard position > start else { throw failure("Expected a value") }
  }

  private mutating func skipSpace() {
    while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private func peek() -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private func failure(_ message: String) -> IndexedJSON.Failure {
    IndexedJSON.Failure(message: "Invalid JSON. \(message).", offset: min(position, bytes.count))
  }
}
