import GraphQLSchema
import GraphQLSyntax

/// A field, directive or fragment with arguments.
enum ArgumentOwner {
  case field(Schema.Field.ID, parent: Schema.NamedType.ID)
  /// The name of the directive, without `@`.
  case directive(Symbol)
  /// The name of the fragment.
  case fragment(Symbol)
}
