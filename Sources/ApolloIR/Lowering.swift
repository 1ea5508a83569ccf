import GraphQLSchema
import GraphQLSyntax
package import GraphQLValidation

/// Builds the program of a project from its operations and fragments.
///
/// - Parameters:
///   - document: The operations and fragments, which are valid.
///   - merging: Whose fields each model shows besides its own.
///   - options: What is left out, and how documents are spelled.
///   - initializers: Which definitions have models with initializers, besides those whose models
///     can be changed.
/// - Returns: The program that the generator renders.
/// - Complexity: Linear in the document, as long as fragments do not spread all others. Initializers
///   take every field of every fragment below them, so that theirs are as long as that.
package func lower(
  _ document: ValidatedDocument, merging: MergingOptions = .all,
  options: LoweringOptions = [], initializers: InitializerOptions = InitializerOptions()
) -> Program {
  var lowering = Lowering(document.document, document.schema)
  lowering.omitsWrittenTypenames = options.contains(.legacyDocuments)
  lowering.declareDefinitions()
  lowering.lowerDefinitions()
  lowering.linkFragments()
  lowering.markDefinitions(initializers, merging)
  lowering.dropUnusedVariables()
  var program = Merging.merge(lowering.program, merging)
  program.types = ReferencedTypes(
    of: program, lowering.schema, isReduced: options.contains(.reducedTypes))
  return program
}

/// How a program differs from the usual one.
package struct LoweringOptions: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Object types that nothing names are left out.
  package static let reducedTypes = Self(rawValue: 1)
  /// Documents have `__typename` only where the generator adds it.
  package static let legacyDocuments = Self(rawValue: 2)
}

/// Lowers one definition after the other; what they have in common is looked up, never walked
/// again.
struct Lowering {
  let document: Document
  let schema: SchemaView
  var program: Program
  /// Whether documents leave out each `__typename` that somebody wrote below one that the generator adds.
  var omitsWrittenTypenames = false
  private var fragmentIDs: [Symbol: Definition.ID] = [:]
  /// The fragments that the definition being lowered spreads.
  var spreadFragments: [Definition.ID] = []

  init(_ document: Document, _ schema: Schema) {
    self.document = document
    self.schema = SchemaView(schema)
    program = Program(schema: schema)
  }

  func fragment(named name: Symbol) -> Definition.ID? { fragmentIDs[name] }

  // MARK: - Definitions

  /// Gives every definition its place, so that spreads can refer to fragments that come later.
  mutating func declareDefinitions() {
    for definition in document.definitions {
      switch definition {
      case .operation(let id) where document[id].name != nil: declare(document[id])
      case .fragment(let id): declare(document[id])
      case .operation, .schema, .type, .directive: continue
      }
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
    var next = 0
    for definition in document.definitions {
      switch definition {
      case .operation(let id) where document[id].name != nil:
        lower(document[id], as: Definition.ID(next))
      case .fragment(let id): lower(document[id], as: Definition.ID(next))
      case .operation, .schema, .type, .directive: continue
      }
      next += 1
    }
  }

  private mutating func lower(_ operation: GraphQLSyntax.OperationDefinition, as id: Definition.ID)
  {
    guard let type = schema.rootType(of: operation.kind) else { return }
    program[id].variables = document[operation.variables].compactMap { variable in
      schema.valueType(of: variable.type).map {
        Variable(
          name: document.spelling(variable.name), type: $0,
          defaultValue: variable.defaultValue.flatMap(document.literal), span: variable.span)
      }
    }
    if !program[id].isLocalCacheMutation {
      program[id].text = text(of: operation, root: type, without: [])
    }
    lowerRoot(operation.selectionSet, on: type, as: id)
  }

  private mutating func lower(_ fragment: GraphQLSyntax.FragmentDefinition, as id: Definition.ID) {
    guard let type = schema.type(named: fragment.typeCondition.symbol) else { return }
    program[id].text = DocumentText.text(
      of: fragment, type: type, in: document, schema,
      omittingWrittenTypenames: omitsWrittenTypenames)
    lowerRoot(fragment.selectionSet, on: type, as: id)
  }

  private mutating func lowerRoot(
    _ set: GraphQLSyntax.SelectionSet, on type: Schema.NamedType.ID, as id: Definition.ID
  ) {
    spreadFragments = []
    program[id].root = lower(
      [.selections(set)],
      SelectionSet(
        definition: id, parent: nil, role: .root, parentType: type,
        parentTypeName: schema.name(of: type), fulfilledConditions: [], isSynthesized: false))
    program[id].spreadFragments = spreadFragments
  }

  // MARK: - Variables

  /// Variables that only `@defer` uses are not declared where it is not sent: no server would take
  /// them.
  mutating func dropUnusedVariables() {
    var next = 0
    for definition in document.definitions {
      switch definition {
      case .operation(let id) where document[id].name != nil:
        dropUnusedVariables(of: document[id], Definition.ID(next))
      case .fragment: break
      case .operation, .schema, .type, .directive: continue
      }
      next += 1
    }
  }

  private mutating func dropUnusedVariables(
    of operation: GraphQLSyntax.OperationDefinition, _ id: Definition.ID
  ) {
    let definition = program[id]
    guard definition.isDeferred, !definition.isLocalCacheMutation,
      let type = schema.rootType(of: operation.kind)
    else { return }
    let all = Set(definition.variables.map(\.name))
    let body = text(of: operation, root: type, without: all)
    let texts = [body] + definition.fragments.map { program[$0].text }
    let unused = all.filter { name in !texts.contains { $0.mentions(variable: name) } }
    guard !unused.isEmpty else { return }
    for index in definition.variables.indices {
      program[id].variables[index].isSent = !unused.contains(definition.variables[index].name)
    }
    program[id].text = text(of: operation, root: type, without: unused)
  }

  private func text(
    of operation: GraphQLSyntax.OperationDefinition, root: Schema.NamedType.ID,
    without unused: Set<String>
  ) -> String {
    DocumentText.text(
      of: operation, root: root, without: unused, in: document, schema,
      omittingWrittenTypenames: omitsWrittenTypenames)
  }
}

/// Which definitions have models with initializers.
package struct InitializerOptions: Hashable, Sendable {
  /// Whether all operations have them.
  package var operations = false
  /// Whether all named fragments have them.
  package var namedFragments = false
  /// The GraphQL names of further definitions that have them.
  package var definitionsNamed: Set<String> = []

  package init() {}

  func include(_ definition: Definition) -> Bool {
    (definition.kind == .fragment ? namedFragments : operations)
      || definitionsNamed.contains(definition.name)
  }
}
