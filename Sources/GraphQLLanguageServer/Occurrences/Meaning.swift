import GraphQLSchema

/// The element that a name in a document refers to.
enum Meaning: Hashable {
  case type(Schema.NamedType.ID)
  case field(Schema.Field.ID)
  /// An argument, or a field of an input object.
  case inputValue(Schema.InputValue.ID)
  case enumValue(Schema.EnumValue.ID)
  case directive(Schema.DirectiveDefinition.ID)
  case fragment(String)
  case operation(String)
  /// A variable of an operation.
  case variable(String)
  /// A variable of a fragment, and the argument of a spread that gives it a value.
  case fragmentVariable(String, of: String)
  /// The alias of a field, which nothing else refers to. The field is `nil` if it is unknown.
  case alias(String, of: Schema.Field.ID?)
}
