package import GraphQLSchema
import GraphQLSyntax
package import GraphQLValidation

extension ApolloCodegenConfiguration {
  /// The severities of the rules for the schema.
  ///
  /// Rules that published schemas break are warnings, unless the configuration overrides them.
  package var schemaOptions: SchemaOptions {
    RuleSeverities(ruleSeverities).applied(to: SchemaOptions(severities: Self.toleratedRules))
  }

  /// The severities of the rules for the operations.
  package var validation: ValidationConfiguration {
    // Fragments may be meant for other modules.
    var standard = ValidationConfiguration(severities: [.noUnusedFragments: .off])
    // The use of a deprecated field is a warning in Swift. A deprecated input in a document has no
    // declaration that could warn.
    if options.warningsOnDeprecatedUsage == .include {
      standard.severities[.noDeprecatedInputs] = .warning
    }
    var result = RuleSeverities(ruleSeverities).applied(to: standard)
    // A rule of the same name may be relaxed for schemas, but not for operations.
    result.severities = result.severities.filter { $0.key.isRelaxable }
    return result
  }

  /// Rules that published schemas break, although servers and their operations work.
  ///
  /// They are warnings, because a client's project can seldom change its schema.
  private static let toleratedRules: [Diagnostic.Rule: RuleSeverity] = Dictionary(
    uniqueKeysWithValues: [
      "DefaultValueCycles", "DefaultValues", "DeprecatedImplementations", "DirectiveArguments",
      "InterfaceImplementations", "KnownArgumentNamesOnDirectives", "KnownDirectives",
      "ProvidedRequiredArgumentsOnDirectives", "RequiredDeprecations", "ReservedNames",
      "UniqueDirectivesPerLocation", "UniqueFieldDefinitionNames",
      "ValuesOfCorrectTypeOnDirectives",
    ].map { (Diagnostic.Rule(rawValue: $0), .warning) })
}
