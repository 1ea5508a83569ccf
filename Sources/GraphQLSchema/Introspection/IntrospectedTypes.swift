import GraphQLSyntax

extension Schema {
  /// The types that introspection lists: all but the built-in scalars that are not used.
  var introspectedTypes: [NamedType.ID] { IntrospectedTypes(self).all }
}

/// Lists the types of a schema in the order of the reference implementation: each type as
/// it was defined, each built-in scalar where it is first used, the introspection types last.
private struct IntrospectedTypes {
  private(set) var all: [Schema.NamedType.ID] = []
  private var isListed: [Bool]
  private let schema: Schema

  init(_ schema: Schema) {
    self.schema = schema
    isListed = Array(repeating: false, count: schema.types.count)
    // Types that are defined are listed when their turn comes, not when they are first used.
    for type in schema.definedTypes { isListed[type.index] = true }
    for type in schema.definedTypes {
      all.append(type)
      listTypes(usedBy: type)
    }
    for directive in schema.effectiveDirectives { list(schema[directive].arguments) }
    if let type = schema.type(named: .introspectionSchema) { list(type) }
  }

  private mutating func list(_ type: Schema.NamedType.ID) {
    guard !isListed[type.index] else { return }
    isListed[type.index] = true
    all.append(type)
    listTypes(usedBy: type)
  }

  private mutating func listTypes(usedBy type: Schema.NamedType.ID) {
    for field in schema[type].fields {
      list(schema[field].type.namedType)
      list(schema[field].arguments)
    }
    list(schema[type].inputFields)
  }

  private mutating func list(_ values: NodeList<Schema.InputValue>) {
    for value in values { list(schema[value].type.namedType) }
  }
}
