import GraphQLSchema
import GraphQLSyntax
package import GraphQLValidation

/// Builds the program of a project from its operations and fragments.
///
/// 1. Every definition is declared, so that spreads can refer to later fragments.
/// 2. The selection sets of each definition are lowered: types, conditions and response keys are
///    resolved, and duplicates are merged.
/// 3. Facts about fragments are passed on to the definitions that use them.
/// 4. The documents that are sent are validated. If a key field that is added conflicts with
///    another field, steps 2 to 4 are repeated with an alias for it.
/// 5. ``Merging`` adds the fields that models show besides their own.
/// 6. The types of the schema that the program refers to are collected.
///
/// - Parameters:
///   - document: The operations and fragments, which are valid.
///   - configuration: The rules that the document was held to.
///   - merging: The selection sets whose fields a model shows besides its own.
///   - options: Parts to omit, and the format of documents.
///   - initializers: The definitions whose models have initializers, besides those whose models can
///     be changed.
/// - Returns: The program.
/// - Complexity: Linear in the document, unless fragments spread all others. An initializer takes
///   every field of every fragment below it, and is as long as that.
package func lower(
  _ document: ValidatedDocument, configuration: ValidationConfiguration = .init(),
  merging: MergingOptions = .all,
  options: LoweringOptions = [], initializers: InitializerOptions = InitializerOptions()
) -> Program {
  var lowering = Lowering(document.document, document.schema)
  lowering.writesLegacyDocuments = options.contains(.legacyDocuments)
  lowering.lowerDocuments(configuration)
  lowering.markDefinitions(initializers, merging)
  var program = Merging.merge(lowering.program, merging)
  program.types = ReferencedTypes(
    of: program, lowering.schema, isReduced: options.contains(.reducedTypes))
  return program
}

/// Options that change a program.
package struct LoweringOptions: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Omits object types that nothing refers to.
  package static let reducedTypes = Self(rawValue: 1)
  /// Documents have `__typename` where the legacy safelist of Apollo's tools has it.
  package static let legacyDocuments = Self(rawValue: 2)
}

/// Lowers the definitions of a document one after the other. Facts about other definitions are
/// looked up and never recomputed.
struct Lowering {
  let document: Document
  var schema: SchemaView
  var program: Program
  /// Adds `__typename` to inline fragments too, and omits what the source has of it, if `true`.
  var writesLegacyDocuments = false
  private var fragmentIDs: [Symbol: Definition.ID] = [:]
  /// The definitions as they are written, in the order of those of the program.
  private var sources: [GraphQLSyntax.Definition] = []
  /// The fragments that the definition being lowered spreads.
  var spreadFragments: [Definition.ID] = []

  init(_ document: Document, _ schema: Schema) {
    self.document = document
    self.schema = SchemaView(schema)
    program = Program(schema: schema)
  }

  func fragment(named name: Symbol) -> Definition.ID? { fragmentIDs[name] }

  /// Lowers all definitions, with aliases for the key fields that would conflict in a response.
  mutating func lowerDocuments(_ configuration: ValidationConfiguration) {
    declareDefinitions()
    let declared = program
    while true {
      lowerDefinitions()
      linkFragments()
      let check = SentDocuments.check(self, configuration)
      guard let type = check.typeToAlias, schema.addAliases(to: type, besides: document.names)
      else {
        program.documentProblems = check.diagnostics
        return
      }
      program = declared
    }
  }

  // MARK: - Definitions

  /// Gives every definition its index, so that spreads can refer to later fragments.
  mutating func declareDefinitions() {
    for definition in document.definitions {
      switch definition {
      case .operation(let id) where document[id].name != nil: declare(document[id])
      case .fragment(let id): declare(document[id])
      case .operation, .schema, .type, .directive: continue
      }
      sources.append(definition)
    }
  }

  private mutating func declare(_ operation: GraphQLSyntax.OperationDefinition) {
    guard let name = operation.name else { return }
    let kind: Definition.Kind =
      switch operation.kind {
      case .query: .query
      case .mutation: .mutation
      case .subscription: .subscription
      }
    add(kind, name, operation.description, operation.directives)
  }

  private mutating func declare(_ fragment: GraphQLSyntax.FragmentDefinition) {
    fragmentIDs[fragment.name.symbol] = Definition.ID(program.definitions.count)
    add(.fragment, fragment.name, fragment.description, fragment.directives)
  }

  private mutating func add(
    _ kind: Definition.Kind, _ name: GraphQLSyntax.Name,
    _ description: GraphQLSyntax.StringLiteral?, _ directives: GraphQLSyntax.Directive.List
  ) {
    var definition = Definition(
      kind: kind, name: document.spelling(name), span: name.span,
      description: description.map { document.string($0) }, root: SelectionSet.ID(0))
    definition.maxAge = schema.maxAge(directives, in: document)
    if definition.maxAge != nil { program.hasMaxAges = true }
    definition.nullability = schema.nullability.rules(
      for: directives, ofFragment: kind == .fragment, in: document)
    for directive in document[directives] {
      let name = document.spelling(directive.name)
      if name == ClientDirective.localCacheMutation { definition.isMutable = true }
      guard name == ClientDirective.importModule else { continue }
      for argument in document[directive.arguments] {
        guard case .string(let literal) = argument.value.content else { continue }
        definition.importedModules.append(document.string(literal))
      }
    }
    program.definitions.append(definition)
  }

  mutating func lowerDefinitions() {
    for (index, definition) in sources.enumerated() {
      switch definition {
      case .operation(let id): lower(document[id], as: Definition.ID(index))
      case .fragment(let id): lower(document[id], as: Definition.ID(index))
      case .schema, .type, .directive: continue
      }
    }
  }

  /// Returns the text of a definition, with the places that it comes from.
  func documentText(of id: Definition.ID) -> DocumentText? {
    switch sources[id.index] {
    case .operation(let id): documentText(of: document[id])
    case .fragment(let id): documentText(of: document[id])
    case .schema, .type, .directive: nil
    }
  }

  private func documentText(of operation: GraphQLSyntax.OperationDefinition) -> DocumentText? {
    schema.rootType(of: operation.kind).map {
      DocumentText.text(
        of: operation, root: $0, in: document, schema, isLegacy: writesLegacyDocuments)
    }
  }

  private func documentText(of fragment: GraphQLSyntax.FragmentDefinition) -> DocumentText? {
    schema.type(named: fragment.typeCondition.symbol).map {
      DocumentText.text(
        of: fragment, type: $0, in: document, schema, isLegacy: writesLegacyDocuments)
    }
  }

  private mutating func lower(_ operation: GraphQLSyntax.OperationDefinition, as id: Definition.ID)
  {
    guard let type = schema.rootType(of: operation.kind), let text = documentText(of: operation)
    else { return }
    program[id].variables = document[operation.variables].compactMap { variable in
      schema.valueType(of: variable.type).map {
        Variable(
          name: document.spelling(variable.name), type: $0,
          defaultValue: variable.defaultValue.flatMap(document.literal), span: variable.span)
      }
    }
    if !program[id].isLocalCacheMutation { program[id].text = text.text }
    lowerRoot(operation.selectionSet, on: type, naming: text.spreads, as: id)
  }

  private mutating func lower(_ fragment: GraphQLSyntax.FragmentDefinition, as id: Definition.ID) {
    guard let type = schema.type(named: fragment.typeCondition.symbol),
      let text = documentText(of: fragment)
    else { return }
    program[id].text = text.text
    lowerRoot(fragment.selectionSet, on: type, naming: text.spreads, as: id)
  }

  private mutating func lowerRoot(
    _ set: GraphQLSyntax.SelectionSet, on type: Schema.NamedType.ID, naming spreads: [Symbol],
    as id: Definition.ID
  ) {
    spreadFragments = []
    program[id].root = lower(
      [Origin(content: .selections(set), type: type)],
      SelectionSet(
        definition: id, parent: nil, role: .root, parentType: type,
        parentTypeName: schema.name(of: type), fulfilledConditions: [], isSynthesized: false))
    program[id].spreadFragments = spreadFragments
    for name in spreads {
      guard let fragment = fragment(named: name),
        !program[id].namedFragments.contains(fragment)
      else { continue }
      program[id].excludedFragments.append(fragment)
    }
  }
}

/// The definitions whose models have initializers.
package struct InitializerOptions: Hashable, Sendable {
  /// Includes all operations, if `true`.
  package var operations = false
  /// Includes all named fragments, if `true`.
  package var namedFragments = false
  /// The GraphQL names of further definitions.
  package var definitionsNamed: Set<String> = []

  package init() {}

  func include(_ definition: Definition) -> Bool {
    (definition.kind == .fragment ? namedFragments : operations)
      || definitionsNamed.contains(definition.name)
  }
}
