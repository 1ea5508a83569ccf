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
      print(document[operation.variables])
      print(operation.directives)
      write(" ")
    }
    print(operation.selectionSet)
  }

  /// Prints variables in parentheses: on one line, or each on its own line if one spans several
  /// lines.
  private mutating func print(_ variables: ArraySlice<VariableDefinition>) {
    let start = mark
    parenthesized(variables) { $0.print($1) }
    guard isMultiline(since: start) else { return }
    rollBack(to: start)
    parenthesizedOnLines(variables, indents: false) { $0.print($1) }
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
    print(document[fragment.variables])
    write(" on ")
    write(fragment.typeCondition)
    print(fragment.directives)
    write(" ")
    print(fragment.selectionSet)
  }

  /// Prints a selection set. Nested selection sets are kept on a stack, so their depth is not
  /// limited.
  mutating func print(_ selectionSet: SelectionSet) {
    var open = [selectionSet.selections[...]]
    write("{")
    indent()
    while let top = open.indices.last {
      guard let id = open[top].popFirst() else {
        open.removeLast()
        outdent()
        breakLine()
        write("}")
        continue
      }
      breakLine()
      guard let inner = printHead(of: document[id]) else { continue }
      write(" {")
      indent()
      open.append(inner.selections[...])
    }
  }

  /// Prints `selection` up to its selection set, and returns the selection set.
  private mutating func printHead(of selection: Selection) -> SelectionSet? {
    switch selection {
    case .field(let id):
      let field = document[id]
      printHead(of: field)
      return field.selectionSet
    case .fragmentSpread(let id):
      let spread = document[id]
      let start = mark
      write("...")
      write(spread.name)
      printArguments(spread.arguments, from: start)
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
    let start = mark
    if let alias = field.alias {
      write(alias)
      write(": ")
    }
    write(field.name)
    printArguments(field.arguments, from: start)
    print(field.directives)
  }

  /// Prints the arguments of a field or spread that begins at `start`: on one line, or each on its
  /// own line if that one is too long.
  private mutating func printArguments(_ arguments: Argument.List, from start: Int) {
    guard !arguments.isEmpty else { return }
    let nameEnd = mark
    print(arguments)
    if length(since: start) > Self.maximumLineLength {
      rollBack(to: nameEnd)
      parenthesizedOnLines(document[arguments]) { $0.print($1) }
    }
  }
}
