public import GraphQLSchema
public import GraphQLSyntax

extension ValidatedDocument {
  /// What `operation` and its fragments use of the schema, as schema coordinates: `Type`,
  /// `Type.field`, `Type.field(argument:)`, `Enum.VALUE`, `@directive`.
  ///
  /// - Complexity: O(*n*) in the selections of the operation and of the fragments it reaches.
  public func coordinates(usedBy operation: OperationDefinition.ID) -> Set<String> {
    var usage = SchemaUsage(self)
    usage.add(document[operation])
    for fragment in fragments(usedBy: operation) { usage.add(document[fragment]) }
    return usage.coordinates
  }

  /// What values of the variables of `operation` can hold, as schema coordinates: input types and
  /// enums, with all fields and values.
  ///
  /// - Complexity: O(*n*) in the size of these types.
  package func coordinates(ofVariablesOf operation: OperationDefinition.ID) -> Set<String> {
    var usage = SchemaUsage(self)
    usage.addVariableTypes(of: document[operation])
    return usage.coordinates
  }
}

extension SchemaChange {
  /// Whether the change concerns somebody who uses `coordinates` of the schema before the change.
  ///
  /// What is added concerns those who use the thing it is added to.
  public func concerns(_ coordinates: Set<String>) -> Bool {
    switch kind {
    case .requiredArgumentAdded, .optionalArgumentAdded, .requiredDirectiveArgumentAdded,
      .optionalDirectiveArgumentAdded:
      coordinates.contains(String(coordinate.prefix { $0 != "(" }))
    case .requiredInputFieldAdded, .optionalInputFieldAdded, .valueAddedToEnum:
      coordinates.contains(String(coordinate.prefix { $0 != "." }))
    case .implementedInterfaceRemoved:
      // Whoever uses the type by itself does not ask what it implements.
      related.map { coordinates.contains($0) } ?? false
    default:
      coordinates.contains(coordinate) || related.map { coordinates.contains($0) } ?? false
    }
  }
}
