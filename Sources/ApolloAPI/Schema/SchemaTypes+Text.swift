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
  /// of a `@fieldPolicy`.
  ///
  /// A single string takes the compiler the least time. A malformed text is a programmer's error
  /// and traps.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text. Happens once for a schema.
  public init(_ text: String) {
    let lines = Substring(text).utf8.split(separator: UInt8(ascii: "\n")).map(TypeLine.init)
    var interfaces: [String: Interface] = [:]
    for line in lines where line.kind == "interface" {
      interfaces[line.name] = Interface(
        name: line.name, keyFields: line.policies.keyFields, fieldPolicies: line.policies.fields,
        implementingObjects: line.others)
    }
    let objects = lines.filter { $0.kind == "type" }.map { line in
      Object(
        typename: line.name,
        implementedInterfaces: line.others.map {
          interfaces[$0] ?? Interface(name: $0, implementingObjects: [])
        },
        keyFields: line.policies.keyFields, fieldPolicies: line.policies.fields)
    }
    let known = Dictionary(
      objects.map { ($0.typename, $0) }, uniquingKeysWith: { first, _ in first })
    let unions = lines.filter { $0.kind == "union" }.map { line in
      Union(
        name: line.name,
        possibleTypes: line.others.map { known[$0] ?? Object(typename: $0) })
    }
    self.init(objects: objects, interfaces: Array(interfaces.values), unions: unions)
  }
}

/// One line of the text.
private struct TypeLine {
  let kind: String
  let name: String
  /// The types after the colon.
  let others: [String]
  private(set) var policies = TypePolicies()

  init(_ line: Substring.UTF8View) {
    let parts = line.split(separator: UInt8(ascii: ";"))
    let head = parts.first?.split(separator: UInt8(ascii: ":"), maxSplits: 1) ?? []
    let words = head.first.map(Self.names) ?? []
    guard words.count == 2, ["type", "interface", "union"].contains(words[0]) else {
      preconditionFailure("No type of a schema: '\(Substring(line))'")
    }
    kind = words[0]
    name = words[1]
    others = head.count == 2 ? Self.names(head[1]) : []
    for part in parts.dropFirst() {
      let names = Self.names(part)
      switch names.first {
      case "key": policies.keyFields = Array(names.dropFirst())
      case "field" where names.count >= 2: policies.fields[names[1]] = Array(names.dropFirst(2))
      default: preconditionFailure("No policy of a type: '\(Substring(part))'")
      }
    }
  }

  /// Returns the words between spaces, commas and parentheses.
  private static func names(_ text: Substring.UTF8View) -> [String] {
    text.split { byte in
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "("), UInt8(ascii: ")"): true
      default: false
      }
    }.map { String(Substring($0)) }
  }
}
