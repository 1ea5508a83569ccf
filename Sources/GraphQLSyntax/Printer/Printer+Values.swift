extension Printer {
  mutating func print(_ value: Value) {
    switch value.content {
    case .variable(let name):
      write("$")
      write(name)
    case .int, .float: write(document.sources.bytes(of: value.span))
    case .string(let literal): print(literal)
    case .boolean(let value): write(value ? "true" : "false")
    case .null: write("null")
    case .enum(let name): write(name)
    case .list(let values): printList(values)
    case .object(let fields): printObject(fields)
    }
  }

  mutating func print(_ literal: StringLiteral) {
    let value = document.string(literal)
    if literal.isBlock {
      write(BlockString.print(value))
    } else {
      QuotedString.print(value, to: &output)
    }
  }

  private mutating func printList(_ values: Value.List) {
    let items = document[values].map { value in captured { $0.print(value) } }
    let line = Array(items.joined(separator: ", ".utf8))
    if style == .version17 && line.lineLength + 2 > Self.maximalLineLength {
      write("[")
      indented { printer in
        for item in items {
          printer.write("\n")
          printer.write(item)
        }
      }
      write("\n]")
    } else {
      write("[")
      write(line)
      write("]")
    }
  }

  private mutating func printObject(_ fields: ObjectField.List) {
    let items = document[fields].map { field in captured { $0.print(field) } }
    let line = Array(items.joined(separator: ", ".utf8))
    switch style {
    case .version16:
      write("{")
      write(line)
      write("}")
    case .version17:
      if line.lineLength + 4 > Self.maximalLineLength {
        block(items) { $0.write($1) }
      } else {
        write("{ ")
        write(line)
        write(" }")
      }
    }
  }

  private mutating func print(_ field: ObjectField) {
    write(field.name)
    write(": ")
    print(field.value)
  }

  mutating func print(_ type: TypeReference) {
    write(document.description(of: type))
  }

  /// Arguments of a field, without parentheses.
  func printed(_ arguments: Argument.List) -> [[UInt8]] {
    document[arguments].map { argument in
      captured {
        $0.write(argument.name)
        $0.write(": ")
        $0.print(argument.value)
      }
    }
  }

  /// Each directive after a space.
  mutating func print(_ directives: Directive.List) {
    for directive in document[directives] {
      write(" @")
      write(directive.name)
      parenthesized(printed(directive.arguments), onLines: false)
    }
  }

  /// A description on lines of its own.
  mutating func print(description: StringLiteral?) {
    guard let description else { return }
    print(description)
    write("\n")
  }
}
