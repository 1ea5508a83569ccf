import ApolloIR
import GraphQLSchema
import GraphQLSyntax

/// The field by which the first `SchemaConfiguration` tells objects apart.
///
/// Without a key, the cache stores an object inside the one that it was reached from. A mutation
/// then does not change what a query shows, and watchers are not notified.
struct ObjectIdentification {
  /// The field that identifies objects by convention.
  static let field = "id"

  /// The number of object types that have the field, without arguments and as a scalar.
  let identifiedTypeCount: Int
  /// The number of object types, without those of operations.
  let typeCount: Int

  /// Counts the types of a schema.
  init(_ schema: Schema) {
    let roots = [OperationKind.query, .mutation, .subscription].map { schema.rootType($0) }
    let types = schema.definedTypes.filter { schema[$0].kind == .object && !roots.contains($0) }
    typeCount = types.count
    identifiedTypeCount = types.count { type in
      schema[type].fields.contains { id in
        let field = schema[id]
        return schema.spelling(field.name) == Self.field && field.arguments.isEmpty
          && !field.type.isList && schema[field.type.namedType].kind == .scalar
      }
    }
  }

  /// Is `true` if the field can serve as a key.
  var isPossible: Bool { identifiedTypeCount > 0 }

  /// The documentation of the function that returns the key.
  var documentation: String {
    isPossible
      ? """
      The address of an object in the cache: its type and its `id`.

      Of the \(typeCount) object types of the schema, \(identifiedTypeCount) had a field `id` when \
      this file was written.
      The cache keeps one record for each of their objects, so select `id` wherever you select one.
      An object without a key is stored inside the object that it was reached from.
      """
      : """
      The address of an object in the cache, or `nil` to store it inside the object that it was
      reached from, as long as its type has no key fields.

      No object type of the schema had a field `id` when this file was written. If another field
      identifies objects, return its value: `try? CacheKeyInfo(jsonValue: object["name"])`
      """
  }

  /// The statements of the function that returns the key.
  var statements: [String] {
    isPossible
      ? [
        "guard let id = object[\"id\"] else { return nil }",
        "return try? CacheKeyInfo(jsonValue: id)  // a value without a text is no address",
      ] : ["nil"]
  }
}
