import GraphQLSchema
import GraphQLSyntax

/// The values of an enum, including its extensions, have different names.
///
/// Spec: 3.9, "Enums".
enum UniqueEnumValueNames: WholeRule {
  static let name: Diagnostic.Rule = "UniqueEnumValueNames"

  static func check(_ definitions: SchemaDefinitions, in context: inout ValidationContext) {
    let document = context.document
    MemberNames.check(definitions, as: Self.self, "Enum value", in: &context) {
      document[$0.values].map(\.name)
    }
  }
}
