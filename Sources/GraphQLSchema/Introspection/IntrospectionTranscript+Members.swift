import GraphQLSyntax

extension IntrospectionTranscript {
  mutating func writeArguments(of owner: IndexedJSON.Value, called kind: String) {
    var (next, closing) = ("(\n", "")
    for argument in list("args", of: owner, called: kind) ?? [] {
      let start = sdl.count
      write(next)
      guard writeInputValue(argument, as: "argument") else {
        rollBack(to: start)
        continue
      }
      (next, closing) = ("\n", ")")
    }
    write(closing)
  }

  mutating func writeInputValue(_ value: IndexedJSON.Value, as kind: String) -> Bool {
    writeDescription(of: value)
    guard writeName(of: value, as: kind) else { return false }
    write(": ")
    guard writeType(of: value) else { return false }
    if let defaultValue = present("defaultValue", of: value) {
      if let text = defaultValue.string, isConstantValue(text) {
        write(" = ")
        recordOrigin(of: defaultValue)
        write("\(text)\n")
      } else {
        report("The default value is not a constant GraphQL value in a string.", at: defaultValue)
      }
    }
    writeDeprecation(of: value)
    return true
  }

  /// Writes `@deprecated`. Some servers give every element a reason, which is empty without a
  /// deprecation.
  mutating func writeDeprecation(of element: IndexedJSON.Value) {
    if element["isDeprecated"]?.kind == .false { return }
    if let reason = element["deprecationReason"]?.string {
      write(" @deprecated(reason: ")
      QuotedString.append(reason, to: &sdl)
      write(")")
    } else if element["isDeprecated"]?.kind == .true {
      write(" @deprecated")
    }
  }

  /// Writes the description of `element`, which is the start of its definition.
  mutating func writeDescription(of element: IndexedJSON.Value) {
    recordOrigin(of: element)
    guard let description = element["description"]?.string else { return }
    QuotedString.append(description, to: &sdl)
    write("\n")
  }

  /// The maximum number of lists and non-null wrappers around a type.
  private static let maximumWrapperCount = 64

  /// Writes the type of a field, argument or input field. Reports an error and returns `false` if
  /// it has no valid type.
  mutating func writeType(of element: IndexedJSON.Value) -> Bool {
    guard var type = present("type", of: element) else {
      report("Introspection result missing type.", at: element)
      return false
    }
    recordOrigin(of: type)
    var suffix: [UInt8] = []
    while let kind = type["kind"]?.string, kind == "LIST" || kind == "NON_NULL" {
      if kind == "LIST" {
        write("[")
        suffix.append(UInt8(ascii: "]"))
      } else if suffix.last == UInt8(ascii: "!") {
        report("A non-null type cannot be non-null again.", at: type)
        return false
      } else {
        suffix.append(UInt8(ascii: "!"))
      }
      guard let inner = present("ofType", of: type), suffix.count < Self.maximumWrapperCount
      else {
        report("Decorated type deeper than introspection query.", at: type)
        return false
      }
      type = inner
    }
    guard writeName(of: type, as: "type") else { return false }
    sdl.append(contentsOf: suffix.reversed())
    return checkScalar(type)
  }

  /// Reports a built-in scalar that is used but missing from the list of types.
  private mutating func checkScalar(_ type: IndexedJSON.Value) -> Bool {
    guard let name = type["name"]?.string, Self.builtInScalars.contains(name),
      !scalars.contains(name)
    else { return true }
    report(
      "Invalid or incomplete schema, unknown type: \(name). "
        + "Ensure that a full introspection query is used in order to build a client schema.",
      at: type)
    return true
  }
}
