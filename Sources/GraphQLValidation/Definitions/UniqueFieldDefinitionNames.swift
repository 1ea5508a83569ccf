import GraphQLSchema
import GraphQLSyntax

/// The fields of a type, including its extensions, have different names.
///
/// Spec: 3.6, 3.7 and 3.10, "Type Validation".
enum UniqueFieldDefinitionNames: WholeRule {
  static let name: Diagnostic.Rule = "UniqueFieldDefinitionNames"

  static func check(_ definitions: SchemaDefinitions, in context: inout ValidationContext) {
    let document = context.document
    MemberNames.check(definitions, as: Self.self, "Field", in: &context) {
      document[$0.fields].map(\.name) + document[$0.inputFields].map(\.name)
    }
  }
}
