package import GraphQLSchema
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

  /// The locations of directives for the client, in addition to those that the schema allows.
  package var clientDirectives: [String: DirectiveLocationSet] = [:]

  /// The levels at which `@catch` handles errors of a field: 0 for its value, 1 for the elements of
  /// its list.
  ///
  /// A value that is never null in the schema can be null there. So all selections of it have to
  /// handle errors, or none.
  package var caughtLevels: [Field.ID: [Int]] = [:]

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

  /// The configuration for a document from which definitions are missing, because they could not be
  /// parsed.
  ///
  /// The rules that would report consequences of that are off. The document of the result is `nil`
  /// where it breaks one of them that is indispensable.
  package var forIncompleteDocument: ValidationConfiguration {
    var result = self
    for rule in ValidationRule.allCases where rule.needsAllDefinitions {
      result.severities[rule] = .off
    }
    return result
  }

  /// Returns the severity of `rule`.
  public func severity(of rule: ValidationRule) -> RuleSeverity {
    severities[rule] ?? (rule.isSpecified ? .error : .off)
  }
}
