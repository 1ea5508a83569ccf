import GraphQLSchema
package import GraphQLSyntax
import GraphQLValidation

/// The description of a rule, for lists of rules and for code scanners.
package struct RuleDescription: Hashable, Sendable {
  /// The subjects of rules, in the order of lists.
  package enum Subject: String, CaseIterable, Sendable {
    case operations = "Operations"
    case lint = "Style of operations"
    case schemas = "Schemas"
    case generation = "Generated code"
  }

  package let rule: Diagnostic.Rule
  package let subject: Subject
  /// The requirement, as one sentence.
  package let summary: String
  /// The severity in a project whose configuration does not name the rule.
  package let standardSeverity: RuleSeverity
  /// `true` if a configuration and the option `--severity` can change the severity.
  package let isConfigurable: Bool
}

/// The descriptions of all rules.
package enum RuleCatalog {
  /// Every rule, by subject, then by name. A name that operations and schemas share appears twice.
  package static let rules: [RuleDescription] =
    operationRules + lintRules + schemaRules + generationRules

  /// Returns the descriptions of the rules with a name, of which letter case and hyphens do not
  /// matter.
  package static func rules(named name: String) -> [RuleDescription] {
    let resolved = RuleName.resolved(name) ?? name
    return rules.filter { $0.rule.rawValue.lowercased() == resolved.lowercased() }
  }

  /// The summaries by rule, for output formats that describe the rules of diagnostics.
  package static let summaries: [Diagnostic.Rule: String] = Dictionary(
    rules.map { ($0.rule, $0.summary) }, uniquingKeysWith: { first, _ in first })

  private static var operationRules: [RuleDescription] {
    let standard = ApolloCodegenConfiguration.standardValidation
    return ValidationRule.allCases.map { rule in
      RuleDescription(
        rule: rule.diagnosticRule, subject: .operations, summary: summary(of: rule),
        standardSeverity: rule == .noDeprecatedInputs ? .warning : standard.severity(of: rule),
        isConfigurable: rule.isRelaxable)
    }.sorted { $0.rule.rawValue < $1.rule.rawValue }
  }

  private static var lintRules: [RuleDescription] {
    LintRule.allCases.map { rule in
      RuleDescription(
        rule: rule.diagnosticRule, subject: .lint, summary: summary(of: rule),
        standardSeverity: .off, isConfigurable: true)
    }.sorted { $0.rule.rawValue < $1.rule.rawValue }
  }

  private static var schemaRules: [RuleDescription] {
    let standard = ApolloCodegenConfiguration.standardSchemaOptions.severities
    return SchemaOptions.rules.map { rule in
      RuleDescription(
        rule: rule, subject: .schemas, summary: schemaSummaries[rule.rawValue] ?? "",
        standardSeverity: standard[rule] ?? .error, isConfigurable: true)
    }
  }

  private static var generationRules: [RuleDescription] {
    generationSummaries.map { name, summary, severity in
      RuleDescription(
        rule: Diagnostic.Rule(rawValue: name), subject: .generation, summary: summary,
        standardSeverity: severity, isConfigurable: RuleName.all.contains(name))
    }
  }
}

// MARK: - Summaries

extension RuleCatalog {
  private static func summary(of rule: ValidationRule) -> String {
    switch rule {
    case .executableDefinitions: "Operation files define only operations and fragments."
    case .knownOperationTypes: "The schema supports the type of each operation."
    case .uniqueOperationNames: "Operations have different names."
    case .loneAnonymousOperation: "An operation without a name is the only one."
    case .singleFieldSubscriptions: "A subscription selects exactly one field."
    case .knownTypeNames: "Type conditions and variables name types that exist."
    case .fragmentsOnCompositeTypes: "Fragments apply to objects, interfaces and unions."
    case .variablesAreInputTypes: "Variables have input types."
    case .scalarLeafs: "Fields with objects have selections, and other fields have none."
    case .fieldsOnCorrectType: "Selected fields exist."
    case .uniqueFragmentNames: "Fragments have different names."
    case .knownFragmentNames: "Fragments that are spread exist."
    case .noUnusedFragments: "Fragments are used by an operation."
    case .possibleFragmentSpreads: "Fragments can apply where they are spread."
    case .noFragmentCycles: "Fragments do not spread themselves."
    case .uniqueVariableNames: "The variables of an operation have different names."
    case .noUndefinedVariables: "Variables that are used are defined."
    case .noUnusedVariables: "Variables that are defined are used."
    case .knownDirectives: "Directives exist, and are allowed where they are."
    case .uniqueDirectivesPerLocation: "A directive occurs once, unless it is repeatable."
    case .knownArgumentNames: "Arguments exist."
    case .uniqueArgumentNames: "An argument is given once."
    case .valuesOfCorrectType: "Literals fit the types of their positions."
    case .providedRequiredArguments: "Required arguments are given."
    case .variablesInAllowedPosition:
      "Variables fit the types of the positions where they are used."
    case .overlappingFieldsCanBeMerged: "Fields with the same name in a response are the same."
    case .uniqueInputFieldNames: "A field of an input object is given once."
    case .maxIntrospectionDepth: "Introspection queries do not nest lists deeply."
    case .noDeprecated: "No deprecated fields, arguments, input fields or enum values are used."
    case .noDeprecatedInputs: "No deprecated arguments, input fields or enum values are used."
    case .noSchemaIntrospection: "Operations do not query the schema."
    }
  }

  private static func summary(of rule: LintRule) -> String {
    switch rule {
    case .requireID: "Objects that have an 'id' are selected with it."
    case .namingConvention:
      "Operations and fragments are UpperCamelCase; variables and aliases, lowerCamelCase."
    case .maximumDepth: "Operations have a limited number of fields inside of each other."
    case .alphabetical: "The fields of a selection set are in alphabetical order."
    }
  }

  private static let schemaSummaries = [
    "BidirectionalControls": "No characters make text look different from what is read.",
    "DefaultValueCycles": "The default value of an input field does not require itself.",
    "DefaultValues": "Default values fit their types.",
    "DeprecatedImplementations": "A field is deprecated only if it is in its interfaces, too.",
    "DirectiveArguments": "The arguments of directives have input types.",
    "DirectiveCycles": "Directives do not refer to themselves.",
    "EnumValues": "Enums have values.",
    "InputFields": "Input objects have fields, and these have input types.",
    "InputObjectCycles": "Input objects have finite values.",
    "InterfaceImplementations": "Types have everything that their interfaces require.",
    "KnownArgumentNamesOnDirectives": "Arguments of directives exist.",
    "KnownDirectives": "Directives exist, and are allowed where they are.",
    "KnownTypeNames": "Types that are named exist.",
    "LoneSchemaDefinition": "There is at most one schema definition.",
    "OneOfInputObjects": "The fields of '@oneOf' inputs are nullable, without default values.",
    "OutputFields": "Objects and interfaces have fields, and these have output types.",
    "PossibleTypeExtensions": "Extensions extend types of their own kind that exist.",
    "ProvidedRequiredArgumentsOnDirectives": "Required arguments of directives are given.",
    "RequiredDeprecations": "Required arguments and input fields are not deprecated.",
    "ReservedNames": "Names do not begin with two underscores.",
    "RootOperationTypes":
      "There is a query type, and the types of operations are different objects.",
    "UnionMembers": "Unions have members, and these are different objects.",
    "UniqueArgumentDefinitionNames": "The arguments of a definition have different names.",
    "UniqueArgumentNames": "An argument is given once.",
    "UniqueDirectiveNames": "Directives have different names.",
    "UniqueDirectivesPerLocation": "A directive occurs once, unless it is repeatable.",
    "UniqueEnumValueNames": "The values of an enum have different names.",
    "UniqueFieldDefinitionNames": "The fields of a type have different names.",
    "UniqueInputFieldNames": "A field of an input object is given once.",
    "UniqueOperationTypes": "Each type of operation has one root type.",
    "UniqueTypeNames": "Types have different names.",
    "ValuesOfCorrectTypeOnDirectives": "Arguments of directives fit their types.",
  ]

  private static let generationSummaries: [(String, String, RuleSeverity)] = [
    (Diagnostic.Rule.cacheKeys.rawValue, "The objects of lists have cache keys.", .warning),
    (
      "CachePolicies", "The directives of the cache name fields and ages that are possible.", .error
    ),
    (ConfigurationText.rule.rawValue, "The configuration can be used.", .error),
    (
      "DeferredLabels", "Deferred fragments of an object differ by labels that become names.",
      .error
    ),
    (
      "ImportedModules", "'@import' names a module.", .error
    ),
    (
      IgnoredOperations.rule.rawValue, "Files with operations are read for them.", .warning
    ),
    (Diagnostic.Rule.introspection.rawValue, "Introspection JSON describes a schema.", .error),
    (KeyCasts.rule.rawValue, "Values of objects are not cast to find cache keys.", .warning),
    ("KnownCustomNames", "Custom names in the configuration are of types that exist.", .warning),
    (
      Diagnostic.Rule.mergedPages.rawValue,
      "Fields of merged lists select the items and the cursor of a page.", .warning
    ),
    ("NamedOperations", "Operations have names, from which types are made.", .error),
    (
      NullabilityRules.rule.rawValue, "The nullability directives ask for what is possible.", .error
    ),
    (OrphanedScalars.rule.rawValue, "Files of custom scalars have a scalar.", .warning),
    ("SentDocuments", "Operations are sent with all fragments that they name.", .error),
    (
      "ShadowedNames", "Generated types do not have the names of types that programs use.", .warning
    ),
    (
      "SupportedLists", "Fields and variables are in no more lists than generated code can have.",
      .error
    ),
    (Diagnostic.Rule.syntax.rawValue, "Texts follow the grammar of GraphQL.", .error),
    ("UniqueSwiftNames", "Generated declarations have different names.", .error),
  ]
}
