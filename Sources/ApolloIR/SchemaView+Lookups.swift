import GraphQLSchema
import GraphQLSyntax

extension SchemaView {
  /// Returns the fields that find an object by its key field, if a type is the root of queries:
  ///
  /// 1. those whose `@fieldPolicy` names one argument, sorted by name,
  /// 2. `node(id: ID!): Node`, as Relay's specification "Global Object Identification" has it.
  ///
  /// The argument takes the value of the only key field of the object, or of the field with its
  /// name if the type declares no key fields. Both have the same scalar type.
  func lookups(of type: Schema.NamedType.ID) -> [ObjectLookup] {
    guard rootType(of: .query) == type else { return [] }
    var lookups = fieldPolicies(of: type).compactMap { policy -> ObjectLookup? in
      guard policy.keyArguments.count == 1 else { return nil }
      return lookup(policy.field, policy.keyArguments[0], on: type)
    }
    if !lookups.contains(where: { $0.field == "node" }), let node = lookup("node", "id", on: type),
      node.type == "Node", node.keyField == "id", node.argumentType == "ID!"
    {
      lookups.append(node)
    }
    return lookups
  }

  /// Returns the lookup by a field and its argument, or `nil` if the field does not find one object
  /// by this argument alone.
  private func lookup(
    _ fieldName: String, _ argumentName: String, on type: Schema.NamedType.ID
  ) -> ObjectLookup? {
    guard let field = field(fieldName, of: type), schema[field].type.wrapping.nullable.item == nil,
      schema[self.type(of: field)].kind.isComposite
    else { return nil }
    let arguments = schema[schema[field].arguments]
    guard let argument = arguments.first(where: { schema.spelling($0.name) == argumentName }),
      arguments.allSatisfy({ $0.name == argument.name || !$0.isRequired }),
      argument.type.wrapping.nullable.item == nil
    else { return nil }
    let object = self.type(of: field)
    let keys = keyFields(of: object)
    guard keys.count <= 1, let key = self.field(keys.first ?? argumentName, of: object),
      schema[key].type.namedType == argument.type.namedType,
      schema[key].type.wrapping.nullable.item == nil
    else { return nil }
    return ObjectLookup(
      field: fieldName, argument: argumentName,
      argumentType: name(of: argument.type.namedType)
        + (argument.type.wrapping.isNonNull ? "!" : ""),
      type: name(of: object), keyField: schema.spelling(schema[key].name))
  }

  private func field(_ name: String, of type: Schema.NamedType.ID) -> Schema.Field.ID? {
    schema.names.symbol(for: name).flatMap { field(named: $0, of: type) }
  }
}
