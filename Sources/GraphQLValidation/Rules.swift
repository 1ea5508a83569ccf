import GraphQLSchema
public import GraphQLSyntax

/// The rules that are checked once for a whole, in the order in which they are checked.
///
/// ``DocumentTraversal`` calls the others.
enum Rules {
  /// The rules for the definitions of a schema, before they are merged into types.
  static let ofDefinitions: [any WholeRule<SchemaDefinitions>.Type] = [
    LoneSchemaDefinition.self,
    UniqueOperationTypes.self,
    KnownDirectives.self,
    UniqueDirectivesPerLocation.self,
    KnownArgumentNamesOnDirectives.self,
    UniqueArgumentNames.self,
    ProvidedRequiredArgumentsOnDirectives.self,
    ValuesOfCorrectTypeOnDirectives.self,
    UniqueInputFieldNames.self,
  ]

  /// The rules for the definitions of a schema that need no check unless its draft says so.
  static let ofDoubtfulDefinitions:
    [(doubt: SchemaDoubts, rule: any WholeRule<SchemaDefinitions>.Type)] = [
      (.uniqueTypeNames, UniqueTypeNames.self),
      (.uniqueDirectiveNames, UniqueDirectiveNames.self),
      (.uniqueMemberNames, UniqueFieldDefinitionNames.self),
      (.uniqueMemberNames, UniqueEnumValueNames.self),
      (.uniqueArgumentDefinitionNames, UniqueArgumentDefinitionNames.self),
      (.knownTypeNames, KnownTypeNames.self),
      (.possibleTypeExtensions, PossibleTypeExtensions.self),
    ]

  /// The rules for a schema as a whole, after all definitions are merged.
  static let ofSchemas: [any WholeRule<Schema>.Type] = [
    RootOperationTypes.self,
    ReservedNames.self,
    DirectiveArguments.self,
    DirectiveCycles.self,
    OutputFields.self,
    InterfaceImplementations.self,
    UnionMembers.self,
    EnumValues.self,
    InputFields.self,
    OneOfInputObjects.self,
    InputObjectCycles.self,
    RequiredDeprecations.self,
    DefaultValues.self,
    DefaultValueCycles.self,
  ]

  /// The rules about the style of operations.
  static let ofStyle: [any WholeRule<StyledDocument>.Type] = [
    RequireID.self, NamingConvention.self, MaximumDepth.self, Alphabetical.self,
  ]
}

extension SchemaOptions {
  /// The rules that can be given a severity, sorted by name. They do not include the syntax of the
  /// inputs, whose violations are always errors.
  public static let rules: [Diagnostic.Rule] =
    (Rules.ofDefinitions.map { $0.name } + Rules.ofDoubtfulDefinitions.map { $0.rule.name }
    + Rules.ofSchemas.map { $0.name } + [DeprecatedImplementations.name, .bidirectionalControls])
    .sorted { $0.rawValue < $1.rawValue }
}
