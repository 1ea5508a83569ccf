import enum ApolloAPI.JSONValue
import GraphQLSchema
import GraphQLSyntax

/// The parts of a server that stay the same for all requests.
struct ServerContext: Sendable {
  let schema: Schema
  let options: FakeServerOptions
  let shapes: TypeShapes
  let leaves: LeafGenerator

  init(_ schema: Schema, _ options: FakeServerOptions) {
    self.schema = schema
    self.options = options
    shapes = TypeShapes(schema)
    leaves = LeafGenerator(schema: schema, scalars: options.scalarValues)
  }
}

// MARK: - The pool of objects

extension ServerContext {
  /// The number of objects of each type that lists and single fields lead to. No object is twice in
  /// a list.
  var poolSize: Int { max(1_000, options.totalCount, options.listLength) }

  /// The number of the first object that a mutation creates.
  var firstCreated: Int { max(10_000, poolSize) }

  /// Returns the object with a number of a type's pool, or `nil` if the type has no objects.
  ///
  /// - Parameters:
  ///   - type: The type. Of an abstract one, the number decides about the object type.
  ///   - number: The number in the pool.
  ///   - valueKey: The identity of objects that have no key.
  /// - Returns: The object.
  func pooled(
    _ type: Schema.NamedType.ID, _ number: Int, valueKey: String
  ) -> FakeObject? {
    guard let concrete = concrete(type, number) else { return nil }
    guard let key = shapes.keys[concrete] else {
      return FakeObject(FakeIdentity(type: concrete, key: valueKey))
    }
    return FakeObject(FakeIdentity(type: concrete, key: keyText(concrete, key, number)))
  }

  /// Returns the object type of the object with a number.
  func concrete(_ type: Schema.NamedType.ID, _ number: Int) -> Schema.NamedType.ID? {
    guard schema[type].kind.isAbstract else { return type }
    let possible = schema.possibleTypes(of: type)
    return possible.isEmpty ? nil : possible[possible.startIndex + number % possible.count]
  }

  /// Returns the key of the object with a number, such as `User-7`.
  func keyText(_ type: Schema.NamedType.ID, _ field: Schema.Field, _ number: Int) -> String {
    switch schema.name(of: field.type.namedType) {
    case "ID", "String": return "\(schema.name(of: type))-\(number + 1)"
    case "Int": return "\(number + 1)"
    default:
      if leaves.isPlainText(field.type.namedType) {
        return "\(schema.name(of: type))-\(number + 1)"
      }
      if let given = options.scalarValues[schema.name(of: field.type.namedType)], !given.isEmpty {
        let value = given[number % given.count]
        return value.keyText ?? "\(value)"
      }
      let seed = Seed(options.seed).adding(schema.name(of: type)).adding(number)
      let value = leaves.value(
        of: field.type.namedType, field: schema.spelling(field.name), seed)
      if case .int = value { return "\(number + 1)" }
      return value.keyText ?? "\(value)"
    }
  }
}
