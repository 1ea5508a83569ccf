import ApolloCodegenLib
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// Operations that are valid for one schema, to be compared with another.
struct ComparedOperations {
  /// The names of the operations.
  let names: [String]
  private let sources: [Source]
  private let syntax: ParserOptions
  private let rules: ValidationConfiguration
  private let validated: ValidatedDocument
  /// The schema coordinates that each operation uses.
  private let coordinates: [Set<String>]
  /// The schema coordinates that each operation's variables can hold.
  private let variableCoordinates: [Set<String>]

  /// Creates the operations of `validated`, which was read from `sources` in the syntax of
  /// `syntax`, and has no errors by `rules`.
  init(
    sources: [Source], _ syntax: ParserOptions, _ rules: ValidationConfiguration,
    validated: ValidatedDocument
  ) {
    self.sources = sources
    self.syntax = syntax
    self.rules = rules
    self.validated = validated
    let document = validated.document
    names = document.operations.map {
      $0.name.map { document.spelling($0) } ?? "the anonymous operation"
    }
    coordinates = document.operations.indices.map { validated.coordinates(usedBy: Self.id($0)) }
    variableCoordinates = document.operations.indices.map {
      validated.coordinates(ofVariablesOf: Self.id($0))
    }
  }

  private static func id(_ index: Int) -> OperationDefinition.ID {
    OperationDefinition.ID(rawValue: UInt32(index))
  }

  /// Returns the indices in ``names`` of the operations that use the subject of `change`, in
  /// ascending order.
  func affected(by change: SchemaChange) -> [Int] {
    names.indices.filter { change.concerns(coordinates[$0]) }
  }

  /// Returns the operations that a change breaks.
  ///
  /// Validation covers the text of operations, but neither responses nor values of variables.
  /// Therefore a change of a field's type breaks the operations that select it, and a change of an
  /// input type those with variables that can hold it.
  ///
  /// - Parameters:
  ///   - change: A breaking change.
  ///   - invalid: The indices of the operations that are not valid after the change; see
  ///     ``invalid(for:)``.
  /// - Returns: The indices of the operations in ``names``, in ascending order.
  func broken(by change: SchemaChange, invalid: Set<Int>) -> [Int] {
    affected(by: change).filter { index in
      invalid.contains(index) || changesResponses(change, of: index)
        || change.concerns(variableCoordinates[index])
    }
  }

  /// Returns `true` if `change` concerns the type of a field that an operation selects.
  private func changesResponses(_ change: SchemaChange, of index: Int) -> Bool {
    let schema = validated.schema
    let name = String(change.coordinate.prefix { $0 != "." })
    guard let type = schema.type(named: name) else { return false }
    switch change.kind {
    case .fieldChangedKind: return !schema[type].kind.isInput
    case .typeChangedKind:
      // The values of a scalar need not be those of an enum. Other types have selections, which
      // validation covers.
      return schema[type].kind.isLeaf
        && schema.definedFields.contains {
          schema[$0].type.namedType == type
            && coordinates[index].contains(schema.coordinate(of: $0))
        }
    default: return false
    }
  }

  /// Returns the indices in ``names`` of the operations that are not valid for `schema`.
  func invalid(for schema: Schema) -> Set<Int> {
    let check = OperationCheck(sources, syntax, rules, against: schema)
    // A diagnostic without a span only reports that there are too many.
    let faults = Set(check.errors.map(check.definitions)).filter { !$0.isEmpty }
    guard !faults.isEmpty else { return [] }
    return Set(
      names.indices.filter { index in
        // The same texts produce the same definitions, with the same identifiers.
        let fragments = validated.fragments(usedBy: Self.id(index))
        let parts = Set([.operation(Self.id(index))] + fragments.map(Definition.fragment))
        return faults.contains { $0.isSubset(of: parts) }
      })
  }
}

/// The result of checking operations against a schema.
struct OperationCheck {
  let document: Document
  /// The document, or `nil` if it has errors.
  let validated: ValidatedDocument?
  let diagnostics: [Diagnostic]

  /// Parses and validates `sources`, in the syntax of `options` and with the severities of `rules`.
  /// Unused fragments are not an error.
  ///
  /// With `isSent`, the directives of the client are checked as well, because a request is sent
  /// without them and their variables.
  init(
    _ sources: [Source], _ options: ParserOptions, _ rules: ValidationConfiguration,
    against schema: Schema, isSent: Bool = false
  ) {
    var document = Document(names: schema.names, sources: schema.document.sources)
    let problems = document.parse(sources, options: options)
    var configuration = rules
    configuration.severities[.noUnusedFragments] = .off
    configuration.clientDirectives = ClientDirectives.documentLocations
    let result = validate(document, against: schema, configuration: configuration)
    self.document = document
    validated = problems.isEmpty ? result.document : nil
    diagnostics =
      if !problems.isEmpty {
        problems
      } else if isSent {
        ProjectRemarks.diagnostics(ofRequest: result, in: document, against: schema)
      } else {
        result.diagnostics
      }
  }

  var errors: [Diagnostic] { diagnostics.filter { $0.severity == .error } }

  /// Returns the definitions with the spans of `diagnostic`. Together they cause the error.
  func definitions(of diagnostic: Diagnostic) -> Set<Definition> {
    let places = [diagnostic.span].compactMap { $0 } + diagnostic.notes.map(\.span)
    return Set(places.compactMap { definition(at: $0.start) })
  }

  /// Returns the definition around `offset`.
  ///
  /// - Complexity: O(log *n*), because definitions are in the order of the text.
  private func definition(at offset: UInt32) -> Definition? {
    var (low, high) = (0, document.definitions.count)
    while low < high {
      let middle = (low + high) / 2
      if document.span(of: document.definitions[middle]).start <= offset {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low > 0 else { return nil }
    let definition = document.definitions[low - 1]
    return document.span(of: definition).contains(offset) ? definition : nil
  }
}
