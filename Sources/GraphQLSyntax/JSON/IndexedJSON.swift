/// A JSON text, validated and indexed: the only reader of JSON in the compiler.
///
/// The reader works without recursion. It does not copy the text: a value is a position in it, and
/// a string is decoded on access.
///
/// ```swift
/// let json = try IndexedJSON(Array(#"{"name": "Hero", "fields": [1, 2]}"#.utf8))
/// for (key, value) in json.root.members ?? [] { print(key.string ?? "", value.kind) }
/// ```
package struct IndexedJSON: Sendable {
  package enum Kind: UInt8, Sendable {
    case null, `true`, `false`, number, string, array, object
  }

  /// The texts that a reader accepts.
  package enum Style: Sendable {
    /// Exactly those of RFC 8259.
    case strict
    /// Those that people write: trailing commas are accepted, since Foundation accepts them and
    /// existing files have them. A key must not occur twice, and values must not be nested deeper
    /// than in any valid input.
    case written
  }

  /// A value. In an object, each key is a string node in front of its value.
  struct Node: Sendable {
    var kind: Kind
    /// The offset of the first byte.
    var start: UInt32
    /// The offset after the last byte.
    var end: UInt32
    /// The index of the first node after this value and everything inside it.
    var next: UInt32
  }

  /// A syntax error, with its offset.
  package struct Failure: Error, Hashable, Sendable {
    package var message: String
    package var offset: Int

    /// Returns the position of the mistake in `bytes`. Lines and columns count from 1, columns in
    /// Unicode code points.
    package func position(in bytes: [UInt8]) -> (line: Int, column: Int) {
      let before = bytes[..<min(offset, bytes.count)]
      let lineStart = before.lastIndex(of: 0xA).map { $0 + 1 } ?? 0
      let column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
      return (before.count { $0 == 0xA } + 1, column)
    }
  }

  /// The greatest depth of a text of the style ``Style/written``.
  private static let maximumDepth = 64

  let bytes: [UInt8]
  private(set) var nodes: [Node] = []

  /// Reads `bytes`, which can start with a byte order mark.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package init(_ bytes: [UInt8], style: Style = .strict) throws(Failure) {
    self.bytes = bytes
    guard bytes.count < Int(UInt32.max) else {
      throw Failure(message: "The JSON text is larger than 4 GB.", offset: 0)
    }
    if let invalid = bytes.withUnsafeBufferPointer({ $0.firstInvalidUTF8Index() }) {
      throw Failure(
        message: "Invalid UTF-8; save the file with the encoding UTF-8.", offset: invalid)
    }
    var indexer = JSONIndexer(bytes, allowsTrailingCommas: style == .written)
    nodes = try indexer.scan()
    if style == .written { try checkKeysAndDepth() }
  }

  /// The outermost value.
  package var root: Value { Value(text: self, index: 0) }
}

// MARK: - Written texts

extension IndexedJSON {
  /// An array or object around a node, while nodes are visited in order.
  private struct Container {
    /// The index of the first node after it.
    var end: UInt32
    /// The keys so far, or `nil` for an array.
    var keys: Set<String>?
    var expectsKey: Bool
  }

  /// Reports the first repeated key, or the first value that is nested too deeply.
  private func checkKeysAndDepth() throws(Failure) {
    var open: [Container] = []
    for (index, node) in nodes.enumerated() {
      while let last = open.last, last.end <= index { open.removeLast() }
      if open.last?.expectsKey ?? false {
        let key = Value(text: self, index: index)
        open[open.count - 1].expectsKey = false
        guard open[open.count - 1].keys?.insert(key.string ?? "").inserted ?? true else {
          throw Failure(
            message: "The key '\(key.string ?? "")' is there twice. Remove one.",
            offset: key.offset)
        }
        continue
      }
      guard open.count < Self.maximumDepth else {
        throw Failure(message: "The JSON is nested too deeply.", offset: Int(node.start))
      }
      if let last = open.indices.last { open[last].expectsKey = open[last].keys != nil }
      switch node.kind {
      case .object: open.append(Container(end: node.next, keys: [], expectsKey: true))
      case .array: open.append(Container(end: node.next, keys: nil, expectsKey: false))
      case .null, .true, .false, .number, .string: break
      }
    }
  }
}

extension IndexedJSON {
  /// A value of the text.
  package struct Value: Sendable {
    let text: IndexedJSON
    let index: Int

    private var node: Node { text.nodes[index] }

    /// The kind of value.
    package var kind: Kind { node.kind }

    /// The offset of the first byte.
    package var offset: Int { Int(node.start) }

    /// The bytes of the value, as written.
    package var source: ArraySlice<UInt8> { text.bytes[Int(node.start)..<Int(node.end)] }

    /// The decoded string, or `nil` for other kinds. Lone surrogates are decoded as U+FFFD.
    package var string: String? {
      kind == .string ? JSONString.decode(source.dropFirst().dropLast()) : nil
    }

    /// The value of `true` or `false`, or `nil` for other kinds.
    package var bool: Bool? {
      switch kind {
      case .true: true
      case .false: false
      case .null, .number, .string, .array, .object: nil
      }
    }

    /// The nearest value of a number, or `nil` for other kinds.
    package var number: Double? {
      kind == .number ? Double(String(decoding: source, as: UTF8.self)) : nil
    }

    /// The kind of value as in messages, such as `a string`.
    package var kindName: String {
      switch kind {
      case .null: "null"
      case .true, .false: "a boolean"
      case .number: "a number"
      case .string: "a string"
      case .array: "an array"
      case .object: "an object"
      }
    }

    /// The items of an array, or `nil` for other kinds.
    package var items: [Value]? {
      guard kind == .array else { return nil }
      var items: [Value] = []
      var position = index + 1
      while position < Int(node.next) {
        items.append(Value(text: text, index: position))
        position = Int(text.nodes[position].next)
      }
      return items
    }

    /// The members of an object in the order of the text, or `nil` for other kinds. Keys can
    /// repeat.
    package var members: [(key: Value, value: Value)]? {
      guard kind == .object else { return nil }
      var members: [(key: Value, value: Value)] = []
      var position = index + 1
      while position < Int(node.next) {
        let value = Value(text: text, index: position + 1)
        members.append((Value(text: text, index: position), value))
        position = Int(value.node.next)
      }
      return members
    }

    /// Returns the value of `key`, or `nil` if this is not an object or lacks the key. If the key
    /// repeats, the last value is returned.
    ///
    /// - Complexity: O(*n*), where *n* is the number of keys.
    package subscript(key: StaticString) -> Value? {
      guard kind == .object else { return nil }
      var found: Value?
      var position = index + 1
      while position < Int(node.next) {
        let value = position + 1
        if isKey(at: position, key) { found = Value(text: text, index: value) }
        position = Int(text.nodes[value].next)
      }
      return found
    }

    private func isKey(at position: Int, _ key: StaticString) -> Bool {
      let node = text.nodes[position]
      let spelled = text.bytes[Int(node.start) + 1..<Int(node.end) - 1]
      // The pointer is safe: it is used only inside the closure of `withUTF8Buffer`.
      let isSame = key.withUTF8Buffer { spelled.elementsEqual($0) }
      guard !isSame, spelled.contains(UInt8(ascii: "\\")) else { return isSame }
      return JSONString.decode(spelled) == "\(key)"
    }
  }
}
