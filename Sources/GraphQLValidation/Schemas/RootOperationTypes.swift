import GraphQLSchema
import GraphQLSyntax

/// A schema has a query root type, and all root types are different object types.
///
/// Spec: 3.3.1, "Root Operation Types".
enum RootOperationTypes: WholeRule {
  static let name: Diagnostic.Rule = "RootOperationTypes"

  static func check(_ schema: Schema, in context: inout ValidationContext) {
    if schema.root(.query) == nil {
      let definition = schema.schemaDefinitions.first { !schema.document[$0].isExtension }
      context.report(
        Self.self, "Query root type must be provided.",
        at: definition.map { schema.document[$0].span })
    }
    for operation in OperationKind.allCases {
      guard let root = schema.root(operation), schema[root.type].kind != .object else { continue }
      let expected = operation == .query ? "Object type" : "Object type if provided"
      context.report(
        Self.self,
        "\(capitalized(operation)) root type must be \(expected), "
          + "it cannot be \(schema.name(of: root.type)).",
        at: [span(of: root, in: schema)])
    }
    checkDistinct(&context)
  }

  private static func checkDistinct(_ context: inout ValidationContext) {
    let schema = context.schema
    for (index, operation) in OperationKind.allCases.enumerated() {
      guard let type = schema.rootType(operation), schema[type].kind == .object else { continue }
      let isUser = { (other: OperationKind) in schema.rootType(other) == type }
      let users = OperationKind.allCases.filter(isUser)
      guard users.count > 1, !OperationKind.allCases[..<index].contains(where: isUser) else {
        continue
      }
      context.report(
        Self.self,
        "All root types must be different, \"\(schema.name(of: type))\" type is used as "
          + "\(list(users.map { "\($0)" })) root types.",
        at: users.compactMap { schema.root($0) }.map { span(of: $0, in: schema) })
    }
  }

  private static func span(of root: Schema.RootOperation, in schema: Schema) -> Diagnostic.Note {
    Diagnostic.Note(
      "the root type", at: root.span ?? schema.document[schema[root.type].definition].span)
  }

  private static func capitalized(_ operation: OperationKind) -> String {
    switch operation {
    case .query: "Query"
    case .mutation: "Mutation"
    case .subscription: "Subscription"
    }
  }

  /// Returns `query and mutation`, or `query, mutation, and subscription`.
  private static func list(_ words: [String]) -> String {
    guard words.count > 2, let last = words.last else { return words.joined(separator: " and ") }
    return "\(words.dropLast().joined(separator: ", ")), and \(last)"
  }
}
