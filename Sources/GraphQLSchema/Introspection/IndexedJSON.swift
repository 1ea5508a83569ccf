import GraphQLSyntax

/// A JSON text, checked and indexed, for reading what servers and tools wrote.
///
/// Strict (RFC 8259), without recursion, and without copying: values are positions in the text and
/// strings are decoded when somebody asks for them.
package struct IndexedJSON: Sendable {
  package enum Kind: UInt8, Sendable {
    case null, `true`, `false`, number, string, array, object
  }

  /// One value. The keys of objects are string nodes before their values.
  struct Node: Sendable {
    var kind: Kind
    /// The offset of the value's first byte.
    var start: UInt32
    /// The offset after the value's last byte.
    var end: UInt32
    /// The node after this one and all it contains.
    var next: UInt32
  }

  /// Why a text is not JSON, and at which offset.
  package struct Failure: Error, Hashable, Sendable {
    package var message: String
    package var offset: Int
  }

  let bytes: [UInt8]
  private(set) var nodes: [Node] = []

  /// Reads `bytes`, which may start with a byte order mark.
  ///
  /// - Complexity: O(*n*).
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

/// One value of a ``IndexedJSON``.
package struct JSONValue: Sendable {
  let text: IndexedJSON
  let index: Int

  private var node: IndexedJSON.Node { text.nodes[index] }

  /// What kind of value this is.
  package var kind: IndexedJSON.Kind { node.kind }

  /// The offset of the value's first byte.
  package var offset: Int { Int(node.start) }

  /// The bytes of the value as they are written.
  package var source: ArraySlice<UInt8> { text.bytes[Int(node.start)..<Int(node.end)] }

  /// The string, decoded, if the value is one. Lone surrogates become U+FFFD.
  package var string: String? {
    kind == .string ? JSONString.decode(source.dropFirst().dropLast()) : nil
  }

  /// The items if the value is an array.
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

  /// The members if the value is an object, as they are written. Keys are strings, and may be there more than once.
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

  /// The value of `key` if this is an object that has it. Of repeated keys, the last one counts.
  ///
  /// - Complexity: O(*n*) in the number of keys.
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
    // The pointer is not kept: `withUTF8Buffer` bounds it.
    let isSame = key.withUTF8Buffer { spelled.elementsEqual($0) }
    guard !isSame, spelled.contains(UInt8(ascii: "\\")) else { return isSame }
    return JSONString.decode(spelled) == "\(key)"
  }
}
