import GraphQLSchema
import GraphQLSyntax

/// The input of the rules and the collector of their diagnostics.
struct ValidationContext {
  /// The document that is checked. For the rules for schemas, it is that of the schema.
  let document: Document
  let schema: Schema
  let names: NameScope
  /// See ``ValidationConfiguration/caughtLevels``.
  var caughtLevels: [Field.ID: [Int]] = [:]
  /// The search for names that a misspelled name may stand for.
  var suggestions = Suggestions()
  /// A Boolean value that indicates whether a problem, reported or not, prevents the use of the
  /// document.
  private(set) var isUnusable = false
  private var found = DiagnosticList()
  private let severities: RuleEffects

  init(_ document: Document, against schema: Schema, names: NameScope, _ severities: RuleEffects) {
    self.document = document
    self.schema = schema
    self.names = names
    self.severities = severities
  }

  /// The diagnostics, in the order in which they were reported.
  var diagnostics: [Diagnostic] { found.diagnostics }

  /// A Boolean value that indicates whether further violations are dropped.
  ///
  /// Check this before a search that can find many violations.
  var isFull: Bool { found.isFull }

  /// Returns whether violations of `rule` have any effect.
  func isChecked(_ rule: any Rule.Type) -> Bool { severities.areAny(for: rule.name) }
}

// MARK: - Reporting

extension ValidationContext {
  /// Reports a violation of `rule`, unless the rule is off.
  ///
  /// - Parameters:
  ///   - rule: The violated rule.
  ///   - message: The message, in the words of the reference implementation.
  ///   - span: The first span to point at, or `nil` if the problem has no position.
  ///   - notes: The other spans, in the order of the reference implementation.
  ///   - fixIts: Changes that are certain to correct the problem, best first.
  mutating func report(
    _ rule: any Rule.Type,
    _ message: String,
    at span: SourceSpan?,
    notes: [Diagnostic.Note] = [],
    fixIts: [Diagnostic.FixIt] = []
  ) {
    guard !isFull else { return }
    let rule = rule.name
    if severities.isFatal(rule) { isUnusable = true }
    guard let severity = severities[rule].diagnosticSeverity else {
      if severities.countsSilentViolations { found.skip() }
      return
    }
    found.append(
      Diagnostic(
        rule: rule, severity: severity, message: message, at: span, notes: notes,
        fixIts: severities.offersFixIts ? fixIts : []))
    if isFull { isUnusable = true }
  }

  /// Reports a violation at the first of `spans`, with the others as notes.
  mutating func report(
    _ rule: any Rule.Type, _ message: String, at spans: some Collection<Diagnostic.Note>
  ) {
    report(rule, message, at: spans.first?.span, notes: Array(spans.dropFirst()))
  }

  /// Returns the options that are similar to `input`, nearest first.
  mutating func candidates(
    for input: String, among options: some Sequence<String>
  ) -> [String] {
    suggestions.candidates(for: input, among: options)
  }
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

// MARK: - Names and types

extension ValidationContext {
  /// Returns the spelling of `name`.
  func spelling(_ name: Name) -> String { document.spelling(name) }

  /// Returns `type` if it is a composite type, else `nil`.
  func composite(_ type: Schema.NamedType.ID) -> Schema.NamedType.ID? {
    schema[type].kind.isComposite ? type : nil
  }

  /// Returns the type named `name` if it is a part of the schema, else `nil`.
  ///
  /// For operations, a built-in scalar that nothing in the schema refers to is not a part of it.
  ///
  /// Spec: 3.5, "Scalars", "Built-in Scalars".
  func type(named name: Symbol) -> Schema.NamedType.ID? {
    schema.type(named: name).flatMap { names.excludes(name) ? nil : $0 }
  }

  /// The names of the types that are a part of the schema.
  var typeNames: some Sequence<Symbol> {
    let names = names
    return schema.types.lazy.map(\.name).filter { !names.excludes($0) }
  }

  /// Returns the type of a variable, or `nil` if the schema does not define it.
  func resolve(_ reference: TypeReference) -> ResolvedType? {
    type(named: reference.name.symbol).map { ResolvedType($0, reference.wrapping) }
  }
}
