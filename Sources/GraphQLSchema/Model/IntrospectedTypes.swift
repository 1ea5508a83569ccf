import GraphQLSyntax

extension Schema {
  /// The types that introspection lists: all types except unused built-in scalars.
  var introspectedTypes: [NamedType.ID] { IntrospectedTypes(self).all }
}

/// Lists the types of a schema in the order of the reference implementation.
///
/// 1. Each defined type, in the order of definition.
/// 2. Each built-in scalar, directly after the type that first uses it.
/// 3. The introspection types.
private struct IntrospectedTypes {
  private(set) var all: [Schema.NamedType.ID] = []
  private var isListed: [Bool]
  private let schema: Schema

  init(_ schema: Schema) {
    self.schema = schema
    isListed = Array(repeating: false, count: schema.types.count)
    // A defined type appears at its own position, not at its first use.
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
