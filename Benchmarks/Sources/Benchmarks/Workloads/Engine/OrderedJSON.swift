import Foundation

/// A JSON text as a tree whose members keep their order, to write the same data in another form.
///
/// Reads only well-formed text.
indirect enum OrderedJSON {
  typealias Member = (key: [UInt8], value: OrderedJSON)

  case object([Member])
  case array([OrderedJSON])
  /// A string, a number, a Boolean value or `null`, as it was written.
  case leaf([UInt8])

  init(_ bytes: Data) {
    var scanner = OrderedJSONScanner(bytes: [UInt8](bytes))
    self = scanner.value()
  }

  /// This tree with the members of each object changed by `change`, from the inside out.
  func mapObjects(_ change: ([Member]) -> [Member]) -> OrderedJSON {
    switch self {
    case .leaf: self
    case .array(let elements): .array(elements.map { $0.mapObjects(change) })
    case .object(let members):
      .object(change(members.map { ($0.key, $0.value.mapObjects(change)) }))
    }
  }
}

/// The white space of a JSON text.
struct JSONLayout {
  var afterColon = ""
  /// The blanks for each level, when each member and element has a line of its own.
  var indentation: Int?
}

extension OrderedJSON {
  /// The tree as text.
  func bytes(_ layout: JSONLayout = JSONLayout()) -> Data {
    var text: [UInt8] = []
    write(to: &text, layout, level: 0)
    return Data(text)
  }

  private func write(to text: inout [UInt8], _ layout: JSONLayout, level: Int) {
    func breakLine(_ level: Int) {
      guard let indentation = layout.indentation else { return }
      text.append(UInt8(ascii: "\n"))
      text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: level * indentation))
    }
    func writeList<Element>(
      _ elements: [Element], _ ends: (StaticString, StaticString), _ write: (Element) -> Void
    ) {
      text.append(ends.0.utf8Start.pointee)
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        breakLine(level + 1)
        write(element)
      }
      if !elements.isEmpty { breakLine(level) }
      text.append(ends.1.utf8Start.pointee)
    }
    switch self {
    case .leaf(let leaf): text += leaf
    case .array(let elements):
      writeList(elements, ("[", "]")) { $0.write(to: &text, layout, level: level + 1) }
    case .object(let members):
      writeList(members, ("{", "}")) { member in
        text += member.key
        text.append(UInt8(ascii: ":"))
        text += Array(layout.afterColon.utf8)
        member.value.write(to: &text, layout, level: level + 1)
      }
    }
  }
}

/// Reads an ``OrderedJSON``. Keys keep their quotes.
private struct OrderedJSONScanner {
  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func value() -> OrderedJSON {
    skipSpace()
    switch bytes[position] {
    case UInt8(ascii: "{"):
      return .object(list(to: UInt8(ascii: "}")) { ($0.key(), $0.value()) })
    case UInt8(ascii: "["): return .array(list(to: UInt8(ascii: "]")) { $0.value() })
    case UInt8(ascii: "\""): return .leaf(string())
    default:
      let start = position
      while position < bytes.count, !Self.endsLeaf(bytes[position]) { position += 1 }
      return .leaf(Array(bytes[start..<position]))
    }
  }

  private mutating func list<Element>(
    to end: UInt8, _ read: (inout OrderedJSONScanner) -> Element
  ) -> [Element] {
    var elements: [Element] = []
    position += 1
    skipSpace()
    while bytes[position] != end {
      elements.append(read(&self))
      skipSpace()
      if bytes[position] == UInt8(ascii: ",") { position += 1 }
      skipSpace()
    }
    position += 1
    return elements
  }

  private mutating func key() -> [UInt8] {
    skipSpace()
    let key = string()
    skipSpace()
    position += 1
    return key
  }

  private mutating func string() -> [UInt8] {
    let start = position
    position += 1
    while bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position += 1
    return Array(bytes[start..<position])
  }

  private mutating func skipSpace() {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  private static func endsLeaf(_ byte: UInt8) -> Bool {
    isSpace(byte) || [UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}")].contains(byte)
  }
}
