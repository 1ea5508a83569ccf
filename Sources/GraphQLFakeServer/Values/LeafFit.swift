import enum ApolloAPI.JSONValue
import GraphQLSchema
import GraphQLSyntax

extension Schema {
  /// Returns the form that `value` has in a response for a type that is no list, or `nil` if it
  /// does not have the type.
  ///
  /// Spec: 3.5, "Scalars", result coercion: an `ID` is a text there.
  func result(_ value: JSONValue, as type: ResolvedType) -> JSONValue? {
    if case .int(let number) = value, name(of: type.namedType) == "ID" {
      return .string("\(number)")
    }
    // In an expression, `nil` would be a JSON null.
    guard accepts(value, as: type) else { return nil }
    return value
  }

  /// Returns `true` if `value` is one of a type without selections, or can be made one.
  ///
  /// Spec: 3.5, "Scalars", result coercion; 3.9, "Enums".
  func accepts(_ value: JSONValue, as type: ResolvedType) -> Bool {
    if value.isNull { return !type.isNonNull }
    if let item = type.item {
      guard case .array(let items) = value else { return false }
      return items.allSatisfy { accepts($0, as: item) }
    }
    let named = type.namedType
    switch self[named].kind {
    case .enum:
      guard case .string(let text) = value, let symbol = names.symbol(for: text) else {
        return false
      }
      return enumValue(symbol, of: named) != nil
    case .scalar: return accepts(value, asScalar: name(of: named))
    case .object, .interface, .union, .inputObject: return false
    }
  }

  private func accepts(_ value: JSONValue, asScalar name: String) -> Bool {
    switch (name, value) {
    case ("Int", .int(let number)): Int32(exactly: number) != nil
    case ("Float", .int), ("Float", .double), ("Float", .decimal): true
    case ("Boolean", .bool), ("String", .string), ("ID", .string), ("ID", .int): true
    case ("Int", _), ("Float", _), ("Boolean", _), ("String", _), ("ID", _): false
    default: true
    }
  }
}
