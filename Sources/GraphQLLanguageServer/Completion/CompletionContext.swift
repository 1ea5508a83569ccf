import GraphQLSchema
import GraphQLSyntax

/// The names that can occur at a position.
///
/// The parser leaves out a definition with a mistake, and a definition has one while it is being
/// written. The context is therefore read from the tokens in front of the position, from the
/// schema, and from nothing behind the position:
///
/// 1. Each opening bracket puts a list on a stack: selections, arguments, variables, values.
/// 2. The names in it say what the next bracket holds, such as the type of a field.
/// 3. Its closing bracket removes it. A keyword at the start of a line that can begin a definition
///    removes all, because a bracket is missing then.
struct CompletionContext {
  /// The kinds of names.
  enum Expectation: Hashable {
    /// The keywords of definitions.
    case definition
    /// The keywords behind `extend`.
    case extendedDefinition
    /// The fields of a type, and fragments.
    case selection(of: Schema.NamedType.ID?)
    /// Fragments that a type can spread, and `on`.
    case spread(in: Schema.NamedType.ID?)
    /// The types of fragments, in a selection set of a type.
    case condition(in: Schema.NamedType.ID?)
    /// Arguments, without those that are there already.
    case argument(of: NodeList<Schema.InputValue>, besides: Set<String>)
    /// The variables of a fragment, as arguments of a spread, without those that are there already.
    case fragmentVariable([FragmentVariable], besides: Set<String>)
    /// The fields of an input object, without those that are there already.
    case inputField(of: Schema.NamedType.ID, besides: Set<String>)
    case value(ResolvedType?)
    /// The variables of the operation or the fragment, behind `$`.
    case variable(ResolvedType?)
    case inputType
    case outputType
    case directive(DirectiveLocation)
    /// The places for which a directive is defined.
    case directiveLocation
    /// A new name, or nothing.
    case nothing
  }

  /// A variable of a fragment.
  struct FragmentVariable: Hashable {
    var name: String
    /// The type as it is written.
    var text: String
    /// The type, or `nil` if it is unknown.
    var type: ResolvedType?
  }

  private(set) var expectation = Expectation.definition
  /// The variables of the operation or the fragment, with the names of their types.
  private(set) var variables: [(name: String, type: String)] = []
  /// The name of the fragment around the position, which can use the variables of the operations
  /// that spread it; `nil` in a constant value.
  private(set) var fragment: String?
  /// The bytes of the name before the position, which completion replaces.
  private(set) var replaced: Range<Int>

  private enum Frame {
    case selections(Schema.NamedType.ID?)
    case arguments(NodeList<Schema.InputValue>?, Set<String>)
    case spreadArguments([FragmentVariable], Set<String>)
    case object(Schema.NamedType.ID?, Set<String>)
    case list(ResolvedType?)
    case variables
    /// The members of a type system definition.
    case members
    /// The arguments that a field or a directive of a schema defines.
    case argumentDefinitions

    /// `true` for the variables or arguments that are defined in it.
    var isOfDefinitions: Bool {
      switch self {
      case .variables, .argumentDefinitions: true
      case .selections, .arguments, .spreadArguments, .object, .list, .members: false
      }
    }
  }

  private let schema: Schema
  private let fragmentVariables: (String) -> [FragmentVariable]
  private let bytes: [UInt8]
  private var frames: [Frame] = []
  /// The type of the next selection set or fragment.
  private var nextType: Schema.NamedType.ID?
  /// The arguments of the field or directive before.
  private var nextArguments: NodeList<Schema.InputValue>?
  /// The name of the fragment spread before.
  private var nextFragment: String?
  /// The type of the value behind a colon or an equals sign, while one is expected.
  private var valueType: ResolvedType?
  private var location = DirectiveLocation.query
  private var isFragmentHeader = false
  private var isSchemaDefinition = false
  private var isInput = false
  private var isEnum = false
  private var isDirectiveDefinition = false
  /// `true` after the `@` in front of the name that a directive definition or extension has.
  private var hasDirectiveName = false

  /// Reads the context of the byte at `offset`.
  ///
  /// - Parameters:
  ///   - source: The text.
  ///   - offset: The offset of the byte.
  ///   - schema: The schema.
  ///   - fragmentVariables: Returns the variables of a fragment, which can be in another file.
  init(
    _ source: Source, at offset: Int, _ schema: Schema,
    fragmentVariables: @escaping (String) -> [FragmentVariable] = { _ in [] }
  ) {
    self.schema = schema
    self.fragmentVariables = fragmentVariables
    bytes = Array(source.bytes)
    replaced = offset..<offset
    let tokens = source.tokens(keepsComments: true).tokens.filter { $0.kind != .endOfFile }
    var before = tokens.prefix { Int($0.span.start) < offset }
    if let last = before.last, Int(last.span.end) >= offset {
      switch last.kind {
      case .name:
        replaced = Int(last.span.start)..<offset
        before.removeLast()
      case .comment, .string, .blockString, .int, .float, .invalid:
        guard Int(last.span.end) == offset, last.kind != .comment, last.kind != .invalid else {
          expectation = .nothing
          return
        }
      default: break
      }
    }
    let significant = before.filter { $0.kind != .comment }
    for index in significant.indices {
      let rest = significant[(index + 1)...].prefix(2)
      read(significant[index], next: rest.first, afterNext: rest.dropFirst().first)
    }
    // A default value is constant, and so is every value in a schema.
    if isSchemaDefinition || frames.contains(where: \.isOfDefinitions) {
      (variables, fragment) = ([], nil)
    }
    // A definition of a schema needs no body, so that another one can begin on the next line.
    if frames.isEmpty, isSchemaDefinition, expectation == .nothing,
      isStartOfLine(replaced.lowerBound)
    {
      expectation = .definition
    }
  }

  private func text(_ token: Token) -> String {
    String(decoding: bytes[Int(token.span.start)..<Int(token.span.end)], as: UTF8.self)
  }

  private func symbol(_ token: Token) -> Symbol? { schema.names.symbol(for: text(token)) }

  private func isStartOfLine(_ offset: Int) -> Bool {
    offset == 0 || bytes[offset - 1] == 0xA || bytes[offset - 1] == 0xD
  }

  private func isOnOneLine(_ first: Token, _ second: Token) -> Bool {
    !bytes[Int(first.span.end)..<Int(second.span.start)].contains { $0 == 0xA || $0 == 0xD }
  }

  /// Returns whether a token begins a definition although a bracket is open, or behind a definition
  /// without a body. A field can have the name of a keyword, but hardly what follows a keyword, on
  /// the same line.
  private func beginsDefinition(_ token: Token, _ next: Token?, _ afterNext: Token?) -> Bool {
    guard token.kind == .name, isStartOfLine(Int(token.span.start)),
      isDefinitionKeyword(text(token)), let next, isOnOneLine(token, next)
    else { return false }
    switch next.kind {
    case .name, .leftBrace: return true
    // The variables or the directives of an operation without a name.
    case .leftParenthesis: return isOperationKeyword(text(token)) && afterNext?.kind == .dollar
    case .at:
      return isOperationKeyword(text(token)) || ["directive", "schema"].contains(text(token))
    default: return false
    }
  }

  private func isOperationKeyword(_ text: String) -> Bool {
    ["query", "mutation", "subscription"].contains(text)
  }
}

// MARK: - Tokens

extension CompletionContext {
  private mutating func read(_ token: Token, next: Token?, afterNext: Token?) {
    if beginsDefinition(token, next, afterNext) {
      frames = []
      expectation = .definition
    }
    switch frames.last {
    case nil: readHeader(token)
    case .selections(let type): readSelection(token, of: type, next)
    case .arguments(let definitions, let names): readArgument(token, definitions, names)
    case .spreadArguments(let variables, let names): readSpreadArgument(token, variables, names)
    case .object(let type, let names): readInputField(token, of: type, names)
    case .list(let type): readItem(token, type)
    case .variables, .argumentDefinitions: readVariable(token, next)
    case .members: readMember(token)
    }
  }

  private func isDefinitionKeyword(_ text: String) -> Bool {
    [
      "query", "mutation", "subscription", "fragment", "type", "input", "interface", "enum",
      "union", "scalar", "schema", "extend", "directive",
    ].contains(text)
  }

  /// Reads a token outside of all brackets.
  private mutating func readHeader(_ token: Token) {
    switch token.kind {
    case .name where isExpectingDirective:
      readDirective(token)
      expectation = .nothing
    case .name where expectation == .definition: readKeyword(text(token))
    case .name where expectation == .extendedDefinition: readExtendedKeyword(text(token))
    case .name where isSchemaDefinition:
      switch text(token) {
      case "on" where isDirectiveDefinition: expectation = .directiveLocation
      case "implements": expectation = .outputType
      default: expectation = .nothing
      }
    case .name where isFragmentHeader:
      if text(token) == "on" {
        expectation = .condition(in: nil)
      } else if case .condition = expectation {
        nextType = symbol(token).flatMap { schema.type(named: $0) }
        expectation = .nothing
      } else if fragment == nil {
        fragment = text(token)
      }
    case .pipe where isDirectiveDefinition: expectation = .directiveLocation
    case .ampersand, .pipe, .equals: expectation = isSchemaDefinition ? .outputType : .nothing
    case .at where isDirectiveDefinition && !hasDirectiveName:
      (hasDirectiveName, expectation) = (true, .nothing)
    case .at: expectation = .directive(location)
    case .name: expectation = .nothing
    case .leftParenthesis:
      if let nextArguments {
        pushArguments(nextArguments)
      } else {
        frames.append(isSchemaDefinition ? .argumentDefinitions : .variables)
        expectation = .nothing
      }
    case .leftBrace:
      if isSchemaDefinition {
        frames.append(.members)
        expectation = .nothing
      } else {
        if expectation == .definition { readKeyword("query") }
        frames.append(.selections(nextType))
        expectation = .selection(of: nextType)
      }
    default: break
    }
  }

  private mutating func readKeyword(_ keyword: String) {
    nextType = nil
    nextArguments = nil
    (variables, fragment) = ([], nil)
    (isFragmentHeader, isSchemaDefinition, isInput) = (false, false, false)
    (isDirectiveDefinition, hasDirectiveName, isEnum) = (false, false, keyword == "enum")
    expectation = keyword == "extend" ? .extendedDefinition : .nothing
    switch keyword {
    case "query": (nextType, location) = (schema.rootType(.query), .query)
    case "mutation": (nextType, location) = (schema.rootType(.mutation), .mutation)
    case "subscription": (nextType, location) = (schema.rootType(.subscription), .subscription)
    case "fragment": (isFragmentHeader, location) = (true, .fragmentDefinition)
    case "input": (isSchemaDefinition, isInput, location) = (true, true, .inputObject)
    case "interface": (isSchemaDefinition, location) = (true, .interface)
    case "union": (isSchemaDefinition, location) = (true, .union)
    case "enum": (isSchemaDefinition, location) = (true, .enum)
    case "scalar": (isSchemaDefinition, location) = (true, .scalar)
    case "schema": (isSchemaDefinition, location) = (true, .schema)
    case "extend", "type": (isSchemaDefinition, location) = (true, .object)
    case "directive":
      (isSchemaDefinition, isDirectiveDefinition, location) = (true, true, .directiveDefinition)
    default: expectation = .definition
    }
  }

  /// Reads the keyword behind `extend`. The name of a type that is defined follows most of them.
  private mutating func readExtendedKeyword(_ keyword: String) {
    expectation = .nothing
    guard isDefinitionKeyword(keyword) else { return }
    readKeyword(keyword)
    switch keyword {
    case "type", "interface", "union", "enum", "scalar": expectation = .outputType
    case "input": expectation = .inputType
    default: break
    }
  }

  private mutating func readSelection(
    _ token: Token, of type: Schema.NamedType.ID?, _ next: Token?
  ) {
    switch token.kind {
    case .spread:
      nextArguments = nil
      expectation = .spread(in: type)
      nextType = type
      location = .inlineFragment
    case .name:
      switch expectation {
      case .spread:
        if text(token) == "on" {
          expectation = .condition(in: type)
        } else {
          location = .fragmentSpread
          nextFragment = text(token)
          expectation = .selection(of: type)
        }
      case .condition:
        nextType = symbol(token).flatMap { schema.type(named: $0) }
        expectation = .selection(of: type)
      case .directive:
        readDirective(token)
        expectation = .selection(of: type)
      default:
        if next?.kind == .colon { return }
        nextFragment = nil
        let field = type.flatMap { type in symbol(token).flatMap { schema.field($0, of: type) } }
        nextType = field.map { schema[$0].type.namedType }
        nextArguments = field.map { schema[$0].arguments }
        location = .field
        expectation = .selection(of: type)
      }
    case .at: expectation = .directive(location)
    case .leftParenthesis:
      if let fragment = nextFragment, nextArguments == nil {
        let variables = fragmentVariables(fragment)
        frames.append(.spreadArguments(variables, []))
        expectation = .fragmentVariable(variables, besides: [])
        nextFragment = nil
      } else {
        pushArguments(nextArguments)
      }
    case .leftBrace:
      frames.append(.selections(nextType))
      expectation = .selection(of: nextType)
    case .rightBrace: pop(token)
    default: break
    }
  }

  private mutating func readDirective(_ token: Token) {
    nextArguments =
      symbol(token).flatMap { schema.directive(named: $0) }.map { schema[$0].arguments } ?? .empty
  }

  private mutating func pushArguments(_ definitions: NodeList<Schema.InputValue>?) {
    frames.append(.arguments(definitions, []))
    expectation = definitions.map { .argument(of: $0, besides: []) } ?? .nothing
  }

  private mutating func readArgument(
    _ token: Token, _ definitions: NodeList<Schema.InputValue>?, _ names: Set<String>
  ) {
    switch token.kind {
    case .rightParenthesis: return pop(token)
    case .name where isExpectingName:
      let name = text(token)
      let found = definitions.flatMap { list in
        symbol(token).flatMap { schema.argument($0, in: list) }
      }
      valueType = found.map { schema[$0].type }
      frames[frames.count - 1] = .arguments(definitions, names.union([name]))
      expectation = .nothing
    case .colon: expectation = .value(valueType)
    default:
      readValue(token, valueType)
      if frames.count > 0, case .arguments = frames[frames.count - 1], isComplete(token) {
        expectation = definitions.map { .argument(of: $0, besides: names) } ?? .nothing
      }
    }
  }

  private mutating func readSpreadArgument(
    _ token: Token, _ variables: [FragmentVariable], _ names: Set<String>
  ) {
    switch token.kind {
    case .rightParenthesis: return pop(token)
    case .name where isExpectingName:
      let name = text(token)
      valueType = variables.first { $0.name == name }?.type
      frames[frames.count - 1] = .spreadArguments(variables, names.union([name]))
      expectation = .nothing
    case .colon: expectation = .value(valueType)
    default:
      readValue(token, valueType)
      if case .spreadArguments? = frames.last, isComplete(token) {
        expectation = .fragmentVariable(variables, besides: names)
      }
    }
  }

  private mutating func readInputField(
    _ token: Token, of type: Schema.NamedType.ID?, _ names: Set<String>
  ) {
    switch token.kind {
    case .rightBrace: return pop(token)
    case .name where isExpectingName:
      let found = type.flatMap { type in symbol(token).flatMap { schema.inputField($0, of: type) } }
      valueType = found.map { schema[$0].type }
      frames[frames.count - 1] = .object(type, names.union([text(token)]))
      expectation = .nothing
    case .colon: expectation = .value(valueType)
    default:
      readValue(token, valueType)
      if case .object? = frames.last, isComplete(token) {
        expectation = type.map { .inputField(of: $0, besides: names) } ?? .nothing
      }
    }
  }

  private mutating func readItem(_ token: Token, _ type: ResolvedType?) {
    guard token.kind != .rightBracket else { return pop(token) }
    readValue(token, type)
    if case .list? = frames.last { expectation = .value(type) }
    if token.kind == .dollar { expectation = .variable(type) }
  }

  /// Reads a token of a value: a bracket opens a list, everything else is a whole value.
  private mutating func readValue(_ token: Token, _ type: ResolvedType?) {
    switch token.kind {
    case .leftBracket:
      // The type of a default value is known without the brackets around it.
      let item = type?.item ?? type
      frames.append(.list(item))
      expectation = .value(item)
    case .leftBrace:
      let object = type.flatMap {
        schema[$0.namedType].kind == .inputObject ? $0.namedType : nil
      }
      frames.append(.object(object, []))
      expectation = object.map { .inputField(of: $0, besides: []) } ?? .nothing
    case .dollar: expectation = .variable(type)
    default: break
    }
  }

  /// `true` where the next name is that of an argument or an input field, and not a value.
  private var isExpectingName: Bool {
    switch expectation {
    case .value, .variable: false
    default: true
    }
  }

  private var isExpectingDirective: Bool {
    if case .directive = expectation { true } else { false }
  }

  private func isComplete(_ token: Token) -> Bool {
    switch token.kind {
    case .name, .int, .float, .string, .blockString: true
    default: false
    }
  }

  private mutating func readVariable(_ token: Token, _ next: Token?) {
    switch token.kind {
    case .rightParenthesis: pop(token)
    case .dollar: expectation = .nothing
    case .name:
      if case .directive = expectation {
        readDirective(token)
        expectation = .nothing
      } else if case .inputType = expectation {
        if !variables.isEmpty { variables[variables.count - 1].type += text(token) }
        valueType = symbol(token).flatMap { schema.type(named: $0) }.map { ResolvedType($0) }
        expectation = .nothing
      } else if case .value = expectation {
        expectation = .nothing
      } else if next?.kind == .colon || next == nil {
        variables.append((text(token), ""))
      }
    case .colon: expectation = .inputType
    case .leftBracket:
      if case .value = expectation { return readValue(token, valueType) }
      appendToType("[")
    case .rightBracket: appendToType("]")
    case .bang: appendToType("!")
    case .equals: expectation = .value(valueType)
    case .at:
      expectation = .directive(isSchemaDefinition ? .argumentDefinition : .variableDefinition)
    case .leftParenthesis: pushArguments(nextArguments)
    case .leftBrace: readValue(token, valueType)
    // A default value.
    default: if isComplete(token) { expectation = .nothing }
    }
  }

  private mutating func appendToType(_ text: String) {
    guard case .variables? = frames.last, !variables.isEmpty else { return }
    variables[variables.count - 1].type += text
  }

  private mutating func readMember(_ token: Token) {
    if case .value = expectation, token.kind == .leftBracket || token.kind == .leftBrace {
      return readValue(token, valueType)
    }
    switch token.kind {
    case .rightBrace: pop(token)
    case .colon, .leftBracket: expectation = isInput ? .inputType : .outputType
    case .equals where isInput: expectation = .value(valueType)
    case .at:
      expectation = .directive(
        isInput ? .inputFieldDefinition : isEnum ? .enumValue : .fieldDefinition)
    case .name:
      if case .directive = expectation { readDirective(token) } else { nextArguments = nil }
      if case .inputType = expectation {
        valueType = symbol(token).flatMap { schema.type(named: $0) }.map { ResolvedType($0) }
      }
      expectation = .nothing
    case .leftParenthesis:
      if let nextArguments {
        pushArguments(nextArguments)
      } else {
        frames.append(.argumentDefinitions)
        expectation = .nothing
      }
    // A default value.
    default: if isComplete(token) { expectation = .nothing }
    }
  }

  /// Leaves the innermost list, and expects what its surroundings do.
  private mutating func pop(_ token: Token) {
    frames.removeLast()
    nextArguments = nil
    switch frames.last {
    // A body ends a definition; the brackets of variables and of arguments do not.
    case nil: expectation = token.kind == .rightBrace ? .definition : .nothing
    case .selections(let type): expectation = .selection(of: type)
    case .arguments(let list, let names):
      expectation = list.map { .argument(of: $0, besides: names) } ?? .nothing
    case .spreadArguments(let variables, let names):
      expectation = .fragmentVariable(variables, besides: names)
    case .object(let type, let names):
      expectation = type.map { .inputField(of: $0, besides: names) } ?? .nothing
    case .list(let type): expectation = .value(type)
    case .variables, .members, .argumentDefinitions: expectation = .nothing
    }
  }
}
