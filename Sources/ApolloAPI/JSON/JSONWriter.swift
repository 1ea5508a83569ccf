/// A writer of compact JSON in UTF-8. The same value always gives the same bytes.
package struct JSONWriter {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []

  package init(reservingCapacity capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
  }

  /// Appends JSON text, such as `{`, `,` or `null`.
  package mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  package mutating func write(_ value: Bool) {
    raw(value ? "true" : "false")
  }

  package mutating func write(_ value: Int64) {
    bytes.append(contentsOf: value.description.utf8)
  }

  /// Writes the shortest text with a fraction or an exponent that reads back as the same number:
  /// `150.0` for 150, so that it reads back as a `Double` and not as an integer.
  ///
  /// JSON has neither infinities nor NaN: they are written as `null`.
  package mutating func write(_ value: Double) {
    guard value.isFinite else { return raw("null") }
    bytes.append(contentsOf: value.description.utf8)
  }

  /// Writes a quoted string with the escapes that RFC 8259, section 7, requires.
  package mutating func write(_ value: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = value
    text.withUTF8 { utf8 in
      var rest = utf8[...]
      while let index = rest.firstIndex(where: Self.needsEscape) {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: rest[..<index]))
        escape(rest[index])
        rest = rest[(index + 1)...]
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: rest))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): raw("\\\"")
    case UInt8(ascii: "\\"): raw("\\\\")
    case 0x08: raw("\\b")
    case 0x09: raw("\\t")
    case 0x0A: raw("\\n")
    case 0x0C: raw("\\f")
    case 0x0D: raw("\\r")
    default:
      raw("\\u00")
      bytes.append(hexDigit(byte >> 4))
      bytes.append(hexDigit(byte & 0xF))
    }
  }

  private func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  package mutating func write(_ value: JSONValue) {
    switch value {
    case .null: raw("null")
    case .bool(let value): write(value)
    case .int(let value): write(value)
    case .double(let value): write(value)
    case .decimal(let text): bytes.append(contentsOf: text.utf8)
    case .string(let value): write(value)
    case .array(let elements): writeArray(elements) { $0.write($1) }
    case .object(let members):
      writeObject(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }
  }

  /// Writes `[`, the elements with commas between them, and `]`.
  package mutating func writeArray<Elements: Sequence>(
    _ elements: Elements, _ writeElement: (inout JSONWriter, Elements.Element) -> Void
  ) {
    raw("[")
    var isFirst = true
    for element in elements {
      if !isFirst { raw(",") }
      isFirst = false
      writeElement(&self, element)
    }
    raw("]")
  }

  /// Writes an object with its members in the given order.
  package mutating func writeObject(_ members: [(String, JSONValue)]) {
    raw("{")
    var isFirst = true
    for (key, value) in members {
      if !isFirst { raw(",") }
      isFirst = false
      write(key)
      raw(":")
      write(value)
    }
    raw("}")
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON text.
  public var description: String {
    var writer = JSONWriter()
    writer.write(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
