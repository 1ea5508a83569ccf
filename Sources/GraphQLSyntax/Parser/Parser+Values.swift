/// A list or an object whose closing bracket has not been reached.
struct OpenValue {
  enum Kind {
    case list
    /// An object. The next value belongs to `field`.
    case object(field: Name)
  }

  var kind: Kind
  var start: UInt32
  /// The index of its first item, or first field, on the scratch stack.
  var firstScratch: Int
}

extension Parser {
  /// Value : Variable, or a literal
  ///
  /// If `isConstant` is `true`, variables are reported as errors.
  ///
  /// Spec: 2.9, "Input Values".
  mutating func parseValue(isConstant: Bool) throws(SyntaxAbort) -> Value {
    if token.kind != .leftBracket && token.kind != .leftBrace {
      return try parseLeaf(isConstant: isConstant)
    }
    return try parseNestedValue(isConstant: isConstant)
  }

  /// Parses a list or an object. The enclosing ones are kept on a stack, so their depth needs no
  /// recursion.
  private mutating func parseNestedValue(isConstant: Bool) throws(SyntaxAbort) -> Value {
    while true {
      guard var value = try parseInnermost(isConstant: isConstant) else { continue }
      while let open = openValues.last {
        add(value, to: open)
        guard try closes(open) else { break }
        value = close(open)
      }
      if openValues.isEmpty { return value }
    }
  }

  /// Parses the next value if it contains no other values, else its opening bracket, and returns
  /// `nil`.
  private mutating func parseInnermost(isConstant: Bool) throws(SyntaxAbort) -> Value? {
    let start = token.span.start
    switch token.kind {
    case .leftBracket:
      try checkDepth()
      advance()
      if skip(.rightBracket) { return Value(content: .list(.empty), span: span(from: start)) }
      openValues.append(OpenValue(kind: .list, start: start, firstScratch: itemScratch.count))
      return nil
    case .leftBrace:
      try checkDepth()
      advance()
      if skip(.rightBrace) { return Value(content: .object(.empty), span: span(from: start)) }
      let field = try parseFieldName()
      openValues.append(
        OpenValue(
          kind: .object(field: field), start: start, firstScratch: objectFieldScratch.count))
      return nil
    default:
      return try parseLeaf(isConstant: isConstant)
    }
  }

  private mutating func checkDepth() throws(SyntaxAbort) {
    guard openValues.count < options.nestingLimit else {
      throw tooDeep()
    }
  }

  /// Parses the part of ObjectField before its value.
  private mutating func parseFieldName() throws(SyntaxAbort) -> Name {
    let name = try parseName()
    try expect(.colon)
    return name
  }

  private mutating func add(_ value: Value, to open: OpenValue) {
    switch open.kind {
    case .list:
      itemScratch.append(value)
    case .object(let name):
      objectFieldScratch.append(
        ObjectField(name: name, value: value, span: span(from: name.span.start)))
    }
  }

  /// Returns whether the next token closes `open`, the innermost value. If not, parses up to the
  /// start of its next item.
  private mutating func closes(_ open: OpenValue) throws(SyntaxAbort) -> Bool {
    switch open.kind {
    case .list:
      return token.kind == .rightBracket
    case .object:
      if token.kind == .rightBrace { return true }
      let field = try parseFieldName()
      openValues[openValues.count - 1].kind = .object(field: field)
      return false
    }
  }

  private mutating func close(_ open: OpenValue) -> Value {
    advance()
    openValues.removeLast()
    let content: Value.Content
    switch open.kind {
    case .list:
      let first = document.values.count
      document.values.append(contentsOf: itemScratch[open.firstScratch...])
      itemScratch.removeSubrange(open.firstScratch...)
      content = .list(list(from: first, to: document.values.count))
    case .object:
      let first = document.objectFields.count
      document.objectFields.append(contentsOf: objectFieldScratch[open.firstScratch...])
      objectFieldScratch.removeSubrange(open.firstScratch...)
      content = .object(list(from: first, to: document.objectFields.count))
    }
    return Value(content: content, span: span(from: open.start))
  }

  /// Parses a value other than a list or an object.
  private mutating func parseLeaf(isConstant: Bool) throws(SyntaxAbort) -> Value {
    let content: Value.Content
    switch token.kind {
    case .int: content = .int
    case .float: content = .float
    case .string: content = .string(StringLiteral(span: token.span, isBlock: false))
    case .blockString: content = .string(StringLiteral(span: token.span, isBlock: true))
    case .name: content = Value.Content(word: token.symbol)
    case .dollar: return try parseVariable(isConstant: isConstant)
    default: throw unexpected()
    }
    let span = token.span
    advance()
    return Value(content: content, span: span)
  }

  /// Variable : $ Name
  private mutating func parseVariable(isConstant: Bool) throws(SyntaxAbort) -> Value {
    let start = token
    advance()
    if isConstant {
      guard token.kind == .name else { throw unexpected(start) }
      report(.variableInConstant(document.names[token.symbol]), at: start)
    }
    let name = try parseName()
    return Value(content: .variable(name.symbol), span: span(from: start.span.start))
  }
}

extension Value.Content {
  /// Creates a BooleanValue, NullValue or EnumValue from a word.
  fileprivate init(word: Symbol) {
    switch word {
    case .true: self = .boolean(true)
    case .false: self = .boolean(false)
    case .null: self = .null
    default: self = .enum(word)
    }
  }
}
