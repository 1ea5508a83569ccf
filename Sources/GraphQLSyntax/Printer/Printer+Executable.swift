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

  /// The selection sets within it are kept on a stack, so that their depth does not matter.
  mutating func print(_ selectionSet: SelectionSet) {
    var open = [selectionSet.selections[...]]
    write("{")
    indent()
    while let top = open.indices.last {
      guard let id = open[top].popFirst() else {
        open.removeLast()
        outdent()
        write("\n}")
        continue
      }
      write("\n")
      guard let inner = printHead(of: document[id]) else { continue }
      write(" {")
      indent()
      open.append(inner.selections[...])
    }
  }

  /// Prints `selection` without its selection set, and returns that.
  private mutating func printHead(of selection: Selection) -> SelectionSet? {
    switch selection {
    case .field(let id):
      let field = document[id]
      printHead(of: field)
      return field.selectionSet
    case .fragmentSpread(let id):
      let spread = document[id]
      write("...")
      write(spread.name)
      print(spread.directives)
      return nil
    case .inlineFragment(let id):
      let fragment = document[id]
      write("...")
      if let type = fragment.typeCondition {
        write(" on ")
        write(type)
      }
      print(fragment.directives)
      return fragment.selectionSet
    }
  }

  private mutating func printHead(of field: Field) {
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
  }
}
