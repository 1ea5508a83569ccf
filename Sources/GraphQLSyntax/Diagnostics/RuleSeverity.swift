/// The effect of breaking a rule, as a configuration chooses it.
///
/// ```swift
/// let severities: [Diagnostic.Rule: RuleSeverity] = [
///   "DefaultValues": .warning, "ReservedNames": .off,
/// ]
/// ```
public enum RuleSeverity: String, Hashable, Sendable, CaseIterable {
  /// Violations are errors, and the schema or document cannot be used.
  case error
  /// Violations are reported, and the schema or document can be used.
  case warning
  /// Violations are not reported, and the schema or document can be used.
  case off

  /// Creates the severity that a configuration or a command line names. `warn` is the same as
  /// `warning`.
  package init?(named name: String) {
    self.init(rawValue: name == "warn" ? "warning" : name)
  }

  /// The severity of the diagnostics for violations, or `nil` if there are none.
  package var diagnosticSeverity: Diagnostic.Severity? {
    switch self {
    case .error: .error
    case .warning: .warning
    case .off: nil
    }
  }
}
