import GraphQLSchema
import GraphQLSyntax

/// A field or directive with arguments.
enum ArgumentOwner {
  case field(Schema.Field.ID, parent: Schema.NamedType.ID)
  /// The name of the directive, without `@`.
  case directive(Symbol)
}
