public import GraphQLSyntax

/// A rule for executable documents, named as in the reference implementation.
///
/// Spec: 5, "Validation". The last four are not of the specification and are off unless
/// configured.
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
  case noDeprecated = "NoDeprecatedCustom"
  /// The part of ``noDeprecated`` that concerns what a document sends, not what it asks for. Not of the reference implementation.
  case noDeprecatedInputs = "NoDeprecatedInputs"
  case noSchemaIntrospection = "NoSchemaIntrospectionCustom"

  /// Whether the specification demands it.
  public var isSpecified: Bool {
    switch self {
    case .maxIntrospectionDepth, .noDeprecated, .noDeprecatedInputs, .noSchemaIntrospection: false
    default: true
    }
  }

  /// Whether a document that breaks it can be used nevertheless: nothing after validation relies on
  /// it.
  public var isRelaxable: Bool {
    switch self {
    case .executableDefinitions, .loneAnonymousOperation, .singleFieldSubscriptions,
      .noUnusedFragments, .noUnusedVariables, .knownDirectives, .uniqueDirectivesPerLocation,
      .valuesOfCorrectType, .variablesInAllowedPosition:
      true
    default: !isSpecified
    }
  }

  /// What diagnostics call it.
  public var diagnosticRule: Diagnostic.Rule { Diagnostic.Rule(rawValue: rawValue) }
}
