import GraphQLSchema
import GraphQLSyntax

/// Finds the names in definitions and what they mean.
///
/// Names without a meaning, such as unknown fields, are left out.
struct OccurrenceSearch {
  private let document: Document
  private let schema: Schema
  private(set) var occurrences: [Occurrence] = []
  /// The fragment that is visited and has variables, with their names.
  private var scope: (fragment: String, variables: Set<Symbol>)?

  /// Creates a search in a document, which must continue the names of the schema.
  init(_ document: Document, _ schema: Schema) {
    self.document = document
    self.schema = schema
  }

  /// Returns the occurrences in all definitions that intersect `span`, in the order of the text.
  static func occurrences(
    in document: Document, _ schema: Schema, around span: SourceSpan
  ) -> [Occurrence] {
    var search = OccurrenceSearch(document, schema)
    for definition in document.definitions {
      let part = document.span(of: definition)
      if part.start <= span.end, span.start <= part.end { search.visit(definition) }
    }
    return search.occurrences.sorted { $0.span.start < $1.span.start }
  }

  mutating func visit(_ definition: Definition) {
    switch definition {
    case .operation(let id): visit(document[id])
    case .fragment(let id): visit(document[id])
    case .schema(let id): visit(document[id])
    case .type(let id): visit(document[id])
    case .directive(let id): visit(document[id])
    }
  }

  private mutating func add(
    _ meaning: Meaning?, _ span: SourceSpan, isDefinition: Bool = false
  ) {
    guard let meaning else { return }
    occurrences.append(Occurrence(meaning: meaning, span: span, isDefinition: isDefinition))
  }

  private mutating func add(type name: Name, isDefinition: Bool = false) {
    add(schema.type(named: name.symbol).map { .type($0) }, name.span, isDefinition: isDefinition)
  }
}

// MARK: - Operations

extension OccurrenceSearch {
  private mutating func visit(_ operation: OperationDefinition) {
    if let name = operation.name {
      add(.operation(document.spelling(name)), name.span, isDefinition: true)
    }
    visit(operation.variables)
    visit(operation.directives)
    visit(operation.selectionSet, of: schema.rootType(operation.kind))
  }

  private mutating func visit(_ variables: VariableDefinition.List) {
    for variable in document[variables] {
      add(meaning(of: variable.name.symbol), variable.variableSpan, isDefinition: true)
      add(type: variable.type.name)
      if let value = variable.defaultValue { visit(value, schema.resolve(variable.type)) }
      visit(variable.directives)
    }
  }

  /// Returns the meaning of a variable: that of the fragment around it, or else of the operation.
  private func meaning(of variable: Symbol) -> Meaning {
    let name = document.spelling(variable)
    guard let scope, scope.variables.contains(variable) else { return .variable(name) }
    return .fragmentVariable(name, of: scope.fragment)
  }

  private mutating func visit(_ fragment: FragmentDefinition) {
    let name = document.spelling(fragment.name)
    scope = (name, Set(document[fragment.variables].map(\.name.symbol)))
    defer { scope = nil }
    add(.fragment(name), fragment.name.span, isDefinition: true)
    visit(fragment.variables)
    add(type: fragment.typeCondition)
    visit(fragment.directives)
    visit(fragment.selectionSet, of: schema.type(named: fragment.typeCondition.symbol))
  }

  private mutating func visit(_ selectionSet: SelectionSet, of type: Schema.NamedType.ID?) {
    for id in selectionSet.selections {
      switch document[id] {
      case .field(let id): visit(document[id], of: type)
      case .fragmentSpread(let id):
        let spread = document[id]
        let name = document.spelling(spread.name)
        add(.fragment(name), spread.name.span)
        for argument in document[spread.arguments] {
          // The fragment can be in another file.
          add(
            .fragmentVariable(document.spelling(argument.name), of: name), argument.name.span)
          visit(argument.value, inputType(of: argument.name.symbol, of: spread.name.symbol))
        }
        visit(spread.directives)
      case .inlineFragment(let id):
        let fragment = document[id]
        if let condition = fragment.typeCondition { add(type: condition) }
        visit(fragment.directives)
        visit(
          fragment.selectionSet,
          of: fragment.typeCondition.map { schema.type(named: $0.symbol) } ?? type)
      }
    }
  }

  /// Returns the type of a variable of a fragment in this document.
  private func inputType(of variable: Symbol, of fragment: Symbol) -> ResolvedType? {
    document.fragments.first { $0.name.symbol == fragment }
      .flatMap { document[$0.variables].first { $0.name.symbol == variable } }
      .flatMap { schema.resolve($0.type) }
  }

  private mutating func visit(_ field: Field, of parent: Schema.NamedType.ID?) {
    let definition = parent.flatMap { schema.field(field.name.symbol, of: $0) }
    if let alias = field.alias {
      add(.alias(document.spelling(alias), of: definition), alias.span, isDefinition: true)
    }
    add(definition.map { .field($0) }, field.name.span)
    visit(field.arguments, definition.map { schema[$0].arguments })
    visit(field.directives)
    if let selectionSet = field.selectionSet {
      visit(selectionSet, of: definition.map { schema[$0].type.namedType })
    }
  }
}

// MARK: - Directives and values

extension OccurrenceSearch {
  private mutating func visit(_ directives: Directive.List) {
    for directive in document[directives] {
      let definition = schema.directive(named: directive.name.symbol)
      add(definition.map { .directive($0) }, directive.name.span)
      visit(directive.arguments, definition.map { schema[$0].arguments })
    }
  }

  private mutating func visit(
    _ arguments: Argument.List, _ definitions: NodeList<Schema.InputValue>?
  ) {
    for argument in document[arguments] {
      let definition = definitions.flatMap { schema.argument(argument.name.symbol, in: $0) }
      add(definition.map { .inputValue($0) }, argument.name.span)
      visit(argument.value, definition.map { schema[$0].type })
    }
  }

  private mutating func visit(_ value: Value, _ type: ResolvedType?) {
    switch value.content {
    case .variable(let name): add(meaning(of: name), value.span)
    case .enum(let name):
      add(
        type.flatMap { schema.enumValue(name, of: $0.namedType) }.map { .enumValue($0) },
        value.span)
    case .list(let items):
      for item in document[items] { visit(item, type?.item ?? type) }
    case .object(let fields):
      for field in document[fields] {
        let definition = type.flatMap { schema.inputField(field.name.symbol, of: $0.namedType) }
        add(definition.map { .inputValue($0) }, field.name.span)
        visit(field.value, definition.map { schema[$0].type })
      }
    case .int, .float, .string, .boolean, .null: break
    }
  }
}

// MARK: - Type systems

extension OccurrenceSearch {
  private mutating func visit(_ definition: SchemaDefinition) {
    visit(definition.directives)
    for root in document[definition.rootOperationTypes] { add(type: root.type) }
  }

  private mutating func visit(_ definition: TypeDefinition) {
    let type = schema.type(named: definition.name.symbol)
    add(type: definition.name, isDefinition: !definition.isExtension)
    visit(definition.directives)
    for name in document[definition.interfaces] { add(type: name) }
    for name in document[definition.members] { add(type: name) }
    for field in document[definition.fields] {
      let meaning = type.flatMap { schema.ownField(field.name.symbol, of: $0) }
      add(meaning.map { .field($0) }, field.name.span, isDefinition: true)
      visit(field.arguments, meaning.map { schema[$0].arguments })
      add(type: field.type.name)
      visit(field.directives)
    }
    for value in document[definition.values] {
      let meaning = type.flatMap { schema.enumValue(value.name.symbol, of: $0) }
      add(meaning.map { .enumValue($0) }, value.name.span, isDefinition: true)
      visit(value.directives)
    }
    for field in document[definition.inputFields] {
      visit(field, type.flatMap { schema.inputField(field.name.symbol, of: $0) })
    }
  }

  private mutating func visit(_ definition: DirectiveDefinition) {
    let directive = schema.directive(named: definition.name.symbol)
    add(
      directive.map { .directive($0) }, definition.name.span,
      isDefinition: !definition.isExtension)
    visit(definition.arguments, directive.map { schema[$0].arguments })
    visit(definition.directives)
  }

  private mutating func visit(
    _ arguments: InputValueDefinition.List, _ definitions: NodeList<Schema.InputValue>?
  ) {
    for argument in document[arguments] {
      visit(argument, definitions.flatMap { schema.argument(argument.name.symbol, in: $0) })
    }
  }

  private mutating func visit(_ value: InputValueDefinition, _ meaning: Schema.InputValue.ID?) {
    add(meaning.map { .inputValue($0) }, value.name.span, isDefinition: true)
    add(type: value.type.name)
    if let standard = value.defaultValue { visit(standard, schema.resolve(value.type)) }
    visit(value.directives)
  }
}
