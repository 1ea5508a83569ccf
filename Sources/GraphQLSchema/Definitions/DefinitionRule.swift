import GraphQLSyntax

/// A rule for the individual definitions of a schema, before they are merged into types.
///
/// A rule is an enumeration without cases in a file of its own. ``DefinitionValidation`` runs all
/// rules.
protocol DefinitionRule: SendableMetatype {
  /// The name of the rule in diagnostics and configurations.
  static var name: Diagnostic.Rule { get }

  /// Reports every violation.
  static func check(_ context: inout DefinitionValidation)
}

/// The input of the rules and the collector of their diagnostics.
struct DefinitionValidation {
  let document: Document
  /// The schema that the builder made from the definitions.
  let schema: Schema
  /// The definitions to check.
  let definitions: ArraySlice<Definition>
  /// The definitions of the base schema that `definitions` extend, or `nil` if there is none.
  let base: ArraySlice<Definition>?
  /// All elements with directives, in the order of the text.
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
  ///   - rule: The violated rule.
  ///   - message: The message, one sentence.
  ///   - spans: The spans to point at, in the order of the reference implementation.
  mutating func report(_ rule: any DefinitionRule.Type, _ message: String, at spans: [LabeledSpan])
  {
    report.add(rule.name, message, at: spans)
  }

  /// A Boolean value that indicates whether further violations are dropped.
  var isFull: Bool { report.isFull }

  /// Returns the spelling of `name`.
  func spelling(_ name: Name) -> String { document.spelling(name) }
}

// MARK: - Running

extension DefinitionValidation {
  /// Checks the definitions of a schema.
  ///
  /// - Parameters:
  ///   - schema: The schema, whose document contains the definitions.
  ///   - builtInCount: The number of built-in definitions, which come first.
  ///   - baseEnd: The number of definitions that belong to a base schema, which the others extend,
  ///     or `nil` if there is no base schema.
  ///   - possibleViolations: The rules that the builder detected as possibly violated. Of the rules
  ///     that it monitors, the others are skipped.
  ///   - options: The severities of the rules.
  /// - Returns: The diagnostics, rule by rule.
  static func diagnostics(
    of schema: Schema, builtInCount: Int, baseEnd: Int?,
    possibleViolations: SchemaBuilder.PossibleViolations,
    options: SchemaOptions
  ) -> [Diagnostic] {
    var validation = DefinitionValidation(
      schema, builtInCount: builtInCount, baseEnd: baseEnd, options: options)
    for rule in rules { rule.check(&validation) }
    for (violation, rule) in triggeredRules where possibleViolations.contains(violation) {
      rule.check(&validation)
    }
    return validation.report.diagnostics
  }

  /// The names of all rules.
  static var ruleNames: [Diagnostic.Rule] {
    rules.map { $0.name } + triggeredRules.map { $0.1.name }
  }

  /// The rules that always run.
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

  /// The rules that run only if the builder detected a possible violation.
  private static let triggeredRules: [(SchemaBuilder.PossibleViolations, any DefinitionRule.Type)] =
    [
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
  /// The type definitions and type extensions to check.
  var types: some Sequence<TypeDefinition> { types(in: definitions) }

  /// Returns the type definitions and type extensions in `definitions`.
  func types(in definitions: ArraySlice<Definition>) -> some Sequence<TypeDefinition> {
    definitions.lazy.compactMap { definition in
      if case .type(let id) = definition { document[id] } else { nil }
    }
  }

  /// The directive definitions to check.
  var directives: some Sequence<DirectiveDefinition> { directives(in: definitions) }

  /// Returns the directive definitions in `definitions`.
  func directives(in definitions: ArraySlice<Definition>) -> some Sequence<DirectiveDefinition> {
    definitions.lazy.compactMap { definition in
      if case .directive(let id) = definition { document[id] } else { nil }
    }
  }

  /// Returns the schema definitions and extensions in `definitions`.
  func schemas(in definitions: ArraySlice<Definition>) -> some Sequence<SchemaDefinition> {
    definitions.lazy.compactMap { definition in
      if case .schema(let id) = definition { document[id] } else { nil }
    }
  }
}
