import ApolloIR
package import GraphQLSyntax
package import GraphQLValidation

extension ApolloCodegenConfiguration {
  /// The severities of the rules for the schema, and the syntax that the project has.
  ///
  /// Rules that published schemas break are warnings, unless the configuration overrides them.
  package var schemaOptions: SchemaOptions {
    var standard = Self.standardSchemaOptions
    standard.parser = experimentalFeatures.parserOptions
    return RuleSeverities(ruleSeverities).applied(to: standard)
  }

  /// The severities of the rules for the schema of a project whose configuration names none.
  package static var standardSchemaOptions: SchemaOptions {
    SchemaOptions(severities: SchemaOptions.toleratedRules)
  }

  /// The severities of the rules for the operations.
  package var validation: ValidationConfiguration {
    var standard = Self.standardValidation
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

  /// The severities of the rules for the operations of a project whose configuration names none.
  package static var standardValidation: ValidationConfiguration {
    // Fragments may be meant for other modules.
    var configuration = ValidationConfiguration(severities: [.noUnusedFragments: .off])
    configuration.clientDirectives = ClientDirective.locations
    return configuration
  }

  /// The severities of the lint rules. Only those that the configuration names are checked.
  package var lint: LintConfiguration {
    RuleSeverities(ruleSeverities).applied(to: LintConfiguration())
  }
}

extension ApolloCodegenConfiguration.ExperimentalFeatures {
  /// The syntax of schemas and operations.
  package var parserOptions: ParserOptions {
    ParserOptions(
      allowsDirectivesOnDirectives: directivesOnDirectiveDefinitions,
      allowsFragmentArguments: fragmentArguments)
  }
}
