import GraphQLSchema
import GraphQLSyntax

/// What rules can look at, and where they report.
struct ValidationContext {
  let document: Document
  let schema: Schema
  let ownDefinitions: OwnDefinitions
  private var found = DiagnosticList()
  /// Whether something was found that forbids using the document, reported or not.
  private(set) var isUnusable = false
  private var suggestions = Suggestions()
  private let severities: [ValidationRule: ValidationConfiguration.Severity]
  private let unreferencedScalars: UnreferencedScalars

  init(document: Document, schema: Schema, configuration: ValidationConfiguration) {
    self.document = document
    self.schema = schema
    ownDefinitions = OwnDefinitions(of: document)
    severities = Dictionary(
      uniqueKeysWithValues: ValidationRule.allCases.map { ($0, configuration.severity(of: $0)) })
    unreferencedScalars = UnreferencedScalars(in: schema)
  }

  /// What was reported, in the order in which it was found.
  var diagnostics: [Diagnostic] { found.diagnostics }

  /// Whether so much was found that the rest need not be looked for.
  var isFull: Bool { found.isFull }

  /// Whether it is worth the time to check `rule`.
  func isChecked(_ rule: ValidationRule) -> Bool {
    severities[rule] != .off || !rule.isRelaxable
  }
}

// MARK: - Reporting

extension ValidationContext {
  /// Reports that `rule` is broken, unless the configuration turned it off.
  ///
  /// - Parameters:
  ///   - rule: The rule that is broken.
  ///   - message: Worded as the reference implementation words it.
  ///   - span: The first place that matters.
  ///   - notes: The other places, in the order in which the reference implementation lists them.
  ///   - fixIts: Changes that surely mend it, best first.
  mutating func report(
    _ rule: ValidationRule,
    _ message: String,
    at span: SourceSpan,
    notes: [Diagnostic.Note] = [],
    fixIts: [Diagnostic.FixIt] = []
  ) {
    let severity = severities[rule] ?? .error
    if severity == .error || !rule.isRelaxable { isUnusable = true }
    guard severity != .off else { return }
    found.append(
      Diagnostic(
        rule: rule.diagnosticRule, severity: severity == .error ? .error : .warning,
        message: message, at: span, notes: notes, fixIts: fixIts))
    if isFull { isUnusable = true }
  }

  /// Those of `options` that somebody who wrote `input` may have meant.
  mutating func candidates(
    for input: String, among options: some Sequence<String>
  ) -> [String] {
    suggestions.candidates(for: input, among: options)
  }

  /// Takes `count` of the comparisons that there may be for suggestions.
  ///
  /// - Returns: Whether there were that many left.
  mutating func spendSuggestions(_ count: Int) -> Bool { suggestions.spend(count) }
}

// MARK: - Fix-its

extension Diagnostic.FixIt {
  /// Replaces a misspelt name when there is only one that can be meant.
  ///
  /// A name of one or two letters is nearly every other such name: what is meant is not certain.
  static func correctSpelling(of span: SourceSpan, to candidates: [String]) -> [Diagnostic.FixIt] {
    guard candidates.count == 1, span.end - span.start > 2 else { return [] }
    return [
      Diagnostic.FixIt("replace with '\(candidates[0])'", replacing: span, with: candidates[0])
    ]
  }
}

// MARK: - Types

extension ValidationContext {
  /// `type`, if fields can be selected from it.
  func composite(_ type: Schema.NamedType.ID) -> Schema.NamedType.ID? {
    schema[type].kind.isComposite ? type : nil
  }

  /// The type named `name` if it is part of the schema.
  ///
  /// A built-in scalar that nothing in the schema refers to is not.
  ///
  /// Spec: 3.5, "Scalars", "Built-in Scalars".
  func type(named name: Symbol) -> Schema.NamedType.ID? {
    schema.type(named: name).flatMap { unreferencedScalars.contains(name) ? nil : $0 }
  }

  /// The names of the types that are part of the schema.
  var typeNames: some Sequence<Symbol> {
    let absent = unreferencedScalars
    return schema.types.lazy.map(\.name).filter { !absent.contains($0) }
  }

  /// The type that a variable says it has, if the schema has it.
  func resolve(_ reference: TypeReference) -> ResolvedType? {
    type(named: reference.name.symbol).map { ResolvedType($0, reference.wrapping) }
  }
}

/// The built-in scalars that a schema does not have, because nothing in it refers to them.
///
/// `String` and `Boolean` are in every schema: introspection uses them.
private struct UnreferencedScalars {
  private var int = true
  private var float = true
  private var id = true

  init(in schema: Schema) {
    for field in schema.definedFields { note(schema[field].type, schema) }
    for value in schema.definedInputValues { note(schema[value].type, schema) }
  }

  /// Whether `name` is that of one of them.
  func contains(_ name: Symbol) -> Bool {
    switch name {
    case .int: int
    case .float: float
    case .id: id
    default: false
    }
  }

  private mutating func note(_ type: ResolvedType, _ schema: Schema) {
    switch schema[type.namedType].name {
    case .int: int = false
    case .float: float = false
    case .id: id = false
    default: break
    }
  }
}
