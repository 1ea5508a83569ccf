extension Parser {
  /// SchemaDefinition : Description? `schema` Directives[Const]? { RootOperationTypeDefinition+ }
  mutating func parseSchema(
    from start: UInt32, _ description: StringLiteral?
  ) throws(SyntaxAbort) -> SchemaDefinition.ID {
    let keywordSpan = token.span
    advance()
    let directives = try parseDirectives(isConstant: true)
    guard token.kind == .leftBrace else {
      throw fail(.expected(.leftBrace, found: self.description(of: token)))
    }
    let types = try parseRootOperationTypes()
    return append(
      SchemaDefinition(
        isExtension: false, description: description, directives: directives,
        rootOperationTypes: types, keywordSpan: keywordSpan, span: span(from: start)))
  }

  /// SchemaExtension :
  ///   - `extend` `schema` Directives[Const]? { RootOperationTypeDefinition+ }
  ///   - `extend` `schema` Directives[Const]
  mutating func parseSchemaExtension(from start: UInt32) throws(SyntaxAbort) -> SchemaDefinition.ID
  {
    let keywordSpan = token.span
    advance()
    let directives = try parseDirectives(isConstant: true)
    let types = try parseRootOperationTypes()
    if directives.isEmpty && types.isEmpty { throw unexpected() }
    return append(
      SchemaDefinition(
        isExtension: true, description: nil, directives: directives, rootOperationTypes: types,
        keywordSpan: keywordSpan, span: span(from: start)))
  }

  private mutating func append(_ schema: SchemaDefinition) -> SchemaDefinition.ID {
    document.schemas.append(schema)
    return NodeID(rawValue: UInt32(document.schemas.count - 1))
  }

  /// RootOperationTypeDefinition : OperationType : NamedType
  private mutating func parseRootOperationTypes() throws(SyntaxAbort) -> RootOperationType.List {
    guard skip(.leftBrace) else { return .empty }
    let first = document.rootOperationTypes.count
    try parseItems(of: .rootOperationTypes) { parser throws(SyntaxAbort) in
      let start = parser.token.span.start
      let kind = try parser.parseOperationKind()
      try parser.expect(.colon)
      let type = try parser.parseName()
      parser.document.rootOperationTypes.append(
        RootOperationType(kind: kind, type: type, span: parser.span(from: start)))
    }
    return list(from: first, to: document.rootOperationTypes.count)
  }

  /// TypeDefinition, from its keyword on
  mutating func parseType(
    _ kind: TypeKind, from start: UInt32, _ description: StringLiteral?
  ) throws(SyntaxAbort) -> TypeDefinition.ID {
    var type = try parseTypeBody(kind)
    type.description = description
    type.span = span(from: start)
    return append(type)
  }

  /// TypeExtension, from its keyword on. It must contain more than a name.
  mutating func parseTypeExtension(
    _ kind: TypeKind, from start: UInt32
  ) throws(SyntaxAbort) -> TypeDefinition.ID {
    var type = try parseTypeBody(kind)
    if type.isBare { throw unexpected() }
    type.isExtension = true
    type.span = span(from: start)
    return append(type)
  }

  private mutating func append(_ type: TypeDefinition) -> TypeDefinition.ID {
    document.types.append(type)
    return NodeID(rawValue: UInt32(document.types.count - 1))
  }

  /// Parses the keyword, the name, and the parts that a type of `kind` can have.
  private mutating func parseTypeBody(_ kind: TypeKind) throws(SyntaxAbort) -> TypeDefinition {
    advance()
    var type = TypeDefinition(kind: kind, name: try parseName())
    if kind == .object || kind == .interface { type.interfaces = try parseInterfaces() }
    type.directives = try parseDirectives(isConstant: true)
    switch kind {
    case .scalar: break
    case .object, .interface: type.fields = try parseFieldDefinitions()
    case .union: type.members = try parseMembers()
    case .enum: type.values = try parseEnumValues()
    case .inputObject: type.inputFields = try parseInputFields()
    }
    return type
  }

  /// ImplementsInterfaces : `implements` &? NamedType (& NamedType)*
  private mutating func parseInterfaces() throws(SyntaxAbort) -> Name.List {
    guard skipKeyword(.implements) else { return .empty }
    return try parseNames(separatedBy: .ampersand)
  }

  /// UnionMemberTypes : = |? NamedType (| NamedType)*
  private mutating func parseMembers() throws(SyntaxAbort) -> Name.List {
    guard skip(.equals) else { return .empty }
    return try parseNames(separatedBy: .pipe)
  }

  private mutating func parseNames(
    separatedBy separator: Token.Kind
  ) throws(SyntaxAbort) -> Name.List {
    let first = document.nameList.count
    _ = skip(separator)
    repeat {
      let name = try parseName()
      document.nameList.append(name)
    } while skip(separator)
    return list(from: first, to: document.nameList.count)
  }

  /// FieldsDefinition : { FieldDefinition+ }
  private mutating func parseFieldDefinitions() throws(SyntaxAbort) -> FieldDefinition.List {
    guard skip(.leftBrace) else { return .empty }
    let first = document.fieldDefinitions.count
    try parseItems(of: .fieldDefinitions) { parser throws(SyntaxAbort) in
      let field = try parser.parseFieldDefinition()
      parser.document.fieldDefinitions.append(field)
    }
    return list(from: first, to: document.fieldDefinitions.count)
  }

  /// FieldDefinition : Description? Name ArgumentsDefinition? : Type Directives[Const]?
  private mutating func parseFieldDefinition() throws(SyntaxAbort) -> FieldDefinition {
    let start = token.span.start
    let description = parseDescription()
    let name = try parseName()
    let arguments = try parseArgumentDefinitions()
    try expect(.colon)
    let type = try parseTypeReference()
    let directives = try parseDirectives(isConstant: true)
    return FieldDefinition(
      description: description, name: name, arguments: arguments, type: type,
      directives: directives, span: span(from: start))
  }

  /// ArgumentsDefinition : ( InputValueDefinition+ )
  private mutating func parseArgumentDefinitions() throws(SyntaxAbort) -> InputValueDefinition.List
  {
    guard skip(.leftParenthesis) else { return .empty }
    return try parseInputValueDefinitions(.argumentDefinitions)
  }

  /// InputFieldsDefinition : { InputValueDefinition+ }
  private mutating func parseInputFields() throws(SyntaxAbort) -> InputValueDefinition.List {
    guard skip(.leftBrace) else { return .empty }
    return try parseInputValueDefinitions(.inputFields)
  }

  private mutating func parseInputValueDefinitions(
    _ list: RecoverableList
  ) throws(SyntaxAbort) -> InputValueDefinition.List {
    let first = document.inputValueDefinitions.count
    try parseItems(of: list) { parser throws(SyntaxAbort) in
      let definition = try parser.parseInputValueDefinition()
      parser.document.inputValueDefinitions.append(definition)
    }
    return self.list(from: first, to: document.inputValueDefinitions.count)
  }

  /// InputValueDefinition : Description? Name : Type DefaultValue? Directives[Const]?
  private mutating func parseInputValueDefinition() throws(SyntaxAbort) -> InputValueDefinition {
    let start = token.span.start
    let description = parseDescription()
    let name = try parseName()
    try expect(.colon)
    let type = try parseTypeReference()
    let defaultValue = skip(.equals) ? try parseValue(isConstant: true) : nil
    let directives = try parseDirectives(isConstant: true)
    return InputValueDefinition(
      description: description, name: name, type: type, defaultValue: defaultValue,
      directives: directives, span: span(from: start))
  }

  /// EnumValuesDefinition : { EnumValueDefinition+ }
  private mutating func parseEnumValues() throws(SyntaxAbort) -> EnumValueDefinition.List {
    guard skip(.leftBrace) else { return .empty }
    let first = document.enumValueDefinitions.count
    try parseItems(of: .enumValues) { parser throws(SyntaxAbort) in
      let start = parser.token.span.start
      let description = parser.parseDescription()
      let name = try parser.parseEnumValueName()
      let directives = try parser.parseDirectives(isConstant: true)
      parser.document.enumValueDefinitions.append(
        EnumValueDefinition(
          description: description, name: name, directives: directives,
          span: parser.span(from: start)))
    }
    return list(from: first, to: document.enumValueDefinitions.count)
  }

  /// EnumValue : Name but not `true`, `false` or `null`
  private mutating func parseEnumValueName() throws(SyntaxAbort) -> Name {
    if isKeyword(.true) || isKeyword(.false) || isKeyword(.null) {
      report(.reservedEnumValue(found: description(of: token)), at: token)
    }
    return try parseName()
  }

  /// DirectiveDefinition :
  ///   Description? `directive` @ Name ArgumentsDefinition? Directives[Const]? `repeatable`?
  ///   `on` DirectiveLocations
  mutating func parseDirectiveDefinition(
    from start: UInt32, _ description: StringLiteral?
  ) throws(SyntaxAbort) -> DirectiveDefinition.ID {
    advance()
    try expect(.at)
    let name = try parseName()
    let arguments = try parseArgumentDefinitions()
    let directives =
      options.allowsDirectivesOnDirectives ? try parseDirectives(isConstant: true) : .empty
    let isRepeatable = skipKeyword(.repeatable)
    try expectKeyword(.on)
    let locations = try parseDirectiveLocations()
    return append(
      DirectiveDefinition(
        isExtension: false, description: description, name: name, arguments: arguments,
        directives: directives, isRepeatable: isRepeatable, locations: locations,
        span: span(from: start)))
  }

  /// DirectiveExtension : `extend` `directive` @ Name Directives[Const]
  mutating func parseDirectiveExtension(
    from start: UInt32
  ) throws(SyntaxAbort) -> DirectiveDefinition.ID {
    advance()
    try expect(.at)
    let name = try parseName()
    let directives = try parseDirectives(isConstant: true)
    if directives.isEmpty { throw unexpected() }
    return append(
      DirectiveDefinition(
        isExtension: true, description: nil, name: name, arguments: .empty, directives: directives,
        isRepeatable: false, locations: .empty, span: span(from: start)))
  }

  private mutating func append(_ directive: DirectiveDefinition) -> DirectiveDefinition.ID {
    document.directiveDefinitions.append(directive)
    return NodeID(rawValue: UInt32(document.directiveDefinitions.count - 1))
  }

  /// DirectiveLocations : |? DirectiveLocation (| DirectiveLocation)*
  private mutating func parseDirectiveLocations() throws(SyntaxAbort) -> Name.List {
    let first = document.nameList.count
    _ = skip(.pipe)
    repeat {
      let start = token
      let name = try parseName()
      if !accepts(DirectiveLocation(name.symbol)) { _ = unexpected(start) }
      document.nameList.append(name)
    } while skip(.pipe)
    return list(from: first, to: document.nameList.count)
  }

  /// Returns whether directives can be defined for `location`, which is `nil` for another word.
  private func accepts(_ location: DirectiveLocation?) -> Bool {
    switch location {
    case nil: false
    case .directiveDefinition: options.allowsDirectivesOnDirectives
    default: true
    }
  }
}

extension TypeDefinition {
  /// Creates a definition that consists of a name.
  fileprivate init(kind: TypeKind, name: Name) {
    self.init(
      kind: kind, isExtension: false, description: nil, name: name, directives: .empty,
      interfaces: .empty, fields: .empty, members: .empty, values: .empty, inputFields: .empty,
      span: name.span)
  }

  /// A Boolean value that indicates whether the definition consists of a name alone.
  fileprivate var isBare: Bool {
    directives.isEmpty && interfaces.isEmpty && fields.isEmpty && members.isEmpty && values.isEmpty
      && inputFields.isEmpty
  }
}
