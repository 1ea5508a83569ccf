import ApolloAPI
import enum ApolloAPI.JSONValue  // the schema has one of its own
import GraphQLSchema
import GraphQLSyntax

/// Adds to a response what generated operations ask for beside what their authors wrote: the
/// `__typename` of every object below the root.
///
/// Where the schema leaves a type open and the response does not tell it, it is one whose fields
/// are those of the object; which one makes no difference to what the models show. A response with
/// a defect is completed with the type that fits best.
struct ResponseCompletion {
  private let oracle: SelectionOracle
  private var schema: Schema { oracle.schema }

  init(_ oracle: SelectionOracle) { self.oracle = oracle }

  /// A value with what was added to it, and how much about it does not fit: 0 for a response of a
  /// server.
  typealias Completed = (value: OrderedJSON, misfits: Int)

  /// The data of a response, completed.
  func completed(
    _ data: JSONValue, of operation: GraphQLSyntax.OperationDefinition
  ) -> Completed {
    guard let root = schema.rootType(operation.kind), case .object(let members) = data else {
      return (.leaf(data), data.isNull ? 0 : 1)
    }
    let isTold = oracle.asksForTypename(ofRoot: root, in: operation)
    return completed(
      members, as: root, [operation.selectionSet],
      typename: isTold ? schema.spelling(schema[root].name) : nil)
  }

  private func completed(
    _ value: JSONValue, as type: ResolvedType, _ sets: [GraphQLSyntax.SelectionSet]
  ) -> Completed {
    if value.isNull { return (.leaf(value), type.isNonNull ? 1 : 0) }
    if let item = type.item {
      guard case .array(let elements) = value else { return (.leaf(value), 1) }
      let all = elements.map { completed($0, as: item, sets) }
      return (.list(all.map(\.value)), all.reduce(0) { $0 + $1.misfits })
    }
    if sets.isEmpty { return (.leaf(value), fits(value, type.namedType) ? 0 : 1) }
    guard case .object(let members) = value else { return (.leaf(value), 1) }
    return completed(members, asObjectOf: type.namedType, sets)
  }

  private func completed(
    _ members: [String: JSONValue], asObjectOf type: Schema.NamedType.ID,
    _ sets: [GraphQLSyntax.SelectionSet]
  ) -> Completed {
    if let told = toldType(members, type, sets) {
      return completed(members, as: schema.type(named: told) ?? type, sets, typename: told)
    }
    let candidates = schema[type].kind == .object ? [type] : Array(schema.possibleTypes(of: type))
    var best: Completed?
    for candidate in candidates {
      // Objects are looked into only where their keys agree better than what was found.
      if let best, keyMisfits(members, candidate, sets) >= best.misfits { continue }
      let name = schema.spelling(schema[candidate].name)
      let found = completed(members, as: candidate, sets, typename: name)
      if best.map({ found.misfits < $0.misfits }) ?? true { best = found }
      if found.misfits == 0 { break }
    }
    return best ?? (.leaf(.object(members)), 1)
  }

  /// The type that the response itself names: the value of a requested `__typename`, under any
  /// alias.
  private func toldType(
    _ members: [String: JSONValue], _ type: Schema.NamedType.ID,
    _ sets: [GraphQLSyntax.SelectionSet]
  ) -> String? {
    for candidate in [type] + schema.possibleTypes(of: type) {
      for field in oracle.fields(of: sets, for: candidate) where field.name == .typename {
        if let name = members[field.key]?.stringValue { return name }
      }
    }
    return nil
  }

  private func completed(
    _ members: [String: JSONValue], as type: Schema.NamedType.ID,
    _ sets: [GraphQLSyntax.SelectionSet], typename: String?
  ) -> Completed {
    var rest = members
    var result: [(key: String, value: OrderedJSON)] = []
    var misfits = keyMisfits(members, type, sets)
    let fields = oracle.fields(of: sets, for: type)
    // Where the document asks for it itself, it is the server's to tell.
    let isAsked = fields.contains { $0.key == "__typename" }
    if let typename, !isAsked {
      let told = rest.removeValue(forKey: "__typename")
      result.append(("__typename", .leaf(told ?? .string(typename))))
    }
    for field in fields {
      guard let value = rest.removeValue(forKey: field.key) else { continue }
      let found = completed(value, as: field.type, field.sets)
      result.append((field.key, found.value))
      misfits += found.misfits
      if field.name == .typename, let typename, value.stringValue != typename { misfits += 1 }
    }
    return (.object(result, others: rest), misfits)
  }

  private func keyMisfits(
    _ members: [String: JSONValue], _ type: Schema.NamedType.ID,
    _ sets: [GraphQLSyntax.SelectionSet]
  ) -> Int {
    let fields = oracle.fields(of: sets, for: type)
    let present = fields.count { members[$0.key] != nil }
    return fields.count - present + members.count - present
  }

  /// Returns `true` if a value is of a leaf type, as far as JSON can show it.
  private func fits(_ value: JSONValue, _ type: Schema.NamedType.ID) -> Bool {
    switch schema[type].kind {
    case .enum:
      guard let name = value.stringValue else { return false }
      return schema[schema[type].enumValues].contains { schema.spelling($0.name) == name }
    case .scalar where schema[type].isBuiltIn:
      switch schema.spelling(schema[type].name) {
      case "Int": return value.intValue != nil
      case "Float": return value.doubleValue != nil
      case "Boolean": return value.boolValue != nil
      case "String": return value.stringValue != nil
      default: return value.stringValue != nil || value.intValue != nil
      }
    case .scalar: return true
    case .object, .interface, .union, .inputObject: return false
    }
  }
}
