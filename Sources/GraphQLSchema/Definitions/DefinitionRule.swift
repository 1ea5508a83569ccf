import GraphQLSyntax

/// One thing that must hold for the definitions of a schema, before they are taken together.
protocol DefinitionRule: SendableMetatype {
  /// How diagnostics and configurations call the rule.
  static var name: Diagnostic.Rule { get }

  /// Reports every violation.
  static func check(_ context: inout DefinitionValidation)
}

/// What rules read and where they report.
struct DefinitionValidation {
  let document: Document
  /// The schema that the builder made of the definitions.
  let schema: Schema
  /// The definitions to check.
  let definitions: ArraySlice<Definition>
  /// The definitions of the schema that these extend; nil when they extend none.
  let base: ArraySlice<Definition>?
  /// All places that have directives, in the order of their texts.
  private(set) var applied: [AppliedDirectives] = []
  var suggestions = Suggestions()
  private var report: SchemaReport

  init(_ schema: Schema, builtInCount: Int, baseEnd: Int?, options: SchemaOptions) {
    report = SchemaReport(options)
    self.schema = schema
    document = schema.document
    definitions = schema.document.definitions[(baseEnd ?? builtInCount)...]
    base = baseEnd.map { schema.document.definitions[..<$0] }
    applied = appliedDirectives()
  }

  /// Reports a violation.
  ///
  /// - Parameters:
  ///   - rule: The rule that is violated.
  ///   - message: One sentence.
  ///   - places: Where to look, in the order of the reference implementation.
  mutating func report(_ rule: any DefinitionRule.Type, _ message: String, at places: [Place]) {
    report.add(rule.name, message, at: places)
  }

  /// Whether so much was found that the rest is not reported.
  var isFull: Bool { report.isFull }

  /// The text of a name.
  func spelling(_ name: Name) -> String { document.spelling(name) }
}

// MARK: - Running

extension DefinitionValidation {
  /// Everything that is wrong with the definitions.
  ///
  /// - Parameters:
  ///   - schema: The schema as built, with the document whose definitions are checked.
  ///   - builtInCount: How many of the definitions are built-in ones.
  ///   - baseEnd: How many of the definitions belong to a schema that the others extend, or nil
  ///     when all of them are on a par.
  ///   - suspicions: What the builder noticed; other rules that it watches are not run.
  ///   - options: How severe violations are.
  /// - Returns: The diagnostics, rule by rule.
  static func diagnostics(
    of schema: Schema, builtInCount: Int, baseEnd: Int?, suspicions: SchemaBuilder.Suspicions,
    options: SchemaOptions
  ) -> [Diagnostic] {
    var validation = DefinitionValidation(
      schema, builtInCount: builtInCount, baseEnd: baseEnd, options: options)
    for rule in rules { rule.check(&validation) }
    for (suspicion, rule) in suspectedRules where suspicions.contains(suspicion) {
      rule.check(&validation)
    }
    return validation.report.diagnostics
  }

  /// The names of all rules.
  static var ruleNames: [Diagnostic.Rule] {
    rules.map { $0.name } + suspectedRules.map { $0.1.name }
  }

  /// The rules that are always run.
  private static let rules: [any DefinitionRule.Type] = [
    LoneSchemaDefinition.self,
    UniqueOperationTypes.self,
    KnownDirectives.self,
    UniqueDirectivesPerLocation.self,
    KnownArgumentNamesOnDirectives.self,
    UniqueArgumentNames.self,
    ProvidedRequiredArgumentsOnDirectives.self,
    ValuesOfCorrectTypeOnDirectives.self,
    UniqueInputFieldNames.self,
  ]

  /// The rules that are run when the builder suspects a violation.
  private static let suspectedRules: [(SchemaBuilder.Suspicions, any DefinitionRule.Type)] = [
    (.uniqueTypeNames, UniqueTypeNames.self),
    (.uniqueDirectiveNames, UniqueDirectiveNames.self),
    (.uniqueMemberNames, UniqueFieldDefinitionNames.self),
    (.uniqueMemberNames, UniqueEnumValueNames.self),
    (.uniqueArgumentDefinitionNames, UniqueArgumentDefinitionNames.self),
    (.knownTypeNames, KnownTypeNames.self),
    (.possibleTypeExtensions, PossibleTypeExtensions.self),
  ]
}

// MARK: - Selections of definitions

extension DefinitionValidation {
  /// The types and extensions of types to check.
  var types: some Sequence<TypeDefinition> { types(in: definitions) }

  /// The types and extensions of types among `definitions`.
  func types(in definitions: ArraySlice<Definition>) -> some Sequence<TypeDefinition> {
    definitions.lazy.compactMap { definition in
      if case .type(let id) = definition { document[id] } else { nil }
    }
  }

  /// The directive definitions to check.
  var directives: some Sequence<DirectiveDefinition> { directives(in: definitions) }

  /// The directive definitions among `definitions`.
  func directives(in definitions: ArraySlice<Definition>) -> some Sequence<DirectiveDefinition> {
    definitions.lazy.compactMap { definition in
      if case .directive(let id) = definition { document[id] } else { nil }
    }
  }

  /// The schema definitions and extensions among `definitions`.
  func schemas(in definitions: ArraySlice<Definition>) -> some Sequence<SchemaDefinition> {
    definitions.lazy.compactMap { definition in
      if case .schema(let id) = definition { document[id] } else { nil }
    }
  }
}
