import GraphQLSchema
import GraphQLSyntax

/// The input of the rules and the collector of their diagnostics.
struct ValidationContext {
  let document: Document
  let schema: Schema
  let ownDefinitions: OwnDefinitions
  private var found = DiagnosticList()
  /// A Boolean value that indicates whether a problem, reported or not, prevents the use of the
  /// document.
  private(set) var isUnusable = false
  private var suggestions = Suggestions()
  private let severities: [ValidationRule: RuleSeverity]
  /// The locations of directives for the client, in addition to those that the schema allows.
  let clientDirectives: [String: DirectiveLocationSet]
  private let unreferencedScalars: UnreferencedScalars

  init(document: Document, schema: Schema, configuration: ValidationConfiguration) {
    self.document = document
    self.schema = schema
    ownDefinitions = OwnDefinitions(of: document)
    clientDirectives = configuration.clientDirectives
    severities = Dictionary(
      uniqueKeysWithValues: ValidationRule.allCases.map { ($0, configuration.severity(of: $0)) })
    unreferencedScalars = UnreferencedScalars(in: schema)
  }

  /// The diagnostics, in the order in which they were reported.
  var diagnostics: [Diagnostic] { found.diagnostics }

  /// A Boolean value that indicates whether further violations are dropped.
  var isFull: Bool { found.isFull }

  /// Returns whether violations of `rule` have any effect.
  func isChecked(_ rule: ValidationRule) -> Bool {
    severities[rule] != .off || !rule.isRelaxable
  }
}

// MARK: - Reporting

extension ValidationContext {
  /// Reports a violation of `rule`, unless the rule is off.
  ///
  /// - Parameters:
  ///   - rule: The violated rule.
  ///   - message: The message, in the words of the reference implementation.
  ///   - span: The first span to point at.
  ///   - notes: The other spans, in the order of the reference implementation.
  ///   - fixIts: Changes that are certain to correct the problem, best first.
  mutating func report(
    _ rule: ValidationRule,
    _ message: String,
    at span: SourceSpan,
    notes: [Diagnostic.Note] = [],
    fixIts: [Diagnostic.FixIt] = []
  ) {
    let severity = severities[rule] ?? .error
    if severity == .error || !rule.isRelaxable { isUnusable = true }
    guard let severity = severity.diagnosticSeverity else { return }
    found.append(
      Diagnostic(
        rule: rule.diagnosticRule, severity: severity, message: message, at: span, notes: notes,
        fixIts: fixIts))
    if isFull { isUnusable = true }
  }

  /// Returns the options that are similar to `input`, nearest first.
  mutating func candidates(
    for input: String, among options: some Sequence<String>
  ) -> [String] {
    suggestions.candidates(for: input, among: options)
  }

  /// Subtracts `count` comparisons from the budget for suggestions.
  ///
  /// - Returns: `true` if the budget was large enough.
  mutating func spendSuggestions(_ count: Int) -> Bool { suggestions.spend(count) }
}

// MARK: - Fix-its

extension Diagnostic.FixIt {
  /// Returns a fix-it that corrects a misspelled name, if there is only one candidate.
  ///
  /// Names of one or two letters are similar to too many others to be certain of the correction.
  static func correctSpelling(of span: SourceSpan, to candidates: [String]) -> [Diagnostic.FixIt] {
    guard candidates.count == 1, span.end - span.start > 2 else { return [] }
    return [
      Diagnostic.FixIt("replace with '\(candidates[0])'", replacing: span, with: candidates[0])
    ]
  }
}

// MARK: - Types

extension ValidationContext {
  /// Returns `type` if it is a composite type, else `nil`.
  func composite(_ type: Schema.NamedType.ID) -> Schema.NamedType.ID? {
    schema[type].kind.isComposite ? type : nil
  }

  /// Returns the type named `name` if it is a part of the schema, else `nil`.
  ///
  /// A built-in scalar that nothing in the schema refers to is not a part of it.
  ///
  /// Spec: 3.5, "Scalars", "Built-in Scalars".
  func type(named name: Symbol) -> Schema.NamedType.ID? {
    schema.type(named: name).flatMap { unreferencedScalars.contains(name) ? nil : $0 }
  }

  /// The names of the types that are a part of the schema.
  var typeNames: some Sequence<Symbol> {
    let absent = unreferencedScalars
    return schema.types.lazy.map(\.name).filter { !absent.contains($0) }
  }

  /// Returns the type of a variable, or `nil` if the schema does not define it.
  func resolve(_ reference: TypeReference) -> ResolvedType? {
    type(named: reference.name.symbol).map { ResolvedType($0, reference.wrapping) }
  }
}

/// The built-in scalars that are not a part of a schema, because nothing in it refers to them.
///
/// `String` and `Boolean` are a part of every schema, because introspection uses them.
private struct UnreferencedScalars {
  private var int = true
  private var float = true
  private var id = true

  init(in schema: Schema) {
    for field in schema.definedFields { recordUse(of: schema[field].type, schema) }
    for value in schema.definedInputValues { recordUse(of: schema[value].type, schema) }
  }

  /// Returns whether `name` is the name of an unreferenced scalar.
  func contains(_ name: Symbol) -> Bool {
    switch name {
    case .int: int
    case .float: float
    case .id: id
    default: false
    }
  }

  private mutating func recordUse(of type: ResolvedType, _ schema: Schema) {
    switch schema[type.namedType].name {
    case .int: int = false
    case .float: float = false
    case .id: id = false
    default: break
    }
  }
}
