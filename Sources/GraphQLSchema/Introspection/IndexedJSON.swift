import GraphQLSyntax

/// A JSON text, validated and indexed.
///
/// The reader is strict (RFC 8259) and works without recursion. It does not copy the text: a value
/// is a position in it, and a string is decoded on access.
///
/// ```swift
/// let json = try IndexedJSON(Array(#"{"name": "Hero", "fields": [1, 2]}"#.utf8))
/// for (key, value) in json.root.members ?? [] { print(key.string ?? "", value.kind) }
/// ```
package struct IndexedJSON: Sendable {
  package enum Kind: UInt8, Sendable {
    case null, `true`, `false`, number, string, array, object
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
  }

  let bytes: [UInt8]
  private(set) var nodes: [Node] = []

  /// Reads `bytes`, which can start with a byte order mark.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package init(_ bytes: [UInt8]) throws(Failure) {
    self.bytes = bytes
    guard bytes.count < Int(UInt32.max) else {
      throw Failure(message: "The JSON text is larger than 4 GB.", offset: 0)
    }
    if let invalid = bytes.withUnsafeBufferPointer({ $0.firstInvalidUTF8Index() }) {
      throw Failure(
        message: "Invalid UTF-8; save the file with the encoding UTF-8.", offset: invalid)
    }
    var scanner = JSONScanner(bytes)
    nodes = try scanner.scan()
  }

  /// The outermost value.
  package var root: JSONValue { JSONValue(text: self, index: 0) }
}

/// A value of an ``IndexedJSON``.
package struct JSONValue: Sendable {
  let text: IndexedJSON
  let index: Int

  private var node: IndexedJSON.Node { text.nodes[index] }

  /// The kind of value.
  package var kind: IndexedJSON.Kind { node.kind }

  /// The offset of the first byte.
  package var offset: Int { Int(node.start) }

  /// The bytes of the value, as written.
  package var source: ArraySlice<UInt8> { text.bytes[Int(node.start)..<Int(node.end)] }

  /// The decoded string, or `nil` for other kinds. Lone surrogates are decoded as U+FFFD.
  package var string: String? {
    kind == .string ? JSONString.decode(source.dropFirst().dropLast()) : nil
  }

  /// The items of an array, or `nil` for other kinds.
  package var items: [JSONValue]? {
    guard kind == .array else { return nil }
    var items: [JSONValue] = []
    var position = index + 1
    while position < Int(node.next) {
      items.append(JSONValue(text: text, index: position))
      position = Int(text.nodes[position].next)
    }
    return items
  }

  /// The members of an object in the order of the text, or `nil` for other kinds. Keys can repeat.
  package var members: [(key: JSONValue, value: JSONValue)]? {
    guard kind == .object else { return nil }
    var members: [(key: JSONValue, value: JSONValue)] = []
    var position = index + 1
    while position < Int(node.next) {
      let value = JSONValue(text: text, index: position + 1)
      members.append((JSONValue(text: text, index: position), value))
      position = Int(value.node.next)
    }
    return members
  }

  /// Returns the value of `key`, or `nil` if this is not an object or lacks the key. If the key
  /// repeats, the last value is returned.
  ///
  /// - Complexity: O(*n*), where *n* is the number of keys.
  subscript(key: StaticString) -> JSONValue? {
    guard kind == .object else { return nil }
    var found: JSONValue?
    var position = index + 1
    while position < Int(node.next) {
      let value = position + 1
      if isKey(at: position, key) { found = JSONValue(text: text, index: value) }
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
