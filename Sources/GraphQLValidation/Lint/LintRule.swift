package import GraphQLSyntax

/// A rule about the style of operations, beyond their validity.
///
/// Rules for deprecated elements and unused fragments are rules of validation; see
/// ``ValidationRule``.
package enum LintRule: String, Hashable, Sendable, CaseIterable {
  case requireID = "RequireID"
  case namingConvention = "NamingConvention"
  case maximumDepth = "MaximumDepth"
  case alphabetical = "Alphabetical"

  /// The name of the rule in diagnostics.
  package var diagnosticRule: Diagnostic.Rule { Diagnostic.Rule(rawValue: rawValue) }
}

/// The severities and parameters of the lint rules.
package struct LintConfiguration: Hashable, Sendable {
  /// The severities of rules. A rule without one is off.
  package var severities: [LintRule: RuleSeverity]
  /// The number of fields inside of each other that operations may have.
  package var maximumDepth = 10

  /// Creates a configuration in which only the rules with a severity are checked.
  package init(severities: [LintRule: RuleSeverity] = [:]) {
    self.severities = severities
  }

  /// `true` if no rule is checked.
  package var isEmpty: Bool { severities.values.allSatisfy { $0 == .off } }
}

/// Checks the style of a valid document.
///
/// - Returns: The violations, in the order of the text.
/// - Complexity: O(*n* log *n*), where *n* is the size of the document.
package func lint(
  _ document: ValidatedDocument, configuration: LintConfiguration
) -> [Diagnostic] {
  guard !configuration.isEmpty else { return [] }
  var report = LintReport(configuration)
  if report.isChecked(.requireID) { RequireID.check(document, &report) }
  if report.isChecked(.namingConvention) { NamingConvention.check(document, &report) }
  if report.isChecked(.maximumDepth) { MaximumDepth.check(document, &report) }
  if report.isChecked(.alphabetical) { Alphabetical.check(document, &report) }
  return report.diagnostics.sortedByLocation()
}

/// The collector of the diagnostics of lint rules.
struct LintReport {
  let configuration: LintConfiguration
  private var found = DiagnosticList()

  init(_ configuration: LintConfiguration) { self.configuration = configuration }

  var diagnostics: [Diagnostic] { found.diagnostics }

  func isChecked(_ rule: LintRule) -> Bool { configuration.severities[rule] ?? .off != .off }

  mutating func add(
    _ rule: LintRule, _ message: String, at span: SourceSpan, fixIts: [Diagnostic.FixIt] = []
  ) {
    guard let severity = configuration.severities[rule]?.diagnosticSeverity else { return }
    found.append(
      Diagnostic(
        rule: rule.diagnosticRule, severity: severity, message: message, at: span, fixIts: fixIts))
  }
}
