import enum ApolloAPI.JSONValue
import GraphQLSchema
import GraphQLSyntax

/// The result of a full introspection query, from which every introspection query is served.
final class Introspection: Sendable {
  private let schema: JSONValue
  private let types: [String: JSONValue]

  init(_ schema: Schema) {
    let text = schema.introspection()
    // The text is the compiler's own, so it is valid.
    let value = try? JSONValue(jsonBytes: Array(text.utf8))
    self.schema = value?["__schema"] ?? .null
    let all = self.schema["types"]?.arrayValue ?? []
    types = Dictionary(
      all.compactMap { type in type["name"]?.stringValue.map { ($0, type) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the value of `__schema` or `__type`.
  func root(_ field: String, _ arguments: [String: JSONValue]) -> JSONValue {
    guard field == "__type" else { return schema }
    return arguments["name"]?.stringValue.flatMap { types[$0] } ?? .null
  }

  /// Returns the value of a field of an introspection object. A reference to a type has all of the
  /// type's fields.
  func value(
    _ field: String, of object: JSONValue, _ arguments: [String: JSONValue]
  ) -> JSONValue {
    var value = object[field]
    if value == nil, let name = object["name"]?.stringValue { value = types[name]?[field] }
    // The value can be null, which is not `true`.
    guard case .array(let items)? = value, let includes = arguments["includeDeprecated"],
      includes.boolValue != true
    else { return value ?? .null }
    return .array(items.filter { $0["isDeprecated"]?.boolValue != true })
  }
}

extension Executor {
  /// Returns the selected fields of an introspection object.
  mutating func introspect(
    _ value: JSONValue, _ type: ResolvedType, _ sets: [SelectionSet]
  ) throws(FieldError) -> FakeValue {
    if value.isNull { return .null }
    if let item = type.item {
      var values: [FakeValue] = []
      for element in value.arrayValue ?? [] { values.append(try introspect(element, item, sets)) }
      return .list(values)
    }
    guard schema[type.namedType].kind == .object else { return .leaf(value) }
    try countIntrospected()
    var members: [(key: String, value: FakeValue)] = []
    for field in collect(sets, of: type.namedType, defers: false).fields {
      let symbol = field.first.name.symbol
      if symbol == .typename {
        members.append((field.key, .leaf(.string(schema.name(of: type.namedType)))))
        continue
      }
      guard let id = schema.field(symbol, of: type.namedType) else { continue }
      let arguments = try coercion.arguments(
        field.first.arguments, for: schema[id].arguments, variables)
      let member = introspection.value(schema.spelling(symbol), of: value, arguments)
      members.append((field.key, try introspect(member, schema[id].type, field.sets)))
    }
    return .object(members)
  }
}
