import GraphQLSyntax

extension IntrospectionTranscript {
  mutating func transcribe(type: IndexedJSON.Value) {
    let name = type["name"]?.string ?? ""
    guard !Self.builtInScalars.contains(name), !Self.introspectionTypes.contains(name) else {
      return
    }
    switch type["kind"]?.string {
    case "SCALAR": transcribe(type, "scalar") { $0.writeSpecification(of: type) }
    case "OBJECT":
      transcribe(type, "type") {
        $0.writeInterfaces(of: type, areRequired: true)
        $0.writeFields(of: type)
      }
    case "INTERFACE":
      transcribe(type, "interface") {
        $0.writeInterfaces(of: type, areRequired: false)
        $0.writeFields(of: type)
      }
    case "UNION": transcribe(type, "union") { $0.writeMembers(of: type) }
    case "ENUM": transcribe(type, "enum") { $0.writeEnumValues(of: type) }
    case "INPUT_OBJECT":
      transcribe(type, "input") {
        if type["isOneOf"]?.kind == .true { $0.write(" @oneOf") }
        $0.writeInputFields(of: type)
      }
    default:
      report("The type \"\(name)\" has no \"kind\" that GraphQL knows.", at: type["kind"] ?? type)
    }
  }

  private static let introspectionTypes: Set<String> = [
    "__Schema", "__Type", "__TypeKind", "__Field", "__InputValue", "__EnumValue", "__Directive",
    "__DirectiveLocation",
  ]

  /// Writes a type definition, or nothing if the name of the type is invalid.
  mutating func transcribe(
    _ type: IndexedJSON.Value, _ keyword: String, body: (inout Self) -> Void
  ) {
    let start = sdl.count
    writeDescription(of: type)
    write("\(keyword) ")
    guard writeName(of: type, as: keyword) else {
      rollBack(to: start)
      return
    }
    body(&self)
    write("\n")
  }

  private mutating func writeSpecification(of type: IndexedJSON.Value) {
    let address = present("specifiedByURL", of: type) ?? present("specifiedByUrl", of: type)
    guard let url = address?.string else { return }
    write(" @specifiedBy(url: ")
    QuotedString.append(url, to: &sdl)
    write(")")
  }

  private mutating func writeInterfaces(of type: IndexedJSON.Value, areRequired: Bool) {
    guard areRequired || present("interfaces", of: type) != nil else { return }
    writeNames(list("interfaces", of: type) ?? [], before: " implements ", between: " & ")
  }

  private mutating func writeMembers(of type: IndexedJSON.Value) {
    writeNames(list("possibleTypes", of: type) ?? [], before: " = ", between: " | ")
  }

  /// Writes the names of `types`, or nothing if there are none.
  private mutating func writeNames(
    _ types: [IndexedJSON.Value], before prefix: String, between separator: String
  ) {
    var next = prefix
    for type in types {
      let start = sdl.count
      write(next)
      if writeName(of: type, as: "type") { next = separator } else { rollBack(to: start) }
    }
  }

  private mutating func writeFields(of type: IndexedJSON.Value) {
    writeBlock(list("fields", of: type) ?? []) { transcript, field in
      transcript.writeDescription(of: field)
      guard transcript.writeName(of: field, as: "field") else { return false }
      transcript.writeArguments(of: field, called: "field")
      transcript.write(": ")
      guard transcript.writeType(of: field) else { return false }
      transcript.writeDeprecation(of: field)
      return true
    }
  }

  private mutating func writeEnumValues(of type: IndexedJSON.Value) {
    writeBlock(list("enumValues", of: type) ?? []) { transcript, value in
      transcript.writeDescription(of: value)
      guard transcript.writeName(of: value, as: "enum value") else { return false }
      transcript.writeDeprecation(of: value)
      return true
    }
  }

  private mutating func writeInputFields(of type: IndexedJSON.Value) {
    writeBlock(list("inputFields", of: type) ?? []) { $0.writeInputValue($1, as: "input field") }
  }

  /// Writes the valid items in braces, or nothing if there are none.
  private mutating func writeBlock(
    _ items: [IndexedJSON.Value], item writeItem: (inout Self, IndexedJSON.Value) -> Bool
  ) {
    var (opening, closing) = (" {\n", "")
    for item in items {
      let start = sdl.count
      write(opening)
      guard writeItem(&self, item) else {
        rollBack(to: start)
        continue
      }
      write("\n")
      (opening, closing) = ("", "}")
    }
    write(closing)
  }
}
