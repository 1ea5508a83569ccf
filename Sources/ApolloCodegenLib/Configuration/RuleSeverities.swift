package import GraphQLSchema
import GraphQLSyntax
package import GraphQLValidation

extension ApolloCodegenConfiguration {
  /// What it means that a schema or an operation breaks a rule.
  public enum RuleSeverity: String, Hashable, Sendable, CaseIterable {
    /// Nothing is generated.
    case error
    /// It is reported.
    case warning
    /// It is not even reported.
    case off
  }
}

/// The severities that somebody chose for rules of schemas and of operations, by the rules' names.
package struct RuleSeverities: Hashable, Sendable {
  /// A name that both kinds of rules have, such as `KnownTypeNames`, is for both.
  package var severities: [String: ApolloCodegenConfiguration.RuleSeverity]

  package init(_ severities: [String: ApolloCodegenConfiguration.RuleSeverity] = [:]) {
    self.severities = severities
  }

  /// Every rule that can be given a severity, by name.
  package static let ruleNames: [String] = Set(
    SchemaOptions.rules.map(\.rawValue) + ValidationRule.allCases.map(\.rawValue)
  ).sorted()

  /// Why `name` cannot be the name of a rule; nil if it is one.
  package static func complaint(about name: String) -> String? {
    guard !ruleNames.contains(name) else { return nil }
    let hint = Spelling.nearest(to: name, in: ruleNames).map { " Did you mean '\($0)'?" } ?? ""
    return "There is no rule '\(name)'.\(hint)"
  }

  /// How schemas are judged.
  package func schemaOptions(default options: SchemaOptions = SchemaOptions()) -> SchemaOptions {
    var options = options
    for (name, severity) in severities {
      let rule = Diagnostic.Rule(rawValue: name)
      options.severities[rule] = severity == .error ? .error : .warning
      if severity == .off {
        options.silencedRules.insert(rule)
      } else {
        options.silencedRules.remove(rule)
      }
    }
    return options
  }

  /// How operations are judged.
  package func validation(
    default configuration: ValidationConfiguration = ValidationConfiguration()
  ) -> ValidationConfiguration {
    var configuration = configuration
    for (name, severity) in severities {
      guard let rule = ValidationRule(rawValue: name) else { continue }
      configuration.severities[rule] =
        switch severity {
        case .error: .error
        case .warning: .warning
        case .off: .off
        }
    }
    return configuration
  }
}

// MARK: - Reading

extension RuleSeverities {
  /// Reads an object of severities by rule.
  init(reading reader: ConfigurationReader) {
    self.init()
    for name in reader.keys {
      if let complaint = Self.complaint(about: name) {
        reader.report(complaint, at: name)
      } else {
        severities[name] = reader.choice(name, ApolloCodegenConfiguration.RuleSeverity.self)
      }
    }
  }
}

extension ApolloCodegenConfiguration {
  /// The rules of operations that are to be relaxed although no code can be made for what breaks them.
  var problemsOfRuleSeverities: [ConfigurationProblem] {
    ruleSeverities.sorted { $0.key < $1.key }.compactMap { name, severity in
      guard severity != .error, let rule = ValidationRule(rawValue: name), !rule.isRelaxable,
        !SchemaOptions.rules.contains(rule.diagnosticRule)
      else { return nil }
      return ConfigurationProblem(
        path: "ruleSeverities.\(name)",
        message: "This rule cannot be relaxed: there is no code for operations that break it.")
    }
  }
}
