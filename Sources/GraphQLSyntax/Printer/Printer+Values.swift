extension Printer {
  /// The values within it are kept on a stack, so that their depth does not matter. Each is laid
  /// out before what it is in, because that depends on its length.
  mutating func print(_ value: Value) {
    var open: [OpenValue] = []
    var next: Value? = value
    while let value = next {
      if let list = OpenValue(value.content) {
        open.append(list)
      } else {
        printLeaf(value)
      }
      next = nil
      while next == nil, let last = open.indices.last {
        next = startItem(of: &open[last])
        if next == nil { layOut(open.removeLast()) }
      }
    }
  }

  /// A list or an object whose items are being printed.
  private struct OpenValue {
    var rest: Slice<NodeList<Never>>
    let isList: Bool
    var items: [[UInt8]] = []
    /// What was written before the item that is being printed.
    var outer: Capture?

    init?(_ content: Value.Content) {
      switch content {
      case .list(let values):
        rest = NodeList(start: values.start, end: values.end)[...]
        isList = true
      case .object(let fields):
        rest = NodeList(start: fields.start, end: fields.end)[...]
        isList = false
      default:
        return nil
      }
    }
  }

  /// Ends the item that is being printed, if one is, and returns the next one.
  private mutating func startItem(of open: inout OpenValue) -> Value? {
    if let outer = open.outer { open.items.append(endCapture(outer)) }
    open.outer = nil
    guard let id = open.rest.popFirst() else { return nil }
    open.outer = beginCapture()
    if open.isList { return document.values[id.index] }
    let field = document.objectFields[id.index]
    write(field.name)
    write(": ")
    return field.value
  }

  private mutating func layOut(_ value: OpenValue) {
    let line = Array(value.items.joined(separator: ", ".utf8))
    let hasSpaces = !value.isList && style == .version17
    let width = line.lineLength + (hasSpaces ? 4 : 2)
    if style == .version17 && width > Self.maximalLineLength {
      write(value.isList ? "[" : "{")
      indented { printer in
        for item in value.items {
          printer.write("\n")
          printer.write(item)
        }
      }
      write(value.isList ? "\n]" : "\n}")
    } else {
      write(value.isList ? "[" : hasSpaces ? "{ " : "{")
      write(line)
      write(value.isList ? "]" : hasSpaces ? " }" : "}")
    }
  }

  private mutating func printLeaf(_ value: Value) {
    switch value.content {
    case .variable(let name):
      write("$")
      write(name)
    case .int, .float: write(document.sources.bytes(of: value.span))
    case .string(let literal): print(literal)
    case .boolean(let value): write(value ? "true" : "false")
    case .null: write("null")
    case .enum(let name): write(name)
    case .list, .object: preconditionFailure("Lists and objects are laid out with their items.")
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

  mutating func print(_ type: TypeReference) {
    write(document.description(of: type))
  }

  /// Arguments of a field, without parentheses.
  mutating func printed(_ arguments: Argument.List) -> [[UInt8]] {
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
