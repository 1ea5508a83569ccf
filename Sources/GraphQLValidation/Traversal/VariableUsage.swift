import GraphQLSchema
import GraphQLSyntax

/// A variable where a value is expected.
struct VariableUsage: Sendable {
  /// The variable's name.
  var name: Symbol
  /// From `$` to the end of the name.
  var span: SourceSpan
  /// The type that is expected, or nil where that is not known, as within a custom scalar.
  var expectedType: ResolvedType?
  /// Whether the argument or input field that takes the value has a default.
  var hasLocationDefault: Bool
  /// The `@oneOf` input object whose field takes the value, if it does.
  var oneOf: Schema.NamedType.ID?

  /// What usages that are right or wrong for the same reasons have in common: all but the place.
  struct Kind: Hashable {
    var name: Symbol
    var expectedType: ResolvedType?
    var hasLocationDefault: Bool
    var oneOf: Schema.NamedType.ID?
  }

  var kind: Kind {
    Kind(
      name: name, expectedType: expectedType, hasLocationDefault: hasLocationDefault, oneOf: oneOf)
  }
}
