import GraphQLSchema
import GraphQLSyntax

/// The use of a variable as a value.
struct VariableUsage: Sendable {
  /// The name of the variable.
  var name: Symbol
  /// The span from `$` to the end of the name.
  var span: SourceSpan
  /// The expected type, or `nil` if it is unknown, such as inside a custom scalar.
  var expectedType: ResolvedType?
  /// A Boolean value that indicates whether the argument or input field has a default value.
  var hasLocationDefault: Bool
  /// The `@oneOf` input object to whose field the value belongs, or `nil`.
  var oneOf: Schema.NamedType.ID?

  /// The properties of a usage except its position. Usages of the same kind violate the same rules.
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
