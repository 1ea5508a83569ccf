import GraphQLSyntax
import GraphQLValidation

extension Diagnostic.Rule {
  /// The hint at lists of objects without a cache key.
  static let cacheKeys: Diagnostic.Rule = "CacheKeys"
  /// The hint at fields of merged lists that are no pages of them.
  static let mergedPages: Diagnostic.Rule = "MergedPages"
}

/// The names of rules, and the ways to spell them.
package enum RuleName {
  /// The names of all rules that can be given a severity, sorted.
  package static let all: [String] = Set(
    SchemaOptions.rules.map(\.rawValue) + ValidationRule.allCases.map(\.rawValue)
      + LintRule.allCases.map(\.rawValue)
      + [Diagnostic.Rule.cacheKeys, .mergedPages].map(\.rawValue)
  ).sorted()

  /// Names that rules had in earlier versions, with the present ones.
  private static let former = [
    "nodeprecatedcustom": "NoDeprecated",
    "noschemaintrospectioncustom": "NoSchemaIntrospection",
  ]

  private static let present: [String: String] = Dictionary(
    all.map { (folded($0), $0) }, uniquingKeysWith: { first, _ in first })

  /// Returns the name of a rule in diagnostics, or `nil` if there is no such rule.
  ///
  /// Letter case and the hyphens between words do not matter: `require-id` is `RequireID`.
  static func resolved(_ name: String) -> String? {
    let folded = folded(name)
    return present[folded] ?? former[folded]
  }

  private static func folded(_ name: String) -> String {
    name.filter { $0 != "-" && $0 != "_" }.lowercased()
  }
}
