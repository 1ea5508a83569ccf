public import GraphQLSchema
public import GraphQLSyntax

extension ValidatedDocument {
  /// Returns the schema coordinates that `operation` and its fragments use: `Type`, `Type.field`,
  /// `Type.field(argument:)`, `Enum.VALUE` and `@directive`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of selections in the operation and its
  ///   fragments.
  public func coordinates(usedBy operation: OperationDefinition.ID) -> Set<String> {
    var usage = SchemaUsage(self)
    usage.add(document[operation])
    for fragment in fragments(usedBy: operation) { usage.add(document[fragment]) }
    return usage.coordinates
  }

  /// Returns the schema coordinates of everything that the variables of `operation` can contain:
  /// input types and enums, with all their fields and values.
  ///
  /// - Complexity: O(*n*), where *n* is the size of these types.
  package func coordinates(ofVariablesOf operation: OperationDefinition.ID) -> Set<String> {
    var usage = SchemaUsage(self)
    usage.addVariableTypes(of: document[operation])
    return usage.coordinates
  }
}

extension SchemaChange {
  /// Returns whether the change affects users of `coordinates`, which refer to the old schema.
  ///
  /// An addition affects the users of the element to which something is added.
  public func concerns(_ coordinates: Set<String>) -> Bool {
    switch kind {
    case .requiredArgumentAdded, .optionalArgumentAdded, .requiredDirectiveArgumentAdded,
      .optionalDirectiveArgumentAdded:
      coordinates.contains(String(coordinate.prefix { $0 != "(" }))
    case .requiredInputFieldAdded, .optionalInputFieldAdded, .valueAddedToEnum:
      coordinates.contains(String(coordinate.prefix { $0 != "." }))
    case .implementedInterfaceRemoved:
      // Users of the type itself do not depend on its interfaces.
      related.map { coordinates.contains($0) } ?? false
    default:
      coordinates.contains(coordinate) || related.map { coordinates.contains($0) } ?? false
    }
  }
}
