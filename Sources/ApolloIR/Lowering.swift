import GraphQLSchema
import GraphQLSyntax
package import GraphQLValidation

/// Builds the program of a project from its operations and fragments.
///
/// - Parameters:
///   - document: The operations and fragments, which are valid.
///   - merging: Whose fields each model shows besides its own.
/// - Returns: The program that the generator renders.
/// - Complexity: Linear in the document, as long as fragments do not spread all others.
package func lower(_ document: ValidatedDocument, merging: MergingOptions = .all) -> Program {
  var lowering = Lowering(document.document, document.schema)
  lowering.declareDefinitions()
  lowering.lowerDefinitions()
  lowering.linkFragments()
  var program = Merging.merge(lowering.program, merging)
  program.types = ReferencedTypes(of: program, lowering.schema)
  return program
}

/// Lowers one definition after the other; what they have in common is looked up, never walked
/// again.
struct Lowering {
  let document: Document
  let schema: SchemaView
  var program: Program
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
      case .operation(let id) where isGenerated(document[id]): declare(document[id])
      case .fragment(let id): declare(document[id])
      case .operation, .schema, .type, .directive: continue
      }
    }
  }

  /// Operations on the cache alone need models that can be changed, which do not exist yet.
  private func isGenerated(_ operation: GraphQLSyntax.OperationDefinition) -> Bool {
    operation.name != nil
      && !document[operation.directives].contains {
        document.spelling($0.name) == ClientDirective.localCacheMutation
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
      guard document.spelling(directive.name) == ClientDirective.importModule else { continue }
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
      case .operation(let id) where isGenerated(document[id]):
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
    program[id].text = DocumentText.text(of: operation, root: type, in: document, schema)
    lowerRoot(operation.selectionSet, on: type, as: id)
  }

  private mutating func lower(_ fragment: GraphQLSyntax.FragmentDefinition, as id: Definition.ID) {
    guard let type = schema.type(named: fragment.typeCondition.symbol) else { return }
    program[id].text = DocumentText.text(of: fragment, type: type, in: document, schema)
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

  // MARK: - Fragments of fragments

  /// Every fragment that each definition needs, and the modules that these import.
  ///
  /// - Complexity: O(*d* × *f*) for *d* definitions that need *f* fragments each.
  mutating func linkFragments() {
    for index in program.definitions.indices {
      let id = Definition.ID(index)
      var found: Set<Definition.ID> = []
      var pending = program[id].spreadFragments
      while let next = pending.popLast() {
        guard found.insert(next).inserted else { continue }
        pending += program[next].spreadFragments
      }
      program[id].fragments = found.sorted { program[$0].name < program[$1].name }
    }
    let own = program.definitions.map(\.importedModules)
    for index in program.definitions.indices {
      let fragments = program.definitions[index].fragments
      let all = Set(own[index] + fragments.flatMap { own[$0.index] })
      program.definitions[index].importedModules = all.sorted()
    }
  }
}
