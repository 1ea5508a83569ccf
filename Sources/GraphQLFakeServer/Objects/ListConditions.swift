import enum ApolloAPI.JSONValue
import GraphQLSchema
import GraphQLSyntax

/// A condition that an argument of a list makes, such as `states: [OPEN]` or `authorId: "7"`.
struct ListCondition: Sendable {
  enum Content: Sendable {
    /// The field has one of these values.
    case values([JSONValue])
    /// The field leads to the object of the type with one of these keys.
    case keys([String], Schema.NamedType.ID)
  }

  /// The name of the field of the list's objects.
  let field: String
  let content: Content
  /// `true` if many objects meet the condition, because the field has few values: it is a Boolean
  /// or an enum.
  let isCommon: Bool

  /// The condition as a part of a seed.
  var seedText: String {
    switch content {
    case .values(let values): "\(field) \(JSONValue.array(values))"
    case .keys(let keys, _): "\(field) \(keys)"
    }
  }
}

/// Reads conditions from the arguments of lists.
///
/// An argument is a condition if its name is that of a field of the objects, or says that it has
/// several of its values, or is that of a field that leads to an object with `Id` behind it:
///
/// | argument | field |
/// | :-- | :-- |
/// | `state: OPEN`, `state: { eq: OPEN }` | `state` |
/// | `states: [OPEN]`, `stateIn: [OPEN]`, `state: { in: [OPEN] }` | `state` |
/// | `authorId: "7"`, `authorIds: ["7"]`, `author: { id: { eq: "7" } }` | `author` |
///
/// Arguments can be in input objects, such as `where` and `filter`. Those of paging are none.
struct ListConditions {
  let schema: Schema
  let shapes: TypeShapes

  private static let equal: Set<String> = ["eq", "_eq", "equals", "equalTo", "is"]
  private static let among: Set<String> = ["in", "_in", "oneOf", "anyOf"]
  private static let referenceEndings = ["Ids", "IDs", "_ids", "Id", "ID", "_id"]
  private static let valueEndings = ["In", "_in", "Eq", "_eq"]

  /// Returns the conditions of arguments, one for each field, in the order of the names.
  func conditions(
    _ arguments: FlatArguments, on type: Schema.NamedType.ID
  ) -> [ListCondition] {
    var found: [String: ListCondition] = [:]
    for (name, value) in arguments.values.sorted(by: { $0.key < $1.key })
    where !value.isNull && !PageArguments.names.contains(name.lowercased()) {
      guard let condition = condition(name, value, type) else { continue }
      if found[condition.field] == nil { found[condition.field] = condition }
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  private func condition(
    _ name: String, _ value: JSONValue, _ type: Schema.NamedType.ID
  ) -> ListCondition? {
    for candidate in Self.fieldNames(name) {
      guard let field = field(candidate, of: type) else { continue }
      let named = field.type.namedType
      guard schema[named].kind.isLeaf else {
        guard let keys = keys(value), hasKey(named) else { return nil }
        return ListCondition(field: candidate, content: .keys(keys, named), isCommon: false)
      }
      // The key of an object is no value among others.
      guard shapes.keys[type]?.name != field.name, let values = Self.values(value),
        values.allSatisfy({ schema.accepts($0, as: ResolvedType(named)) })
      else { return nil }
      let isCommon = schema[named].kind == .enum || schema.name(of: named) == "Boolean"
      return ListCondition(field: candidate, content: .values(values), isCommon: isCommon)
    }
    for ending in Self.referenceEndings where name.hasSuffix(ending) {
      let candidate = String(name.dropLast(ending.count))
      guard let field = field(candidate, of: type), hasKey(field.type.namedType),
        let keys = keys(value)
      else { continue }
      return ListCondition(
        field: candidate, content: .keys(keys, field.type.namedType), isCommon: false)
    }
    return nil
  }

  /// Returns a field that is no list and has no arguments.
  private func field(_ name: String, of type: Schema.NamedType.ID) -> Schema.Field? {
    guard let symbol = schema.names.symbol(for: name),
      let id = schema.ownField(symbol, of: type), !schema[id].type.isList,
      schema[schema[id].arguments].isEmpty
    else { return nil }
    return schema[id]
  }

  private func hasKey(_ type: Schema.NamedType.ID) -> Bool {
    guard schema[type].kind.isComposite, shapes.connections[type] == nil else { return false }
    return schema[type].kind.isAbstract
      ? schema.possibleTypes(of: type).contains { shapes.keys[$0] != nil }
      : shapes.keys[type] != nil
  }

  /// Returns the names of the fields that an argument can be a condition of.
  private static func fieldNames(_ name: String) -> [String] {
    var names = [name]
    for ending in valueEndings where name.hasSuffix(ending) {
      names.append(String(name.dropLast(ending.count)))
    }
    if name.hasSuffix("ies") { names.append(name.dropLast(3) + "y") }
    if name.hasSuffix("es") { names.append(String(name.dropLast(2))) }
    if name.hasSuffix("s") { names.append(String(name.dropLast())) }
    return names
  }

  /// Returns the values that an argument allows, or `nil` if it says something else, such as a
  /// range.
  private static func values(_ value: JSONValue) -> [JSONValue]? {
    switch value {
    case .array(let items):
      return items.isEmpty || items.contains(where: \.isNull) ? nil : items
    case .object(let members):
      guard members.count == 1, let (name, inner) = members.first else { return nil }
      if equal.contains(name), inner.arrayValue == nil { return values(inner) }
      if among.contains(name), inner.arrayValue != nil { return values(inner) }
      return nil
    case .null: return nil
    default: return [value]
    }
  }

  private func keys(_ value: JSONValue) -> [String]? {
    var value = value
    if case .object(let members) = value, members.count == 1, let inner = members["id"] {
      value = inner
    }
    guard let values = Self.values(value) else { return nil }
    let keys = values.compactMap(\.keyText)
    return keys.count == values.count ? keys : nil
  }
}
