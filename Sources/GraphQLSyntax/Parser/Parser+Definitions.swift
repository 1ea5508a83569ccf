extension Parser {
  /// Definition :
  ///   - ExecutableDefinition
  ///   - TypeSystemDefinition
  ///   - TypeSystemExtension
  mutating func parseDefinition() throws(SyntaxAbort) -> Definition {
    let start = token
    let description = parseDescription()
    definitionStart = token.span.start
    if token.kind == .leftBrace {
      if description != nil { report(.descriptionOnShorthand, at: start) }
      return .operation(try parseShorthandQuery())
    }
    guard token.kind == .name else { throw unexpected() }
    if let definition = try parseDefinition(from: start, description) { return definition }
    if description != nil { throw fail(.misplacedDescription, at: start) }
    guard isKeyword(.extend) else { throw unexpected() }
    return try parseExtension()
  }

  /// Parses a definition that can have a description, or returns `nil` if no such keyword is next.
  private mutating func parseDefinition(
    from start: Token, _ description: StringLiteral?
  ) throws(SyntaxAbort) -> Definition? {
    let start = start.span.start
    switch token.symbol {
    case .schema: return .schema(try parseSchema(from: start, description))
    case .directive: return .directive(try parseDirectiveDefinition(from: start, description))
    case .query, .mutation, .subscription:
      return .operation(try parseOperation(from: start, description))
    case .fragment: return .fragment(try parseFragment(from: start, description))
    default:
      guard let kind = TypeKind(keyword: token.symbol) else { return nil }
      return .type(try parseType(kind, from: start, description))
    }
  }

  /// TypeSystemExtension : `extend` …
  private mutating func parseExtension() throws(SyntaxAbort) -> Definition {
    let start = token.span.start
    advance()
    guard token.kind == .name else { throw unexpected() }
    if token.symbol == .schema { return .schema(try parseSchemaExtension(from: start)) }
    if token.symbol == .directive && options.allowsDirectivesOnDirectives {
      return .directive(try parseDirectiveExtension(from: start))
    }
    guard let kind = TypeKind(keyword: token.symbol) else { throw unexpected() }
    return .type(try parseTypeExtension(kind, from: start))
  }
}

extension TypeKind {
  /// Creates the kind whose definitions start with `keyword`.
  fileprivate init?(keyword: Symbol) {
    switch keyword {
    case .scalar: self = .scalar
    case .type: self = .object
    case .interface: self = .interface
    case .union: self = .union
    case .enum: self = .enum
    case .input: self = .inputObject
    default: return nil
    }
  }
}
