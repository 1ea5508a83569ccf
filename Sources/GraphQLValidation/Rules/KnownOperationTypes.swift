import GraphQLSchema
import GraphQLSyntax

/// The schema has a root type for each kind of operation that a document has.
///
/// Spec: 5.2.1.1, "Operation Type Existence".
enum KnownOperationTypes {
  static func check(_ operation: OperationDefinition, in context: inout ValidationContext) {
    // A schema that was accepted although its root type is no type with fields, supports nothing.
    guard context.schema.rootType(operation.kind).flatMap({ context.composite($0) }) == nil else {
      return
    }
    let kind = context.document.spelling(operation.kind.symbol)
    context.report(
      .knownOperationTypes, "The \(kind) operation is not supported by the schema.",
      at: operation.span)
  }
}
