import enum ApolloAPI.JSONValue
import GraphQLSchema
import GraphQLSyntax

// The objects of a list whose arguments say what the objects have.
//
// 1. Objects of the pool that meet the conditions, if each field has few values: `open` issues are
//    some of all issues.
// 2. If there are none, or if a field has so many values that hardly any object of the pool has the
//    one that is asked for, objects that are made for the conditions. They keep the values.
// 3. Objects that mutations have created, if they meet the conditions.

extension Executor {
  /// Returns the objects that are made up for a list with conditions.
  ///
  /// - Parameters:
  ///   - conditions: The conditions, at least one.
  ///   - type: The type of the objects.
  ///   - count: The number of objects, if there are so many.
  ///   - first: The number in the pool of the list's first object.
  ///   - valueKey: The identity of the list, for objects without a key.
  /// - Returns: The objects.
  mutating func objects(
    meeting conditions: [ListCondition], of type: Schema.NamedType.ID, count: Int, first: Int,
    valueKey: String
  ) -> ObjectList {
    var found: [ObjectList.Entry] = []
    if conditions.allSatisfy(\.isCommon) {
      for index in 0..<poolSize where found.count < count {
        guard
          let object = context.pooled(
            type, (first + index) % poolSize, valueKey: "\(valueKey)[\(index)]"),
          meets(conditions, object.identity)
        else { continue }
        found.append(ObjectList.Entry(position: index, object: object))
      }
    }
    guard found.isEmpty else { return ObjectList(found) }
    let text = conditions.map(\.seedText).joined(separator: ", ")
    let seed = Seed(context.options.seed).adding(schema.name(of: type)).adding(text).adding(event)
    let start = seed.number(below: Self.foundObjects)
    for index in 0..<count {
      let number = Self.foundObjects + (start + index) % Self.foundObjects
      guard
        let object = context.pooled(type, number, valueKey: "\(valueKey)(\(text))[\(index)]")
      else { break }
      for condition in conditions {
        guard let value = value(of: condition, at: index) else { continue }
        store.learn(value, of: condition.field, in: object.identity)
      }
      // A mutation can have changed it since.
      if meets(conditions, object.identity) {
        found.append(ObjectList.Entry(position: index, object: object))
      }
    }
    return ObjectList(found)
  }

  /// Returns one of the values that a condition allows: that of the object at an index.
  private func value(of condition: ListCondition, at index: Int) -> ResolvedValue? {
    switch condition.content {
    case .values(let values): .leaf(values[index % values.count])
    case .keys(let keys, let type):
      object(keys[index % keys.count], type).map { .object($0) }
    }
  }

  /// Returns whether an object has the values that conditions ask for.
  func meets(_ conditions: [ListCondition], _ object: FakeIdentity) -> Bool {
    conditions.allSatisfy { meets($0, object) }
  }

  private func meets(_ condition: ListCondition, _ object: FakeIdentity) -> Bool {
    let known = store.value(of: condition.field, in: object)
    switch condition.content {
    case .values(let values):
      if case .leaf(let value)? = known { return values.contains(value) }
      guard known == nil, let symbol = schema.names.symbol(for: condition.field),
        let field = schema.ownField(symbol, of: object.type)
      else { return false }
      return values.contains(madeLeaf(condition.field, schema[field], of: object))
    case .keys(let keys, _):
      guard case .object(let found)? = known else { return false }
      return keys.contains(found.identity.key)
    }
  }
}
