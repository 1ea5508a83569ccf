/// A field at the root of queries that finds an object by its key field: `node(id:)`.
///
/// The compiler finds such fields in the schema: Relay's `node(id: ID!): Node`, and fields whose
/// `@fieldPolicy` names the argument that identifies their object.
package struct ObjectLookup: Hashable, Sendable {
  /// The name of the field, such as `node`.
  let field: String
  /// The name of its argument, such as `id`.
  let argument: String
  /// The type of the argument, such as `ID!`.
  let argumentType: String
  /// The type of the field, such as `Node`.
  let type: String
  /// The field of the objects whose value the argument takes.
  package let keyField: String

  package init(
    field: String, argument: String, argumentType: String, type: String, keyField: String
  ) {
    self.field = field
    self.argument = argument
    self.argumentType = argumentType
    self.type = type
    self.keyField = keyField
  }
}

extension SchemaTypes {
  /// Returns whether the server has fields that find objects.
  ///
  /// - Parameter root: The root type of queries.
  /// - Returns: `true` if there is at least one.
  package func findsObjects(from root: String) -> Bool {
    object(named: root)?.lookups.isEmpty == false
  }

  /// Returns the field that finds objects of a type, or `nil` if the server has none.
  ///
  /// - Parameters:
  ///   - typename: The name of an object type.
  ///   - root: The root type of queries.
  /// - Returns: The field. Of several, the first one in the schema's metadata.
  package func lookup(ofObjectsOfType typename: String, from root: String) -> ObjectLookup? {
    object(named: root)?.lookups.first { condition($0.type, holdsFor: typename, within: []) }
  }
}
