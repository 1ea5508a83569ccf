extension SchemaTypes {
  /// Creates types from the text in generated code, with one type in each line:
  ///
  /// ```
  /// type Dog: Animal, Pet; key id; field owner(id, name)
  /// interface Animal: Cat, Dog; key id
  /// union ClassroomPet: Bird, Cat
  /// ```
  ///
  /// The colon is followed by the interfaces of an object type, or by the object types of an
  /// interface or a union. `key` lists the fields of `@typePolicy`, and each `field` the arguments
  /// of a `@fieldPolicy`. A list has a line of its own, such as `list orders(connection)`,
  /// `list products(offset skip limit)` or `list users(page number size)`, and `filter
  /// products(category)` lists the arguments that select another list. The root type of queries has
  /// a `lookup node(id ID!) Node id` for each field that finds objects: its name, its argument, the
  /// types of both, and the field of the objects that has the value of the argument. It is marked
  /// as `root` if its name is not `Query`.
  ///
  /// A single string takes the compiler the least time. A malformed text is a programmer's error
  /// and traps.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text. Happens once for a schema.
  public init(_ text: String) {
    var text = text
    let lines = text.withUTF8 { TypeLine.lines(of: $0) }
    var interfaces: [Interface] = []
    /// The index of each interface, and then of each object type.
    var indices: [String: Int] = [:]
    indices.reserveCapacity(lines.count)
    for line in lines where line.kind == "interface" {
      indices[line.name] = interfaces.count
      interfaces.append(
        Interface(
          name: line.name, implementingObjects: line.others, policies: line.policies))
    }
    let objects = lines.filter { $0.kind == "type" }.map { line in
      Object(
        typename: line.name,
        implementedInterfaces: line.others.map { name in
          indices[name].map { interfaces[$0] } ?? Interface(name: name, implementingObjects: [])
        },
        policies: line.policies)
    }
    indices.removeAll(keepingCapacity: true)
    for (index, object) in objects.enumerated() { indices[object.typename] = index }
    let unions = lines.filter { $0.kind == "union" }.map { line in
      Union(
        name: line.name,
        possibleTypes: line.others.map { name in
          indices[name].map { objects[$0] } ?? Object(typename: name)
        })
    }
    self.init(objects: objects, interfaces: interfaces, unions: unions)
  }
}

/// One line of the text.
private struct TypeLine {
  let kind: String
  let name: String
  /// The types after the colon.
  let others: [String]
  private(set) var policies = TypePolicies()

  /// Returns the lines of a text, without empty ones.
  static func lines(of text: UnsafeBufferPointer<UInt8>) -> [TypeLine] {
    var lines: [TypeLine] = []
    var words = Words(text: text)
    while let line = words.nextLine() { lines.append(TypeLine(line, &words)) }
    return lines
  }

  private init(_ line: Range<Int>, _ words: inout Words) {
    let kind = words.next()
    let name = words.next()
    guard let kind, let name, ["type", "interface", "union"].contains(kind) else {
      preconditionFailure("No type of a schema: '\(words.string(in: line))'")
    }
    self.kind = kind
    self.name = name
    others = words.consume(UInt8(ascii: ":")) ? words.nextList() : []
    while words.consume(UInt8(ascii: ";")) {
      let names = words.nextList()
      switch names.first {
      case "key": policies.keyFields = Array(names.dropFirst())
      case "field" where names.count >= 2: policies.fields[names[1]] = Array(names.dropFirst(2))
      case "list" where names.count >= 2:
        policies.lists[names[1]] = ListPolicy(Array(names.dropFirst(2)))
      case "filter" where names.count >= 2:
        policies.lists[names[1]]?.keyArguments = Array(names.dropFirst(2))
      case "lookup" where names.count == 6:
        policies.lookups.append(
          ObjectLookup(
            field: names[1], argument: names[2], argumentType: names[3], type: names[4],
            keyField: names[5]))
      case "root" where names.count == 1: policies.isQueryRoot = true
      default: preconditionFailure("No policy of a type: '\(words.string(in: line))'")
      }
    }
    guard words.isAtEndOfLine else {
      preconditionFailure("No type of a schema: '\(words.string(in: line))'")
    }
  }
}

/// The words of a text, line by line: what is between spaces, commas, parentheses, colons and
/// semicolons.
private struct Words {
  let text: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var endOfLine = 0

  init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

  var isAtEndOfLine: Bool { position == endOfLine }

  /// Goes to the next line that is not empty, and returns its range, or `nil` at the end.
  mutating func nextLine() -> Range<Int>? {
    position = endOfLine
    while position < text.count, text[position] == UInt8(ascii: "\n") { position += 1 }
    guard position < text.count else { return nil }
    endOfLine = position
    while endOfLine < text.count, text[endOfLine] != UInt8(ascii: "\n") { endOfLine += 1 }
    return position..<endOfLine
  }

  /// Returns the next word, or `nil` before a colon, a semicolon or the end of the line.
  mutating func next() -> String? {
    while position < endOfLine, isSeparator(text[position]) { position += 1 }
    let start = position
    while position < endOfLine, !isSeparator(text[position]), !isPunctuator(text[position]) {
      position += 1
    }
    return start == position ? nil : string(in: start..<position)
  }

  /// Returns the words up to a colon, a semicolon or the end of the line.
  mutating func nextList() -> [String] {
    var words: [String] = []
    while let word = next() { words.append(word) }
    return words
  }

  /// Consumes a byte if it comes next, after separators.
  mutating func consume(_ byte: UInt8) -> Bool {
    while position < endOfLine, isSeparator(text[position]) { position += 1 }
    guard position < endOfLine, text[position] == byte else { return false }
    position += 1
    return true
  }

  func string(in range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: text[range]), as: UTF8.self)
  }

  private func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "(")
      || byte == UInt8(ascii: ")")
  }

  private func isPunctuator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ":") || byte == UInt8(ascii: ";")
  }
}
