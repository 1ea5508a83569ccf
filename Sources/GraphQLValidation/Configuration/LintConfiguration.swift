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
