public import GraphQLSyntax
package import GraphQLValidation

extension ApolloCodegenConfiguration {
  /// The effect of breaking a rule for schemas or operations.
  public typealias RuleSeverity = GraphQLSyntax.RuleSeverity
}

/// The severities that a configuration or a command line gives to rules.
///
/// A rule is identified by name. Schemas and operations share some names, such as `KnownTypeNames`;
/// their severity then applies to both.
package struct RuleSeverities: Hashable, Sendable {
  /// The severities by the name of the rule.
  package var severities: [String: RuleSeverity]

  package init(_ severities: [String: RuleSeverity] = [:]) {
    self.severities = severities
  }

  /// Returns the problem to report if no rule has the name `name`; otherwise `nil`.
  package static func problem(forRuleNamed name: String) -> ConfigurationFact? {
    guard RuleName.resolved(name) == nil else { return nil }
    return .unknownRule(name, nearest: Spelling.nearest(to: name, in: RuleName.all))
  }

  /// Returns `options` with these severities in place of its own, for the rules named here.
  package func applied(to options: SchemaOptions) -> SchemaOptions {
    var options = options
    for (name, severity) in resolved {
      options.severities[Diagnostic.Rule(rawValue: name)] = severity
    }
    return options
  }

  /// Returns `configuration` with these severities in place of its own, for the rules named here.
  package func applied(to configuration: ValidationConfiguration) -> ValidationConfiguration {
    var configuration = configuration
    for (name, severity) in resolved {
      guard let rule = ValidationRule(rawValue: name) else { continue }
      configuration.severities[rule] = severity
    }
    return configuration
  }

  /// Returns `configuration` with these severities in place of its own, for the rules named here.
  package func applied(to configuration: LintConfiguration) -> LintConfiguration {
    var configuration = configuration
    for (name, severity) in resolved {
      guard let rule = LintRule(rawValue: name) else { continue }
      configuration.severities[rule] = severity
    }
    return configuration
  }

  /// Returns `configuration` with these severities in place of its own, for the rules named here.
  package func applied(to configuration: ApolloCodegenConfiguration) -> ApolloCodegenConfiguration {
    var configuration = configuration
    let named = Set(resolved.map { $0.0 })
    let own = configuration.ruleSeverities.filter {
      !named.contains(RuleName.resolved($0.key) ?? $0.key)
    }
    configuration.ruleSeverities = own.merging(severities) { $1 }
    return configuration
  }

  /// Returns the severity of a rule, or `nil` if it is not named here.
  func severity(of rule: Diagnostic.Rule) -> RuleSeverity? {
    resolved.first { $0.0 == rule.rawValue }?.1
  }

  /// The severities by the names that rules have in diagnostics.
  private var resolved: [(String, RuleSeverity)] {
    severities.map { (RuleName.resolved($0.key) ?? $0.key, $0.value) }
  }
}

// MARK: - Reading

extension RuleSeverities {
  /// Reads a JSON object whose keys are names of rules and whose values are severities.
  init(reading reader: ConfigurationReader) {
    self.init()
    for name in reader.keys {
      if let problem = Self.problem(forRuleNamed: name) {
        reader.report(problem, at: name)
      } else {
        severities[name] = reader.choice(
          name, RuleSeverity.self, aliases: ["warn": .warning])
      }
    }
  }
}

extension ApolloCodegenConfiguration {
  /// A problem for each rule that is relaxed although code generation relies on it.
  var ruleSeverityProblems: [ConfigurationProblem] {
    ruleSeverities.sorted { $0.key < $1.key }.compactMap { name, severity in
      guard severity != .error,
        let rule = ValidationRule(rawValue: RuleName.resolved(name) ?? name), !rule.isRelaxable,
        !SchemaOptions.rules.contains(rule.diagnosticRule)
      else { return nil }
      return ConfigurationProblem(.indispensableRule, at: "ruleSeverities.\(name)")
    }
  }
}
