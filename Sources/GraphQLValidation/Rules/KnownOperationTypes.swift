import GraphQLSchema
import GraphQLSyntax

/// The schema supports the type of each operation.
///
/// Spec: 5.2.1.1, "Operation Type Existence".
enum KnownOperationTypes: Rule {
  static let name = ValidationRule.knownOperationTypes.diagnosticRule

  static func check(_ operation: OperationDefinition, in context: inout ValidationContext) {
    // A schema can be accepted although its root type is not an object type. It supports no
    // operations.
    guard context.schema.rootType(operation.kind).flatMap({ context.composite($0) }) == nil else {
      return
    }
    let kind = context.document.spelling(operation.kind.symbol)
    context.report(
      Self.self, "The \(kind) operation is not supported by the schema.",
      at: operation.span)
  }
}
