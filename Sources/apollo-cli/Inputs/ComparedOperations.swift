import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// Operations that fit one schema, to be held against another.
struct ComparedOperations {
  /// What each operation is called.
  let names: [String]
  private let sources: [Source]
  private let valid: ValidatedDocument
  /// What each operation uses of the schema it fits.
  private let coordinates: [Set<String>]
  /// The part of it that values of variables can hold.
  private let variableCoordinates: [Set<String>]

  /// The operations of `valid`, which was read from `sources`.
  init(sources: [Source], valid: ValidatedDocument) {
    self.sources = sources
    self.valid = valid
    let document = valid.document
    names = document.operations.map {
      $0.name.map { document.spelling($0) } ?? "the anonymous operation"
    }
    coordinates = document.operations.indices.map { valid.coordinates(usedBy: Self.id($0)) }
    variableCoordinates = document.operations.indices.map {
      valid.coordinates(ofVariablesOf: Self.id($0))
    }
  }

  private static func id(_ index: Int) -> OperationDefinition.ID {
    OperationDefinition.ID(rawValue: UInt32(index))
  }

  /// The operations that use what `change` is about, in the order of the text.
  func concerned(by change: SchemaChange) -> [Int] {
    names.indices.filter { change.concerns(coordinates[$0]) }
  }

  /// The operations that a change breaks.
  ///
  /// - Parameters:
  ///   - change: A breaking change.
  ///   - unfit: The operations that are not valid after the change: see ``unfit(for:)``. Validation
  ///     sees everything that is written, but neither answers nor values of variables. So a change
  ///     of what a field answers breaks whoever asks for it, and one of an input type whoever has
  ///     variables that can hold it.
  /// - Returns: The operations, in the order of the text.
  func broken(by change: SchemaChange, unfit: Set<Int>) -> [Int] {
    concerned(by: change).filter { index in
      unfit.contains(index) || changesAnswers(change) || change.concerns(variableCoordinates[index])
    }
  }

  /// Whether `change` is of the type of a field that operations select.
  private func changesAnswers(_ change: SchemaChange) -> Bool {
    let owner = String(change.coordinate.prefix { $0 != "." })
    return change.kind == .fieldChangedKind
      && valid.schema.type(named: owner).map { !valid.schema[$0].kind.isInput } ?? false
  }

  /// The operations that break a rule of validation against `schema`.
  func unfit(for schema: Schema) -> Set<Int> {
    let check = OperationCheck(sources, against: schema)
    // What has no place is that not everything is reported.
    let faults = Set(check.errors.map(check.definitions)).filter { !$0.isEmpty }
    guard !faults.isEmpty else { return [] }
    return Set(
      names.indices.filter { index in
        // The same texts make the same definitions, with the same identifiers.
        let fragments = valid.fragments(usedBy: Self.id(index))
        let parts = Set([.operation(Self.id(index))] + fragments.map(Definition.fragment))
        return faults.contains { $0.isSubset(of: parts) }
      })
  }
}

/// What checking operations against a schema found.
struct OperationCheck {
  let document: Document
  /// The document, if nothing is wrong with it.
  let valid: ValidatedDocument?
  let diagnostics: [Diagnostic]

  /// Reads and checks `sources`; fragments that nobody uses are no fault.
  init(_ sources: [Source], against schema: Schema) {
    var document = Document(names: schema.names, sources: schema.document.sources)
    let problems = sources.flatMap { document.parse($0) }
    let result = validate(
      document, against: schema,
      configuration: ValidationConfiguration(severities: [.noUnusedFragments: .off]))
    self.document = document
    valid = problems.isEmpty ? result.document : nil
    diagnostics = problems.isEmpty ? result.diagnostics : problems
  }

  var errors: [Diagnostic] { diagnostics.filter { $0.severity == .error } }

  /// The definitions in which the places of `diagnostic` are: together they make the fault.
  func definitions(of diagnostic: Diagnostic) -> Set<Definition> {
    let places = [diagnostic.span].compactMap { $0 } + diagnostic.notes.map(\.span)
    return Set(places.compactMap { definition(at: $0.start) })
  }

  /// The definition around `offset`.
  ///
  /// - Complexity: O(log *n*), as definitions are in the order of the text.
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
