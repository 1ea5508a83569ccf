/// Which rules are checked, and how severe it is to break them.
public struct ValidationConfiguration: Hashable, Sendable {
  /// What happens when a rule is broken.
  public enum Severity: Hashable, Sendable {
    /// The document is not valid.
    case error
    /// It is reported, and the document is used nevertheless.
    case warning
    /// It is not reported.
    case off
  }

  /// The rules whose severity differs from the default one.
  public var severities: [ValidationRule: Severity]

  /// Every rule of the specification is an error, the others are off, except as `severities` says.
  ///
  /// A rule that is not relaxable can be made quiet, but there is no ``ValidatedDocument`` of a
  /// document that breaks it: see ``ValidationRule/isRelaxable``.
  public init(severities: [ValidationRule: Severity] = [:]) {
    self.severities = severities
  }

  /// Only the rules named here, as errors.
  public static func only(_ rules: ValidationRule...) -> ValidationConfiguration {
    ValidationConfiguration(
      severities: Dictionary(
        uniqueKeysWithValues: ValidationRule.allCases.map {
          ($0, rules.contains($0) ? .error : .off)
        }))
  }

  /// What happens when `rule` is broken.
  public func severity(of rule: ValidationRule) -> Severity {
    severities[rule] ?? (rule.isSpecified ? .error : .off)
  }
}
