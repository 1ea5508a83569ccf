import GraphQLSchema
import GraphQLSyntax

/// The traversal of a document that all rules share.
///
/// 1. Visit each definition, depth first. At each node, call the rules for this kind of node
///    directly.
/// 2. Pass the static type down the call stack, and record it in `types`.
/// 3. Record fragment spreads and variable usages in `facts`.
/// 4. After the last definition, call the rules that need the whole document.
///
/// To add a rule, write its `check` function in a file of its own, add a case to
/// ``ValidationRule``, and call the function here.
struct DocumentTraversal {
  var context: ValidationContext
  var types: StaticTypes
  var facts: DocumentFacts
  private var operationNames: FirstUses
  private var fragmentNames: FirstUses
  /// The first uses of directives on types and the schema, which have several definitions.
  var firstDirectiveUses: [DirectiveOwner: [Symbol: SourceSpan]] = [:]

  init(_ context: ValidationContext) {
    self.context = context
    types = StaticTypes(of: context.document)
    facts = DocumentFacts(of: context.document)
    operationNames = FirstUses(nameCount: context.document.names.count)
    fragmentNames = FirstUses(nameCount: context.document.names.count)
  }

  /// Visits every definition, then checks the rules that need the whole document.
  mutating func run() {
    for definition in context.document.definitions where !context.isFull {
      switch definition {
      case .operation(let id): visit(id)
      case .fragment(let id): visit(id)
      case .schema, .type, .directive: visit(typeSystem: definition)
      }
    }
    guard !context.isFull else { return }
    facts.findUsesOfVariables(in: context.document)
    LoneAnonymousOperation.check(in: &context)
    SingleFieldSubscriptions.check(facts, in: &context)
    NoUnusedFragments.check(facts, in: &context)
    NoFragmentCycles.check(facts, in: &context)
    VariablesOfOperations.check(facts, in: &context)
    // With fragment variables, the same words in two fragments can mean different values. The rule
    // is checked when the spreads have been expanded.
    if !context.document.hasFragmentArguments {
      OverlappingFieldsCanBeMerged.check(types, facts, in: &context)
    }
    MaxIntrospectionDepth.check(facts, in: &context)
  }
}

// MARK: - Definitions

extension DocumentTraversal {
  private mutating func visit(_ id: OperationDefinition.ID) {
    let mark = facts.mark
    let operation = context.document[id]
    UniqueOperationNames.check(operation, after: &operationNames, in: &context)
    KnownOperationTypes.check(operation, in: &context)
    UniqueVariableNames.check(operation.variables, in: &context)
    for variable in operation.variables { visit(variable) }
    visit(operation.directives, at: operation.kind.directiveLocation)
    visit(operation.selectionSet, in: compositeRootType(of: operation.kind))
    facts.close(.operation(id), since: mark)
  }

  private func compositeRootType(of kind: OperationKind) -> Schema.NamedType.ID? {
    context.schema.rootType(kind).flatMap { context.composite($0) }
  }

  private mutating func visit(_ id: VariableDefinition.ID) {
    let variable = context.document[id]
    KnownTypeNames.check(variable.type.name, in: &context)
    VariablesAreInputTypes.check(variable, in: &context)
    if let value = variable.defaultValue {
      let type = context.resolve(variable.type)
      visit(value, in: ValueLocation(type: type.flatMap { context.schema.isInput($0) ? $0 : nil }))
    }
    visit(variable.directives, at: .variableDefinition)
  }

  private mutating func visit(_ id: FragmentDefinition.ID) {
    let mark = facts.mark
    let fragment = context.document[id]
    UniqueFragmentNames.check(fragment, after: &fragmentNames, in: &context)
    KnownTypeNames.check(fragment.typeCondition, in: &context)
    FragmentsOnCompositeTypes.check(fragment, in: &context)
    UniqueVariableNames.check(fragment.variables, in: &context)
    for variable in fragment.variables { visit(variable) }
    visit(fragment.directives, at: .fragmentDefinition)
    let type = context.schema.type(named: fragment.typeCondition.symbol)
    visit(fragment.selectionSet, in: type.flatMap { context.composite($0) })
    if !fragment.variables.isEmpty {
      FragmentVariables.check(fragment, &facts, since: mark, in: &context)
    }
    facts.close(.fragment(id), since: mark)
  }
}

// MARK: - Selections

extension DocumentTraversal {
  private mutating func visit(_ selectionSet: SelectionSet, in parent: Schema.NamedType.ID?) {
    if let parent { types.setParentType(parent, of: selectionSet) }
    for selection in selectionSet.selections where !context.isFull {
      switch context.document[selection] {
      case .field(let id): visit(id, in: parent)
      case .fragmentSpread(let id): visit(id, in: parent)
      case .inlineFragment(let id): visit(id, in: parent)
      }
    }
  }

  private mutating func visit(_ id: Field.ID, in parent: Schema.NamedType.ID?) {
    let field = context.document[id]
    guard let parent, let definition = context.schema.field(field.name.symbol, of: parent) else {
      if let parent { FieldsOnCorrectType.check(field, on: parent, in: &context) }
      return visitUnknown(field)
    }
    types.setDefinition(definition, of: id)
    let meaning = context.schema[definition]
    NoSchemaIntrospection.check(field, of: meaning.type.namedType, in: &context)
    NoDeprecated.check(field, meaning: definition, on: parent, in: &context)
    visit(field.arguments, of: .field(definition, parent: parent), meaning.arguments)
    ProvidedRequiredArguments.check(field, meaning.arguments, in: &context)
    visit(field.directives, at: .field)
    ScalarLeafs.check(field, of: meaning.type, in: &context)
    if let selectionSet = field.selectionSet {
      visit(selectionSet, in: context.composite(meaning.type.namedType))
    }
  }

  /// Visits the contents of a field without a definition.
  private mutating func visitUnknown(_ field: Field) {
    UniqueArgumentNames.check(field.arguments, in: &context)
    for argument in field.arguments {
      visit(context.document[argument].value, in: ValueLocation(type: nil))
    }
    visit(field.directives, at: .field)
    if let selectionSet = field.selectionSet { visit(selectionSet, in: nil) }
  }

  private mutating func visit(_ id: FragmentSpread.ID, in parent: Schema.NamedType.ID?) {
    let spread = context.document[id]
    let fragment = facts.fragment(named: spread.name.symbol)
    facts.add(id, isKnown: fragment != nil)
    KnownFragmentNames.check(spread, isKnown: fragment != nil, in: &context)
    if let fragment, let parent {
      PossibleFragmentSpreads.check(spread, of: fragment, in: parent, in: &context)
    }
    visitArguments(of: spread, fragment.map { context.document[$0] })
    visit(spread.directives, at: .fragmentSpread)
  }

  /// Visits the arguments of a spread, whose definitions are the variables of the fragment.
  private mutating func visitArguments(
    of spread: FragmentSpread, _ fragment: FragmentDefinition?
  ) {
    let variables = fragment.map { context.document[$0.variables] } ?? []
    UniqueArgumentNames.check(spread.arguments, in: &context)
    for argument in context.document[spread.arguments] {
      var location = ValueLocation(type: nil)
      if let variable = variables.first(where: { $0.name.symbol == argument.name.symbol }) {
        location = FragmentVariables.location(of: variable, in: context)
      } else if fragment != nil {
        KnownArgumentNames.report(
          argument, of: .fragment(spread.name.symbol),
          among: variables.map { context.spelling($0.name) }, in: &context)
      }
      visit(argument.value, in: location)
    }
    for variable in variables where variable.isRequired && !context.isFull {
      let isGiven = context.document[spread.arguments].contains {
        $0.name.symbol == variable.name.symbol
      }
      if !isGiven { ProvidedRequiredArguments.report(variable, missingIn: spread, in: &context) }
    }
  }

  private mutating func visit(_ id: InlineFragment.ID, in parent: Schema.NamedType.ID?) {
    let fragment = context.document[id]
    var type = parent
    if let condition = fragment.typeCondition {
      KnownTypeNames.check(condition, in: &context)
      FragmentsOnCompositeTypes.check(fragment, in: &context)
      type = context.schema.type(named: condition.symbol).flatMap { context.composite($0) }
      if let type, let parent {
        PossibleFragmentSpreads.check(fragment, of: type, in: parent, in: &context)
      }
    }
    visit(fragment.directives, at: .inlineFragment)
    visit(fragment.selectionSet, in: type)
  }
}

// MARK: - Directives and arguments

extension DocumentTraversal {
  mutating func visit(_ directives: Directive.List, at location: DirectiveLocation) {
    guard !directives.isEmpty else { return }
    UniqueDirectivesPerLocation.check(directives, in: &context)
    visitEach(directives, at: location)
  }

  mutating func visitEach(_ directives: Directive.List, at location: DirectiveLocation) {
    for id in directives {
      let directive = context.document[id]
      if let definition = context.names.ownDefinitions.directives[directive.name.symbol] {
        visit(directive, definedBy: definition, at: location)
        continue
      }
      let definition = context.schema.directive(named: directive.name.symbol)
      KnownDirectives.check(directive, definition, at: location, in: &context)
      if let definition { NoDeprecated.check(directive, meaning: definition, in: &context) }
      let arguments = definition.map { context.schema[$0].arguments }
      visit(directive.arguments, of: .directive(directive.name.symbol), arguments)
      if let arguments { ProvidedRequiredArguments.check(directive, arguments, in: &context) }
    }
  }

  /// Visits the arguments of a field or a directive, and their values.
  ///
  /// - Parameters:
  ///   - arguments: The arguments as written.
  ///   - owner: The field or directive that has the arguments.
  ///   - definitions: The arguments that `owner` defines, or `nil` if `owner` is unknown.
  private mutating func visit(
    _ arguments: Argument.List,
    of owner: ArgumentOwner,
    _ definitions: NodeList<Schema.InputValue>?
  ) {
    guard !arguments.isEmpty else { return }
    UniqueArgumentNames.check(arguments, in: &context)
    for id in arguments {
      let argument = context.document[id]
      var location = ValueLocation(type: nil)
      if let definitions {
        if let definition = context.schema.argument(argument.name.symbol, in: definitions) {
          NoDeprecated.check(argument, meaning: definition, of: owner, in: &context)
          location = ValueLocation(of: context.schema[definition])
        } else {
          KnownArgumentNames.report(argument, of: owner, definitions, in: &context)
        }
      }
      visit(argument.value, in: location)
    }
  }
}

// MARK: - Values

extension DocumentTraversal {
  mutating func visit(_ value: Value, in location: ValueLocation) {
    switch value.content {
    case .variable(let name):
      facts.add(
        VariableUsage(
          name: name, span: value.span, expectedType: location.type,
          hasLocationDefault: location.hasDefault, oneOf: location.oneOf))
    case .list(let items): visit(items, of: value, in: location)
    case .object(let fields): visit(fields, of: value, in: location)
    case .enum(let symbol):
      if let type = location.type {
        ValuesOfCorrectType.check(value, is: type, in: &context)
        NoDeprecated.check(symbol, at: value.span, in: type.namedType, in: &context)
      }
    default:
      if let type = location.type { ValuesOfCorrectType.check(value, is: type, in: &context) }
    }
  }

  private mutating func visit(_ items: Value.List, of list: Value, in location: ValueLocation) {
    if let type = location.type, !type.isList {
      ValuesOfCorrectType.check(list, is: type, in: &context)
    }
    let itemLocation = ValueLocation(type: location.type?.item)
    for item in items { visit(context.document[item], in: itemLocation) }
  }

  private mutating func visit(
    _ fields: ObjectField.List, of object: Value, in location: ValueLocation
  ) {
    UniqueInputFieldNames.check(fields, in: &context)
    guard let type = location.type, context.schema[type.namedType].kind == .inputObject else {
      if let type = location.type { ValuesOfCorrectType.check(object, is: type, in: &context) }
      for field in fields { visit(context.document[field].value, in: ValueLocation(type: nil)) }
      return
    }
    ValuesOfCorrectType.check(fields, of: object, are: type.namedType, in: &context)
    for id in fields {
      let field = context.document[id]
      var fieldLocation = ValueLocation(type: nil)
      if let definition = context.schema.inputField(field.name.symbol, of: type.namedType) {
        NoDeprecated.check(field, meaning: definition, in: &context)
        fieldLocation = ValueLocation(of: context.schema[definition])
        if context.schema[type.namedType].isOneOf { fieldLocation.oneOf = type.namedType }
      } else {
        ValuesOfCorrectType.reportUnknown(field, of: type.namedType, in: &context)
      }
      visit(field.value, in: fieldLocation)
    }
  }
}

// MARK: - Locations

/// The expectations at the position of a value.
struct ValueLocation {
  /// The expected type, or `nil` if any value is accepted or nothing is known.
  var type: ResolvedType?
  /// A Boolean value that indicates whether the argument or input field has a default value.
  var hasDefault = false
  /// The `@oneOf` input object to whose field the value belongs, or `nil`.
  var oneOf: Schema.NamedType.ID?

  init(type: ResolvedType?) {
    self.type = type
  }

  init(of definition: Schema.InputValue) {
    type = definition.type
    hasDefault = definition.hasDefaultValue
  }
}
