extension Printer {
  mutating func print(_ schema: SchemaDefinition) {
    print(description: schema.description)
    if schema.isExtension { write("extend ") }
    write("schema")
    print(schema.directives)
    if !schema.rootOperationTypes.isEmpty { write(" ") }
    block(document[schema.rootOperationTypes]) { printer, root in
      printer.write(root.kind.symbol)
      printer.write(": ")
      printer.write(root.type)
    }
  }

  mutating func print(_ type: TypeDefinition) {
    print(description: type.description)
    if type.isExtension { write("extend ") }
    write(type.kind.keyword)
    write(" ")
    write(type.name)
    if !type.interfaces.isEmpty {
      write(" implements ")
      join(document[type.interfaces], " & ") { $0.write($1) }
    }
    print(type.directives)
    if !type.members.isEmpty {
      write(" = ")
      join(document[type.members], " | ") { $0.write($1) }
    }
    printBody(of: type)
  }

  private mutating func printBody(of type: TypeDefinition) {
    guard !type.fields.isEmpty || !type.values.isEmpty || !type.inputFields.isEmpty else { return }
    write(" ")
    block(document[type.fields]) { $0.print($1) }
    block(document[type.values]) { $0.print($1) }
    block(document[type.inputFields]) { $0.print($1) }
  }

  private mutating func print(_ field: FieldDefinition) {
    print(description: field.description)
    write(field.name)
    print(field.arguments)
    write(": ")
    print(field.type)
    print(field.directives)
  }

  private mutating func print(_ value: EnumValueDefinition) {
    print(description: value.description)
    write(value.name)
    print(value.directives)
  }

  private mutating func print(_ value: InputValueDefinition) {
    print(description: value.description)
    write(value.name)
    write(": ")
    print(value.type)
    if let defaultValue = value.defaultValue {
      write(" = ")
      print(defaultValue)
    }
    print(value.directives)
  }

  /// Prints argument definitions in parentheses: on one line, or each on its own line if one spans
  /// several lines.
  private mutating func print(_ arguments: InputValueDefinition.List) {
    let arguments = document[arguments]
    let start = mark
    if !arguments.contains(where: { $0.description != nil }) {
      parenthesized(arguments) { $0.print($1) }
      guard isMultiline(since: start) else { return }
      rollBack(to: start)
    }
    parenthesizedOnLines(arguments) { $0.print($1) }
  }

  mutating func print(_ directive: DirectiveDefinition) {
    print(description: directive.description)
    if directive.isExtension { write("extend ") }
    write("directive @")
    write(directive.name)
    print(directive.arguments)
    print(directive.directives)
    if directive.isExtension { return }
    if directive.isRepeatable { write(" repeatable") }
    write(" on ")
    join(document[directive.locations], " | ") { $0.write($1) }
  }
}
