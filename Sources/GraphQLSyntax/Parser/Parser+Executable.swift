extension Parser {
  /// OperationDefinition : SelectionSet
  mutating func parseShorthandQuery() throws(SyntaxAbort) -> OperationDefinition.ID {
    let start = token.span.start
    let selectionSet = try parseSelectionSet()
    return append(
      OperationDefinition(
        kind: .query, isShorthand: true, description: nil, name: nil, variables: .empty,
        directives: .empty, selectionSet: selectionSet, span: span(from: start)))
  }

  /// OperationDefinition :
  ///   Description? OperationType Name? VariablesDefinition? Directives? SelectionSet
  mutating func parseOperation(
    from start: UInt32, _ description: StringLiteral?
  ) throws(SyntaxAbort) -> OperationDefinition.ID {
    let kind = try parseOperationKind()
    let name = token.kind == .name ? try parseName() : nil
    let variables = try parseVariableDefinitions()
    let directives = try parseDirectives(isConstant: false)
    let selectionSet = try parseSelectionSet()
    return append(
      OperationDefinition(
        kind: kind, isShorthand: false, description: description, name: name, variables: variables,
        directives: directives, selectionSet: selectionSet, span: span(from: start)))
  }

  private mutating func append(_ operation: OperationDefinition) -> OperationDefinition.ID {
    document.operations.append(operation)
    return NodeID(rawValue: UInt32(document.operations.count - 1))
  }

  /// OperationType : one of `query` `mutation` `subscription`
  mutating func parseOperationKind() throws(SyntaxAbort) -> OperationKind {
    let start = token
    let word = try parseName()
    guard let kind = OperationKind(word.symbol) else { throw unexpected(start) }
    return kind
  }

  /// FragmentDefinition :
  ///   Description? `fragment` FragmentName VariablesDefinition? TypeCondition Directives?
  ///   SelectionSet
  mutating func parseFragment(
    from start: UInt32, _ description: StringLiteral?
  ) throws(SyntaxAbort) -> FragmentDefinition.ID {
    advance()
    let name = try parseFragmentName()
    let variables = options.allowsFragmentArguments ? try parseVariableDefinitions() : .empty
    try expectKeyword(.on)
    let typeCondition = try parseName()
    let directives = try parseDirectives(isConstant: false)
    let selectionSet = try parseSelectionSet()
    document.fragments.append(
      FragmentDefinition(
        description: description, name: name, variables: variables, typeCondition: typeCondition,
        directives: directives, selectionSet: selectionSet, span: span(from: start)))
    return NodeID(rawValue: UInt32(document.fragments.count - 1))
  }

  /// FragmentName : Name but not `on`
  private mutating func parseFragmentName() throws(SyntaxAbort) -> Name {
    if isKeyword(.on) { throw unexpected() }
    return try parseName()
  }

  /// VariablesDefinition : ( VariableDefinition+ )
  private mutating func parseVariableDefinitions() throws(SyntaxAbort) -> VariableDefinition.List {
    guard skip(.leftParenthesis) else { return .empty }
    let first = document.variableDefinitions.count
    try parseItems(of: .variableDefinitions) { parser throws(SyntaxAbort) in
      let definition = try parser.parseVariableDefinition()
      parser.document.variableDefinitions.append(definition)
    }
    return list(from: first, to: document.variableDefinitions.count)
  }

  /// VariableDefinition : Description? Variable : Type DefaultValue? Directives[Const]?
  private mutating func parseVariableDefinition() throws(SyntaxAbort) -> VariableDefinition {
    let start = token.span.start
    let description = parseDescription()
    let variableStart = token.span.start
    try expect(.dollar)
    let name = try parseName()
    let variableSpan = span(from: variableStart)
    try expect(.colon)
    let type = try parseTypeReference()
    let defaultValue = skip(.equals) ? try parseValue(isConstant: true) : nil
    let directives = try parseDirectives(isConstant: true)
    return VariableDefinition(
      description: description, name: name, variableSpan: variableSpan, type: type,
      defaultValue: defaultValue, directives: directives, span: span(from: start))
  }

  /// Directives : Directive+
  @inline(__always)
  mutating func parseDirectives(isConstant: Bool) throws(SyntaxAbort) -> Directive.List {
    guard token.kind == .at else { return .empty }
    return try parseDirectivesFromAt(isConstant: isConstant)
  }

  /// Directive : @ Name Arguments?
  private mutating func parseDirectivesFromAt(
    isConstant: Bool
  ) throws(SyntaxAbort) -> Directive.List {
    let first = document.directives.count
    while token.kind == .at {
      let start = token.span.start
      advance()
      let name = try parseName()
      let arguments = try parseArguments(isConstant: isConstant)
      document.directives.append(
        Directive(name: name, arguments: arguments, span: span(from: start)))
    }
    return list(from: first, to: document.directives.count)
  }

  /// Arguments : ( Argument+ )
  mutating func parseArguments(isConstant: Bool) throws(SyntaxAbort) -> Argument.List {
    guard skip(.leftParenthesis) else { return .empty }
    let first = document.arguments.count
    try parseItems(of: .arguments) { parser throws(SyntaxAbort) in
      let name = try parser.parseName()
      try parser.expect(.colon)
      let value = try parser.parseValue(isConstant: isConstant)
      parser.document.arguments.append(
        Argument(name: name, value: value, span: parser.span(from: name.span.start)))
    }
    return list(from: first, to: document.arguments.count)
  }

  /// Returns the list of the nodes at indices `first..<end` of their array.
  @inline(__always)
  func list<Kind>(from first: Int, to end: Int) -> NodeList<Kind> {
    NodeList(start: UInt32(truncatingIfNeeded: first), end: UInt32(truncatingIfNeeded: end))
  }
}
