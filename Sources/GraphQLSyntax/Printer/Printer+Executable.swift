extension Printer {
  mutating func print(_ definition: Definition) {
    switch definition {
    case .operation(let id): print(document[id])
    case .fragment(let id): print(document[id])
    case .schema(let id): print(document[id])
    case .type(let id): print(document[id])
    case .directive(let id): print(document[id])
    }
  }

  private mutating func print(_ operation: OperationDefinition) {
    let isShort =
      operation.kind == .query && operation.description == nil && operation.name == nil
      && operation.variables.isEmpty && operation.directives.isEmpty
    if !isShort {
      print(description: operation.description)
      write(operation.kind.symbol)
      if operation.name != nil || !operation.variables.isEmpty { write(" ") }
      if let name = operation.name { write(name) }
      let variables = document[operation.variables].map { variable in
        captured { $0.print(variable) }
      }
      parenthesized(
        variables, onLines: variables.contains { $0.contains(UInt8(ascii: "\n")) }, indents: false)
      print(operation.directives)
      write(" ")
    }
    print(operation.selectionSet)
  }

  private mutating func print(_ variable: VariableDefinition) {
    print(description: variable.description)
    write("$")
    write(variable.name)
    write(": ")
    print(variable.type)
    if let value = variable.defaultValue {
      write(" = ")
      print(value)
    }
    print(variable.directives)
  }

  private mutating func print(_ fragment: FragmentDefinition) {
    print(description: fragment.description)
    write("fragment ")
    write(fragment.name)
    write(" on ")
    write(fragment.typeCondition)
    print(fragment.directives)
    write(" ")
    print(fragment.selectionSet)
  }

  mutating func print(_ selectionSet: SelectionSet) {
    block(document[selectionSet.selections]) { printer, selection in
      switch selection {
      case .field(let id): printer.print(printer.document[id])
      case .fragmentSpread(let id): printer.print(printer.document[id])
      case .inlineFragment(let id): printer.print(printer.document[id])
      }
    }
  }

  private mutating func print(_ field: Field) {
    let prefix = captured { printer in
      if let alias = field.alias {
        printer.write(alias)
        printer.write(": ")
      }
      printer.write(field.name)
    }
    write(prefix)
    let arguments = printed(field.arguments)
    let length = prefix.count + arguments.reduce(0) { $0 + $1.lineLength + 2 }
    parenthesized(arguments, onLines: length > Self.maximalLineLength)
    print(field.directives)
    if let selectionSet = field.selectionSet {
      write(" ")
      print(selectionSet)
    }
  }

  private mutating func print(_ spread: FragmentSpread) {
    write("...")
    write(spread.name)
    print(spread.directives)
  }

  private mutating func print(_ fragment: InlineFragment) {
    write("...")
    if let type = fragment.typeCondition {
      write(" on ")
      write(type)
    }
    print(fragment.directives)
    write(" ")
    print(fragment.selectionSet)
  }
}
