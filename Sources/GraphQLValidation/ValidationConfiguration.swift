public import GraphQLSyntax

/// The severities of the rules for executable documents.
///
/// ```swift
/// let configuration = ValidationConfiguration(severities: [
///   .noUnusedFragments: .off, .noDeprecated: .warning,
/// ])
/// let result = validate(document, against: schema, configuration: configuration)
/// ```
public struct ValidationConfiguration: Hashable, Sendable {
  /// The severities that differ from the default: `RuleSeverity.error` for the rules of the
  /// specification, and `RuleSeverity.off` for all others.
  public var severities: [ValidationRule: RuleSeverity]

  /// Creates a configuration with the given severities, and the default severities for all other
  /// rules.
  ///
  /// A document that violates a rule which is not ``ValidationRule/isRelaxable`` cannot be used,
  /// whatever the severity of the rule.
  public init(severities: [ValidationRule: RuleSeverity] = [:]) {
    self.severities = severities
  }

  /// Returns a configuration that checks only `rules`, as errors.
  public static func only(_ rules: ValidationRule...) -> ValidationConfiguration {
    ValidationConfiguration(
      severities: Dictionary(
        uniqueKeysWithValues: ValidationRule.allCases.map {
          ($0, rules.contains($0) ? .error : .off)
        }))
  }

  /// Returns the severity of `rule`.
  public func severity(of rule: ValidationRule) -> RuleSeverity {
    severities[rule] ?? (rule.isSpecified ? .error : .off)
  }
}
