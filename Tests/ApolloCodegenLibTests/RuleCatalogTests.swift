import ApolloCodegenLib
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// The descriptions of rules, and the ways to name a rule.
@Suite struct RuleCatalogTests {
  @Test func everyRuleIsDescribedOnce() {
    for subject in RuleDescription.Subject.allCases {
      let rules = RuleCatalog.rules.filter { $0.subject == subject }
      #expect(Set(rules.map(\.rule)).count == rules.count)
      for rule in rules {
        #expect(rule.summary.hasSuffix("."), "\(rule.rule.rawValue)")
        #expect(rule.summary.count <= 90, "\(rule.rule.rawValue)")
      }
    }
    let configurable = RuleCatalog.rules.map(\.rule.rawValue)
    for name in RuleName.all { #expect(configurable.contains(name), "\(name)") }
  }

  /// A project whose configuration names no rule has the severities of the list.
  @Test func severitiesAreThoseOfProjects() throws {
    let configuration = try configuration("{}")
    for rule in RuleCatalog.rules {
      switch rule.subject {
      case .operations:
        let validation = try #require(ValidationRule(rawValue: rule.rule.rawValue))
        #expect(configuration.validation.severity(of: validation) == rule.standardSeverity)
      case .schemas:
        let severity = configuration.schemaOptions.severities[rule.rule] ?? .error
        #expect(severity == rule.standardSeverity, "\(rule.rule.rawValue)")
      case .lint, .generation: continue
      }
    }
  }

  @Test(arguments: [
    "RequireID", "require-id", "requireId", "REQUIRE_ID",
  ])
  func caseAndHyphensOfNamesDoNotMatter(_ name: String) throws {
    for level in ["warning", "warn"] {
      let configuration = try configuration("{ \"\(name)\": \"\(level)\" }")
      #expect(configuration.lint.severities == [.requireID: .warning])
    }
  }

  @Test(arguments: [
    ("NoDeprecatedCustom", ValidationRule.noDeprecated),
    ("NoSchemaIntrospectionCustom", .noSchemaIntrospection),
  ])
  func formerNamesAreKnown(_ name: String, rule: ValidationRule) throws {
    #expect(try configuration("{ \"\(name)\": \"error\" }").validation.severity(of: rule) == .error)
  }

  @Test func indispensableRulesCannotBeRelaxedUnderAnyName() throws {
    let configuration = try configuration("{ \"no-fragment-cycles\": \"off\" }")
    #expect(configuration.problems.map(\.path) == ["ruleSeverities.no-fragment-cycles"])
  }

  private func configuration(_ severities: String) throws -> ApolloCodegenConfiguration {
    try ApolloCodegenConfiguration(
      json: """
        {
          "schemaNamespace": "API",
          "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } },
          "ruleSeverities": \(severities)
        }
        """)
  }
}
