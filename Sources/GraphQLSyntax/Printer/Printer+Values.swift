extension Printer {
  /// Prints a value. Nested values are kept on a stack, so their depth is not limited.
  package mutating func print(_ value: Value) {
    guard style == .version17, value.content.isNested else { return printOnOneLine(value) }
    printInLayout(value, ValueLayout(of: value, self))
  }

  /// Prints a value whose broken lines start at the margin, as the reference implementation prints
  /// the default values of a schema.
  package mutating func printAtMargin(_ value: Value) {
    let indentation = resetIndentation(to: 0)
    print(value)
    resetIndentation(to: indentation)
  }

  private mutating func printOnOneLine(_ value: Value) {
    printInLayout(value, nil)
  }

  /// A list or an object whose items are being printed.
  private struct OpenValue {
    var rest: Slice<NodeList<Never>>
    let isList: Bool
    let isBroken: Bool
    var isFirst = true
  }

  /// Prints a value with the given line breaks.
  ///
  /// - Parameters:
  ///   - value: The value to print.
  ///   - layout: The lists and objects that are broken into lines, or `nil` for none.
  private mutating func printInLayout(_ value: Value, _ layout: ValueLayout?) {
    var open: [OpenValue] = []
    var count = 0
    var next: Value? = value
    while let value = next {
      if let (items, isList) = value.content.items {
        let isBroken = layout?.isBroken[count] ?? false
        count += 1
        write(isList ? "[" : "{")
        if isBroken { indent() } else if !isList { writeInnerSpace() }
        open.append(OpenValue(rest: items[...], isList: isList, isBroken: isBroken))
      } else {
        printLeaf(value)
      }
      next = nil
      while next == nil, let last = open.indices.last {
        next = startItem(of: &open[last])
        if next == nil { close(open.removeLast()) }
      }
    }
  }

  /// Writes the space between a brace and the fields of an object, if the style has one.
  private mutating func writeInnerSpace() {
    if style == .version17 { write(" ") }
  }

  private mutating func startItem(of open: inout OpenValue) -> Value? {
    guard let id = open.rest.popFirst() else { return nil }
    if open.isBroken { breakLine() } else if !open.isFirst { write(", ") }
    open.isFirst = false
    if open.isList { return document.values[id.index] }
    let field = document.objectFields[id.index]
    write(field.name)
    write(": ")
    return field.value
  }

  private mutating func close(_ value: OpenValue) {
    if value.isBroken {
      outdent()
      breakLine()
    } else if !value.isList {
      writeInnerSpace()
    }
    write(value.isList ? "]" : "}")
  }

  /// Prints a value other than a list or an object.
  mutating func printLeaf(_ value: Value) {
    switch value.content {
    case .variable(let name):
      write("$")
      write(name)
    case .int, .float: write(document.sources.bytes(of: value.span))
    case .string(let literal): print(literal)
    case .boolean(let value): write(value ? "true" : "false")
    case .null: write("null")
    case .enum(let name): write(name)
    case .list, .object: preconditionFailure("Lists and objects are printed with their items.")
    }
  }

  mutating func print(_ literal: StringLiteral) {
    if literal.isBlock { return writeBlock(literal) }
    let written = document.sources.bytes(of: literal.span)
    if written.allSatisfy(\.isPlainInStrings) { write(written) } else { writeQuoted(literal) }
  }

  mutating func print(_ type: TypeReference) {
    write(type.name.symbol, in: type.wrapping)
  }

  /// Writes a type in GraphQL notation: `[Int!]!`.
  package mutating func write(_ name: Symbol, in wrapping: TypeWrapping) {
    for _ in 0..<wrapping.listDepth { write("[") }
    write(name)
    for level in stride(from: Int(wrapping.listDepth), through: 0, by: -1) {
      if wrapping.isNonNull(at: level) { write("!") }
      if level > 0 { write("]") }
    }
  }

  /// Prints arguments in parentheses, on one line.
  mutating func print(_ arguments: Argument.List) {
    parenthesized(document[arguments]) { $0.print($1) }
  }

  mutating func print(_ argument: Argument) {
    write(argument.name)
    write(": ")
    print(argument.value)
  }

  /// Prints directives, each after a space.
  mutating func print(_ directives: Directive.List) {
    for directive in document[directives] {
      write(" @")
      write(directive.name)
      print(directive.arguments)
    }
  }

  /// Prints a description on its own lines.
  mutating func print(description: StringLiteral?) {
    guard let description else { return }
    print(description)
    breakLine()
  }
}

extension UInt8 {
  /// A Boolean value that indicates whether a string can contain the byte without an escape,
  /// regardless of the bytes around it.
  fileprivate var isPlainInStrings: Bool {
    self >= 0x20 && self != UInt8(ascii: "\\") && self != 0x7F && self != 0xC2
  }
}

extension Value.Content {
  /// A Boolean value that indicates whether the value is a list or an object.
  fileprivate var isNested: Bool { items != nil }

  /// The indices of a list's items or of an object's fields, or `nil` for other values.
  var items: (items: NodeList<Never>, isList: Bool)? {
    switch self {
    case .list(let values): (NodeList(start: values.start, end: values.end), true)
    case .object(let fields): (NodeList(start: fields.start, end: fields.end), false)
    default: nil
    }
  }
}
