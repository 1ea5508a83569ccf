public import GraphQLSyntax

/// A rule for executable documents. The raw value is its name in diagnostics and configurations.
///
/// The rules of the specification have the names that they have in the reference implementation.
///
/// Spec: 5, "Validation". The last four rules are additions, and off by default.
public enum ValidationRule: String, Hashable, Sendable, CaseIterable {
  case executableDefinitions = "ExecutableDefinitions"
  case knownOperationTypes = "KnownOperationTypes"
  case uniqueOperationNames = "UniqueOperationNames"
  case loneAnonymousOperation = "LoneAnonymousOperation"
  case singleFieldSubscriptions = "SingleFieldSubscriptions"
  case knownTypeNames = "KnownTypeNames"
  case fragmentsOnCompositeTypes = "FragmentsOnCompositeTypes"
  case variablesAreInputTypes = "VariablesAreInputTypes"
  case scalarLeafs = "ScalarLeafs"
  case fieldsOnCorrectType = "FieldsOnCorrectType"
  case uniqueFragmentNames = "UniqueFragmentNames"
  case knownFragmentNames = "KnownFragmentNames"
  case noUnusedFragments = "NoUnusedFragments"
  case possibleFragmentSpreads = "PossibleFragmentSpreads"
  case noFragmentCycles = "NoFragmentCycles"
  case uniqueVariableNames = "UniqueVariableNames"
  case noUndefinedVariables = "NoUndefinedVariables"
  case noUnusedVariables = "NoUnusedVariables"
  case knownDirectives = "KnownDirectives"
  case uniqueDirectivesPerLocation = "UniqueDirectivesPerLocation"
  case knownArgumentNames = "KnownArgumentNames"
  case uniqueArgumentNames = "UniqueArgumentNames"
  case valuesOfCorrectType = "ValuesOfCorrectType"
  case providedRequiredArguments = "ProvidedRequiredArguments"
  case variablesInAllowedPosition = "VariablesInAllowedPosition"
  case overlappingFieldsCanBeMerged = "OverlappingFieldsCanBeMerged"
  case uniqueInputFieldNames = "UniqueInputFieldNames"
  case maxIntrospectionDepth = "MaxIntrospectionDepth"
  case noDeprecated = "NoDeprecated"
  /// The part of ``noDeprecated`` that concerns inputs: arguments, input fields and enum values.
  /// The reference implementation does not have it.
  case noDeprecatedInputs = "NoDeprecatedInputs"
  case noSchemaIntrospection = "NoSchemaIntrospection"

  /// A Boolean value that indicates whether the rule is a part of the specification.
  public var isSpecified: Bool {
    switch self {
    case .maxIntrospectionDepth, .noDeprecated, .noDeprecatedInputs, .noSchemaIntrospection: false
    default: true
    }
  }

  /// A Boolean value that indicates whether a document that violates the rule can be used, because
  /// later stages do not rely on the rule.
  public var isRelaxable: Bool {
    switch self {
    case .executableDefinitions, .loneAnonymousOperation, .singleFieldSubscriptions,
      .noUnusedFragments, .noUnusedVariables, .knownDirectives, .uniqueDirectivesPerLocation,
      .valuesOfCorrectType, .variablesInAllowedPosition:
      true
    default: !isSpecified
    }
  }

  /// A Boolean value that indicates whether the rule depends on all definitions of a document, so
  /// that it reports consequences when some are missing.
  var needsAllDefinitions: Bool {
    switch self {
    case .knownFragmentNames, .noUnusedFragments, .noUnusedVariables: true
    default: false
    }
  }

  /// The name of the rule in diagnostics.
  public var diagnosticRule: Diagnostic.Rule { Diagnostic.Rule(rawValue: rawValue) }
}
